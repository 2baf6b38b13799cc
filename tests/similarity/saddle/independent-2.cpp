#include <stdio.h>

int a[100][100], n, m;

int main(void) {
    scanf("%d%d", &n, &m);
    int best = -1, bestSum = 0;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) {
            scanf("%d", &a[i][j]);
            s += a[i][j];
        }
        if (best < 0 || s > bestSum) {
            best = i;
            bestSum = s;
        }
    }
    printf("best row %d\n", best);
    int found = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            int ok = 1;
            for (int x = 0; x < m && ok; x++) ok = a[i][x] >= a[i][j];
            for (int y = 0; y < n && ok; y++) ok = a[y][j] <= a[i][j];
            if (ok) {
                printf("saddle %d %d\n", i, j);
                found = 1;
            }
        }
    }
    if (!found) printf("no saddle\n");
    return 0;
}
