#include <cstdio>
#include <vector>

typedef long long ganz;

static std::vector<int> sieb(int grenze) {
    std::vector<int> liste;
    std::vector<bool> weg(grenze + 1, false);
    int zahl = 2;
    while (zahl <= grenze) {
        if (weg[zahl]) {
            zahl++;
            continue;
        }
        liste.push_back(zahl);
        ganz mal = (ganz)zahl * zahl;
        while (mal <= grenze) {
            weg[mal] = true;
            mal = mal + zahl;
        }
        zahl++;
    }
    return liste;
}

int main() {
    int grenze;
    scanf("%d", &grenze);
    std::vector<int> liste = sieb(grenze);
    ganz summe = 0;
    int paare = 0;
    unsigned i = 0;
    while (i < liste.size()) {
        summe = summe + liste[i];
        if (i > 0 && liste[i] - liste[i - 1] == 2) paare = paare + 1;
        i++;
    }
    printf("%d primes\n", (int)liste.size());
    printf("%d twins\n", paare);
    printf("sum %lld\n", summe);
}
