#include <iostream>
#include <vector>
using namespace std;

typedef vector<vector<int>> Table;

Table input(int h, int w) {
    Table t(h, vector<int>(w));
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            cin >> t[i][j];
        }
    }
    return t;
}

int addRow(const Table& t, int i) {
    int s = 0;
    for (int j = 0; j < (int)t[i].size(); j++) {
        s += t[i][j];
    }
    return s;
}

bool check(const Table& t, int i, int j) {
    for (int q = 0; q < (int)t[i].size(); q++) {
        if (t[i][q] < t[i][j]) {
            return false;
        }
    }
    for (int q = 0; q < (int)t.size(); q++) {
        if (t[q][j] > t[i][j]) {
            return false;
        }
    }
    return true;
}

int main() {
    int h, w;
    cin >> h >> w;
    Table t = input(h, w);
    int top = 0;
    for (int i = 1; i < h; i++) {
        if (addRow(t, i) > addRow(t, top)) {
            top = i;
        }
    }
    cout << "best row " << top << endl;
    int n = 0;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            if (check(t, i, j)) {
                n++;
                cout << "saddle " << i << " " << j << endl;
            }
        }
    }
    if (n == 0) {
        cout << "no saddle" << endl;
    }
    return 0;
}
