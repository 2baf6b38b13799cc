#include <cstdio>
#include <iostream>
#include <queue>
#include <vector>

struct Kunde {
    long ankunft, menge;
    std::string name;
};

int main() {
    long anzahl, karten;
    std::cin >> anzahl >> karten;
    std::queue<Kunde> schlange;
    while (anzahl > 0) {
        Kunde k;
        std::cin >> k.name >> k.menge >> k.ankunft;
        schlange.push(k);
        anzahl--;
    }
    std::vector<long> warten, verkauft;
    long uhr = 0;
    while (schlange.size() > 0) {
        Kunde k = schlange.front();
        schlange.pop();
        uhr = k.ankunft > uhr ? k.ankunft : uhr;
        if (k.menge > karten) {
            uhr = uhr + 1;
            printf("%s refused\n", k.name.c_str());
        } else {
            warten.push_back(uhr - k.ankunft);
            verkauft.push_back(k.menge);
            karten = karten - k.menge;
            uhr = uhr + k.menge * 2;
            printf("%s served at %ld\n", k.name.c_str(), uhr);
        }
    }
    long summe = 0;
    for (long v : verkauft) summe = summe + v;
    printf("sold %ld\n", summe);
    long laengste = 0;
    for (long w : warten) {
        if (laengste < w) laengste = w;
    }
    printf("longest wait %ld\n", laengste);
}
