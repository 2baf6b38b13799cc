#include <iostream>
#include <vector>
using namespace std;

int main() {
    int limit;
    cin >> limit;
    vector<bool> struck(limit + 1, false);
    vector<int> found;
    for (int a = 2; a <= limit; a++) {
        if (!struck[a]) {
            found.push_back(a);
            for (long long b = (long long)a * a; b <= limit; b += a) {
                struck[b] = true;
            }
        }
    }
    int pairs = 0;
    for (size_t c = 1; c < found.size(); c++) {
        if (found[c] - found[c - 1] == 2) {
            pairs++;
        }
    }
    long long total = 0;
    for (int d : found) {
        total += d;
    }
    cout << found.size() << " primes" << endl;
    cout << pairs << " twins" << endl;
    cout << "sum " << total << endl;
    return 0;
}
