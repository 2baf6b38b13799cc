#include <iostream>
#include <queue>
#include <string>
#include <vector>
using namespace std;

struct Customer {
    string name;
    int wanted;
    int arrived;
};

int totalSold(const vector<int>& sold) {
    int sum = 0;
    for (int i = 0; i < (int)sold.size(); i++) {
        sum += sold[i];
    }
    return sum;
}

int longestWait(const vector<int>& waits) {
    int longest = 0;
    for (int i = 0; i < (int)waits.size(); i++) {
        if (waits[i] > longest) {
            longest = waits[i];
        }
    }
    return longest;
}

int main() {
    int n, tickets;
    cin >> n >> tickets;
    queue<Customer> line;
    for (int i = 0; i < n; i++) {
        Customer c;
        cin >> c.name >> c.wanted >> c.arrived;
        line.push(c);
    }
    int now = 0;
    vector<int> sold;
    vector<int> waits;
    while (!line.empty()) {
        Customer c = line.front();
        line.pop();
        if (c.arrived > now) {
            now = c.arrived;
        }
        if (c.wanted <= tickets) {
            tickets -= c.wanted;
            sold.push_back(c.wanted);
            waits.push_back(now - c.arrived);
            now += 2 * c.wanted;
            cout << c.name << " served at " << now << endl;
        } else {
            now += 1;
            cout << c.name << " refused" << endl;
        }
    }
    cout << "sold " << totalSold(sold) << endl;
    cout << "longest wait " << longestWait(waits) << endl;
    return 0;
}
