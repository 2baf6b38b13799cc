#include <cstdio>
#include <iostream>
#include <vector>
using Tafel = std::vector<std::vector<long>>;

static bool sattel(Tafel const &t, unsigned y, unsigned x) {
    bool ja = true;
    for (long wert : t[y]) {
        if (t[y][x] > wert) ja = false;
    }
    unsigned q = 0;
    while (q < t.size()) {
        if (t[y][x] < t[q][x]) ja = false;
        q++;
    }
    return ja;
}

static long zeilensumme(std::vector<long> const &zeile) {
    long s = 0;
    for (unsigned q = 0; q < zeile.size(); ++q) s = s + zeile[q];
    return s;
}

int main() {
    unsigned hoch, breit;
    std::cin >> hoch >> breit;
    Tafel t(hoch, std::vector<long>(breit));
    for (auto &zeile : t)
        for (auto &wert : zeile) std::cin >> wert;
    unsigned beste = 0, y = 1;
    while (y < hoch) {
        beste = zeilensumme(t[y]) > zeilensumme(t[beste]) ? y : beste;
        y += 1;
    }
    printf("best row %u\n", beste);
    int gefunden = 0;
    for (unsigned y = 0; y < hoch; ++y)
        for (unsigned x = 0; x < breit; ++x) {
            if (!sattel(t, y, x)) continue;
            printf("saddle %u %u\n", y, x);
            gefunden += 1;
        }
    if (!gefunden) puts("no saddle");
}
