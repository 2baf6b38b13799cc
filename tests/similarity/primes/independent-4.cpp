#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> p;
    for (int x = 2; x <= n; x++) {
        bool ok = true;
        for (int q : p) {
            if (q * q > x) {
                break;
            }
            if (x % q == 0) {
                ok = false;
                break;
            }
        }
        if (ok) {
            p.push_back(x);
        }
    }
    int t = 0;
    long long s = 0;
    for (int i = 0; i < (int)p.size(); i++) {
        s += p[i];
        if (i > 0 && p[i] == p[i - 1] + 2) {
            t++;
        }
    }
    cout << p.size() << " primes" << endl;
    cout << t << " twins" << endl;
    cout << "sum " << s << endl;
}
