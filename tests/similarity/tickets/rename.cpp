#include <iostream>
#include <queue>
#include <string>
#include <vector>
using namespace std;

struct Person {
    string id;
    int count;
    int t0;
};

int addUp(const vector<int>& v) {
    int s = 0;
    for (int i = 0; i < (int)v.size(); i++) {
        s += v[i];
    }
    return s;
}

int maximum(const vector<int>& w) {
    int m = 0;
    for (int i = 0; i < (int)w.size(); i++) {
        if (w[i] > m) {
            m = w[i];
        }
    }
    return m;
}

int main() {
    int n, rest;
    cin >> n >> rest;
    queue<Person> q;
    for (int i = 0; i < n; i++) {
        Person p;
        cin >> p.id >> p.count >> p.t0;
        q.push(p);
    }
    int t = 0;
    vector<int> v;
    vector<int> w;
    while (!q.empty()) {
        Person p = q.front();
        q.pop();
        if (p.t0 > t) {
            t = p.t0;
        }
        if (p.count <= rest) {
            rest -= p.count;
            v.push_back(p.count);
            w.push_back(t - p.t0);
            t += 2 * p.count;
            cout << p.id << " served at " << t << endl;
        } else {
            t += 1;
            cout << p.id << " refused" << endl;
        }
    }
    cout << "sold " << addUp(v) << endl;
    cout << "longest wait " << maximum(w) << endl;
    return 0;
}
