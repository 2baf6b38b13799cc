LAND, WASSER = "#", "."


def flut(karte, y, x):
    karte[y][x] = WASSER
    offen = [(y, x)]
    anzahl = 0
    while len(offen) > 0:
        oben = offen.pop()
        anzahl = anzahl + 1
        for dy, dx in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            ny, nx = oben[0] + dy, oben[1] + dx
            if not (0 <= ny < len(karte) and 0 <= nx < len(karte[0])):
                continue
            if karte[ny][nx] == LAND:
                karte[ny][nx] = WASSER
                offen.append((ny, nx))
    return anzahl


zeilen, spalten = [int(s) for s in input().split()]
karte = [list(input().strip()) for z in range(zeilen)]
inseln = []
y = 0
while y < len(karte):
    for x in range(len(karte[0])):
        if karte[y][x] == LAND:
            inseln.append(flut(karte, y, x))
    y = y + 1
print("islands: %d" % len(inseln))
print("largest: %d" % (max(inseln) if inseln else 0))
