#include <cstdio>
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
            printf("%s served at %d\n", c.name.c_str(), now);
        } else {
            now += 1;
            printf("%s refused\n", c.name.c_str());
        }
    }
    printf("sold %d\n", totalSold(sold));
    printf("longest wait %d\n", longestWait(waits));
    return 0;
}
