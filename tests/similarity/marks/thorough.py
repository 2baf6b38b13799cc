import sys


def sieger(daten):
    # everybody with the highest mark
    leute, hoch = [], 0
    for k in range(len(daten)):
        punkte = daten[k][1]
        if not punkte > hoch:
            if punkte == hoch:
                leute.append(daten[k][0])
        else:
            leute = [daten[k][0]]
            hoch = punkte
    leute.sort()
    return leute


def lade():
    anzahl = int(input())
    daten = []
    while anzahl > 0:
        teile = input().split()
        daten.append((teile[0], int(teile[1])))
        anzahl = anzahl - 1
    return daten


BREITE = 20
daten = lade()
summe = sum([punkte for wer, punkte in daten])
schnitt = summe / len(daten)
sys.stdout.write(f"average {round(schnitt, 2)}\n")
sys.stdout.write("best " + " ".join(sieger(daten)) + "\n")
felder = [0 for x in range(5)]
for wer, punkte in daten:
    fach = punkte // BREITE if punkte // BREITE < 4 else 4
    felder[fach] = felder[fach] + 1
fach = 0
while fach < len(felder):
    sys.stdout.write(f"{fach * BREITE} {'#' * felder[fach]}\n")
    fach = fach + 1
sys.stdout.write(f"{len([1 for wer, punkte in daten if punkte >= schnitt])} above average\n")
