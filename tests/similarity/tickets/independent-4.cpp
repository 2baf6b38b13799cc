#include <iostream>
#include <vector>
#include <string>
using namespace std;

int main() {
    int n, m;
    cin >> n >> m;
    vector<string> names(n);
    vector<int> amount(n), arrival(n);
    for (int i = 0; i < n; i++) {
        cin >> names[i] >> amount[i] >> arrival[i];
    }
    int time = 0;
    int sold = 0;
    int maxWait = 0;
    for (int i = 0; i < n; i++) {
        if (time < arrival[i]) {
            time = arrival[i];
        }
        if (m >= amount[i]) {
            int wait = time - arrival[i];
            if (wait > maxWait) {
                maxWait = wait;
            }
            m -= amount[i];
            sold += amount[i];
            time += amount[i] * 2;
            cout << names[i] << " served at " << time << endl;
        } else {
            time++;
            cout << names[i] << " refused" << endl;
        }
    }
    cout << "sold " << sold << endl;
    cout << "longest wait " << maxWait << endl;
    return 0;
}
