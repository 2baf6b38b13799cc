import sys

ABC = "abcdefghijklmnopqrstuvwxyz"


def zerlegen(eingabe):
    liste, aktuell = [], ""
    for zeichen in eingabe:
        if zeichen not in ABC:
            if len(aktuell) > 0:
                liste.append(aktuell)
            aktuell = ""
        else:
            aktuell = aktuell + zeichen
    if len(aktuell) > 0:
        liste.append(aktuell)
    return liste


def main():
    haeufig = {}
    for eintrag in zerlegen(sys.stdin.read().lower()):
        haeufig[eintrag] = haeufig[eintrag] + 1 if eintrag in haeufig else 1
    ordnung = sorted(haeufig, key=lambda e: (-haeufig[e], e))
    i = 0
    while i < min(3, len(ordnung)):
        print(f"{ordnung[i]} {haeufig[ordnung[i]]}")
        i = i + 1
    laengstes = ""
    for eintrag in haeufig:
        laengstes = eintrag if len(eintrag) > len(laengstes) else laengstes
    print(f"different {len(haeufig)}")
    print(f"longest {laengstes}")


main()
