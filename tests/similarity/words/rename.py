import sys

t = sys.stdin.read().lower()
abc = "abcdefghijklmnopqrstuvwxyz"
all_of_them = []
current = ""
for ch in t:
    if ch in abc:
        current += ch
    else:
        if current != "":
            all_of_them.append(current)
        current = ""
if current != "":
    all_of_them.append(current)

how_often = {}
for entry in all_of_them:
    if entry in how_often:
        how_often[entry] += 1
    else:
        how_often[entry] = 1

biggest = ""
for entry in how_often:
    if len(entry) > len(biggest):
        biggest = entry

order = sorted(how_often, key=lambda entry: (-how_often[entry], entry))
for entry in order[:3]:
    print(entry, how_often[entry])
print("different", len(how_often))
print("longest", biggest)
