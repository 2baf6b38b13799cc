import sys

data = sys.stdin.read()
data = data.lower()
start = None
found = {}
for position, letter in enumerate(data + " "):
    is_letter = "a" <= letter <= "z"
    if is_letter and start is None:
        start = position
    elif not is_letter and start is not None:
        w = data[start:position]
        found[w] = found.get(w, 0) + 1
        start = None

keys = list(found.keys())
keys.sort()
keys.sort(key=lambda k: found[k], reverse=True)
i = 0
while i < 3 and i < len(keys):
    print(keys[i], found[keys[i]])
    i += 1
print("different", len(found))
length = max(len(k) for k in found)
print("longest", [k for k in found if len(k) == length][0])
