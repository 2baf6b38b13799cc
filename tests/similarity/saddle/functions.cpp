#include <iostream>
#include <vector>
using namespace std;

typedef vector<vector<int>> Matrix;

bool isSaddle(const Matrix& m, int r, int c) {
    for (int k = 0; k < (int)m[r].size(); k++) {
        if (m[r][k] < m[r][c]) {
            return false;
        }
    }
    for (int k = 0; k < (int)m.size(); k++) {
        if (m[k][c] > m[r][c]) {
            return false;
        }
    }
    return true;
}

int rowSum(const Matrix& m, int r) {
    int sum = 0;
    for (int c = 0; c < (int)m[r].size(); c++) {
        sum += m[r][c];
    }
    return sum;
}

Matrix readMatrix(int rows, int columns) {
    Matrix m(rows, vector<int>(columns));
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            cin >> m[r][c];
        }
    }
    return m;
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
