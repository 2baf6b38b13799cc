#include <iostream>
using namespace std;

const int MAX = 50;

int smallestInRow(int grid[][MAX], int row, int columns) {
    int place = 0;
    for (int i = 1; i < columns; i++) {
        if (grid[row][i] < grid[row][place]) {
            place = i;
        }
    }
    return grid[row][place];
}

int largestInColumn(int grid[][MAX], int column, int rows) {
    int largest = grid[0][column];
    for (int i = 1; i < rows; i++) {
        if (grid[i][column] > largest) {
            largest = grid[i][column];
        }
    }
    return largest;
}

int main() {
    int grid[MAX][MAX];
    int rows, columns;
    cin >> rows >> columns;
    int maxSum = 0;
    int maxRow = 0;
    for (int i = 0; i < rows; i++) {
        int sum = 0;
        for (int j = 0; j < columns; j++) {
            cin >> grid[i][j];
            sum = sum + grid[i][j];
        }
        if (i == 0 || sum > maxSum) {
            maxSum = sum;
            maxRow = i;
        }
    }
    cout << "best row " << maxRow << endl;
    int count = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (grid[i][j] == smallestInRow(grid, i, columns) && grid[i][j] == largestInColumn(grid, j, rows)) {
                cout << "saddle " << i << " " << j << endl;
                count++;
            }
        }
    }
    if (count == 0) {
        cout << "no saddle" << endl;
    }
    return 0;
}
