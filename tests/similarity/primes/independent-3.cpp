#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> isPrime(n + 3, 1);
    isPrime[0] = 0;
    isPrime[1] = 0;
    for (int i = 2; i * i <= n; i++) {
        if (isPrime[i]) {
            for (int j = i * i; j <= n; j += i) {
                isPrime[j] = 0;
            }
        }
    }
    int count = 0;
    int twins = 0;
    long long sum = 0;
    for (int i = 2; i <= n; i++) {
        if (isPrime[i]) {
            count++;
            sum += i;
            if (i + 2 <= n && isPrime[i + 2]) {
                twins++;
            }
        }
    }
    cout << count << " primes" << endl;
    cout << twins << " twins" << endl;
    cout << "sum " << sum << endl;
    return 0;
}
