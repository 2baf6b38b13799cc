#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, left;
    cin >> n >> left;
    int time = 0, sold = 0, worst = 0;
    while (n--) {
        string who;
        int k, at;
        cin >> who >> k >> at;
        time = max(time, at);
        if (k > left) {
            time++;
            cout << who << " refused\n";
            continue;
        }
        left -= k;
        sold += k;
        worst = max(worst, time - at);
        time += 2 * k;
        cout << who << " served at " << time << "\n";
    }
    cout << "sold " << sold << "\nlongest wait " << worst << "\n";
}
