#include <iostream>
#include <vector>
using namespace std;

const int FIRST = 2;
const int GAP = 2;
const bool YES = true;

int main() {
    int n;
    cin >> n;
    vector<bool> composite(n + 1, false);
    vector<int> primes;
    for (int i = FIRST; i <= n; i++) {
        if (!composite[i]) {
            primes.push_back(i);
            for (long long j = (long long)i * i; j <= n; j += i) {
                composite[j] = YES;
            }
        }
    }
    int twins = 0;
    for (size_t k = 1; k < primes.size(); k++) {
        if (primes[k] - primes[k - 1] == GAP) {
            twins++;
        }
    }
    long long sum = 0;
    for (int p : primes) {
        sum += p;
    }
    cout << primes.size() << " primes" << endl;
    cout << twins << " twins" << endl;
    cout << "sum " << sum << endl;
    return 0;
}
