#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<bool> composite(n + 1, false);
    vector<int> primes;
    int i = 1;
    while (++i <= n) {
        if (!composite[i]) {
            primes.push_back(i);
            long long j = (long long)i * i;
            while (j <= n) {
                composite[j] = true;
                j += i;
            }
        }
    }
    int twins = 0;
    for (size_t k = 1; k < primes.size(); k++) {
        if (primes[k] - primes[k - 1] == 2) {
            twins++;
        }
    }
    long long sum = 0;
    for (size_t k = 0; k < primes.size(); k++) {
        sum += primes[k];
    }
    cout << primes.size() << " primes" << endl;
    cout << twins << " twins" << endl;
    cout << "sum " << sum << endl;
    return 0;
}
