#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>
using namespace std;

int main() {
    int h, w;
    cin >> h >> w;
    vector<vector<int>> a(h, vector<int>(w));
    vector<int> rowMin(h, 1 << 30), colMax(w, -(1 << 30)), sums(h, 0);
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) {
            cin >> a[i][j];
            rowMin[i] = min(rowMin[i], a[i][j]);
            colMax[j] = max(colMax[j], a[i][j]);
            sums[i] += a[i][j];
        }
    cout << "best row " << max_element(sums.begin(), sums.end()) - sums.begin() << "\n";
    bool any = false;
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j)
            if (rowMin[i] == colMax[j]) {
                any = true;
                cout << "saddle " << i << " " << j << "\n";
            }
    if (!any) cout << "no saddle\n";
}
