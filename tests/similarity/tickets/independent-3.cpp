#include <cstdio>
#include <cstring>
#include <algorithm>

char name[1000][32];
int want[1000], come[1000];

int main() {
    int n, t;
    if (scanf("%d %d", &n, &t) != 2) return 1;
    for (int i = 0; i < n; i++) {
        scanf("%31s %d %d", name[i], &want[i], &come[i]);
    }
    int clock = 0, total = 0, longest = 0;
    for (int i = 0; i < n; i++) {
        if (clock < come[i]) clock = come[i];
        if (want[i] <= t) {
            longest = std::max(longest, clock - come[i]);
            clock += want[i] * 2;
            t -= want[i];
            total += want[i];
            printf("%s served at %d\n", name[i], clock);
        } else {
            clock++;
            printf("%s refused\n", name[i]);
        }
    }
    printf("sold %d\nlongest wait %d\n", total, longest);
    return 0;
}
