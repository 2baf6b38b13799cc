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

int longestWait(const vector<int>& warten) {
    int longest = 0;
    for (int k = 0; k < (int)warten.size(); k++) {
        if (warten[k] > longest) {
            longest = warten[k];
        }
    }
    return longest;
}

int totalSold(const vector<int>& sold) {
    int sum = 0;
    for (int k = 0; k < (int)sold.size(); k++) {
        sum = sum + sold[k];
    }
    return sum;
}

int main() {
    int n, tickets;
    cin >> n >> tickets;
    queue<Customer> schlange;
    for (int k = 0; k < n; k++) {
        Customer kunde;
        cin >> kunde.name >> kunde.wanted >> kunde.arrived;
        schlange.push(kunde);
    }
    int zeit = 0;
    vector<int> warten;
    vector<int> sold;
    while (!schlange.empty()) {
        Customer kunde = schlange.front();
        schlange.pop();
        zeit = kunde.arrived > zeit ? kunde.arrived : zeit;
        if (kunde.wanted <= tickets) {
            sold.push_back(kunde.wanted);
            tickets = tickets - kunde.wanted;
            warten.push_back(zeit - kunde.arrived);
            zeit += 2 * kunde.wanted;
            cout << kunde.name << " served at " << zeit << '\n';
        } else {
            zeit += 1;
            cout << kunde.name << " refused" << '\n';
        }
    }
    cout << "sold " << totalSold(sold) << '\n';
    cout << "longest wait " << longestWait(warten) << '\n';
    return 0;
}
