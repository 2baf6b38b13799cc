#include <iostream>
#include <vector>
using namespace std;

typedef vector<vector<int>> Matrix;

Matrix readMatrix(int rows, int columns) {
    Matrix m(rows, vector<int>(columns));
    for (auto& row : m) {
        for (auto& x : row) {
            cin >> x;
        }
    }
    return m;
}

int rowSum(const Matrix& m, int r) {
    int sum = 0;
    for (int x : m[r]) {
        sum += x;
    }
    return sum;
}

bool isSaddle(const Matrix& m, int r, int c) {
    for (int k = 0; k < (int)m[r].size(); k++) {
        if (m[r][k] < m[r][c]) {
            return false;
        }
    }
    int k = 0;
    while (k < (int)m.size()) {
        if (m[k][c] > m[r][c]) {
            return false;
        }
        k++;
    }
    return true;
}

int main() {
    int rows, columns;
    cin >> rows >> columns;
    Matrix m = readMatrix(rows, columns);
    int best = 0;
    for (int r = 1; r < rows; r++) {
        if (rowSum(m, r) > rowSum(m, best)) {
            best = r;
        }
    }
    cout << "best row " << best << endl;
    int saddles = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            if (isSaddle(m, r, c)) {
                saddles++;
                cout << "saddle " << r << " " << c << endl;
            }
        }
    }
    if (saddles == 0) {
        cout << "no saddle" << endl;
    }
    return 0;
}
