#include <iostream>
#include <vector>
using namespace std;

using Matrix = vector<vector<long>>;

Matrix readMatrix(int rows, int columns) {
    Matrix m(rows, vector<long>(columns));
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            cin >> m[r][c];
        }
    }
    return m;
}

long rowSum(Matrix m, size_t r) {
    long sum = 0;
    for (int c = 0; c < (int)m[r].size(); c++) {
        sum += m[r][c];
    }
    return sum;
}

int isSaddle(Matrix const &m, const int r, const int c) {
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
    unsigned saddles = 0;
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
