def lade():
    anzahl = int(input())
    liste = []
    for i in range(anzahl):
        wer, punkte = input().split()
        liste.append((wer, int(punkte)))
    return liste


def schnitt(liste):
    summe = 0
    for wer, punkte in liste:
        summe += punkte
    return summe / len(liste)


def sieger(liste):
    hoch = 0
    leute = []
    for wer, punkte in liste:
        if punkte > hoch:
            hoch = punkte
            leute = [wer]
        elif punkte == hoch:
            leute.append(wer)
    return sorted(leute)


def balken(liste):
    felder = [0] * 5
    for wer, punkte in liste:
        fach = min(punkte // 20, 4)
        felder[fach] += 1
    return felder


def main():
    liste = lade()
    m = schnitt(liste)
    print("average", round(m, 2))
    print("best", " ".join(sieger(liste)))
    for fach, g in enumerate(balken(liste)):
        print(fach * 20, "#" * g)
    ueber = 0
    for wer, punkte in liste:
        if punkte >= m:
            ueber += 1
    print(ueber, "above average")


main()
