#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<bool> sieb(n + 1, false);
    long long summe = 0;
    vector<int> liste;
    for (int x = 2; x <= n; x++) {
        if (!sieb[x]) {
            liste.push_back(x);
            summe = summe + x;
            for (long long j = (long long)x * x; j <= n; j += x) {
                sieb[j] = true;
            }
        }
    }
    int twins = 0;
    for (size_t k = 1; k < liste.size(); k++) {
        if (liste[k] - liste[k - 1] == 2) {
            twins += 1;
        }
    }
    cout << liste.size() << " primes" << "\n";
    cout << twins << " twins\n";
    cout << "sum " << summe << "\n";
    return 0;
}
