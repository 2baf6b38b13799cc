#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<bool> composite(n + 1, false);
    vector<int> primes;
    for (int i = 2; i <= n; i = i + 1) {
        if (!composite[i]) {
            primes.push_back(i);
            for (long long j = (long long)i * i; j <= n; j = j + i) {
                composite[j] = true;
            }
        }
    }
    int twins = 0;
    for (size_t k = 1; k < primes.size(); ++k) {
        if (primes[k] - primes[k - 1] == 2) {
            twins += 1;
        }
    }
    long long sum = 0;
    for (int p : primes) {
        sum = sum + p;
    }
    cout << primes.size() << " primes" << endl;
    cout << twins << " twins" << endl;
    cout << "sum " << sum << endl;
    return 0;
}
