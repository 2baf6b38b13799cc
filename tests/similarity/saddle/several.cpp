#include <iostream>
#include <vector>
using namespace std;

typedef vector<vector<int>> Matrix;

int rowSum(const Matrix& feld, int zeile) {
    int sum = 0;
    for (int spalte = 0; spalte < (int)feld[zeile].size(); spalte++) {
        sum = feld[zeile][spalte] + sum;
    }
    return sum;
}

bool isSaddle(const Matrix& feld, int zeile, int spalte) {
    for (int k = 0; k < (int)feld[zeile].size(); k++) {
        if (feld[zeile][spalte] > feld[zeile][k]) {
            return false;
        }
    }
    for (int k = 0; k < (int)feld.size(); k++) {
        if (feld[k][spalte] > feld[zeile][spalte]) {
            return false;
        }
    }
    return true;
}

Matrix readMatrix(int rows, int columns) {
    Matrix feld(rows, vector<int>(columns));
    for (int zeile = 0; zeile < rows; zeile++) {
        for (int spalte = 0; spalte < columns; spalte++) {
            cin >> feld[zeile][spalte];
        }
    }
    return feld;
}

int main() {
    int rows, columns;
    cin >> rows >> columns;
    Matrix feld = readMatrix(rows, columns);
    int best = 0;
    for (int zeile = 1; zeile < rows; zeile++) {
        best = rowSum(feld, zeile) > rowSum(feld, best) ? zeile : best;
    }
    cout << "best row " << best << '\n';
    int anzahl = 0;
    for (int zeile = 0; zeile < rows; zeile++) {
        for (int spalte = 0; spalte < columns; spalte++) {
            if (isSaddle(feld, zeile, spalte)) {
                anzahl = anzahl + 1;
                cout << "saddle " << zeile << " " << spalte << '\n';
            }
        }
    }
    if (anzahl == 0) {
        cout << "no saddle" << '\n';
    }
    return 0;
}
