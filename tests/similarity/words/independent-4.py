import sys

content = sys.stdin.read().lower()
for ch in ".,;:!?-'\"()\n0123456789":
    content = content.replace(ch, " ")
words = content.split()
count = {}
for word in words:
    if word in count:
        count[word] = count[word] + 1
    else:
        count[word] = 1
items = list(count.items())
items.sort(key=lambda x: (-x[1], x[0]))
for item in items[:3]:
    print(item[0], item[1])
print("different", len(items))
long = ""
for word in words:
    if len(word) > len(long):
        long = word
print("longest", long)
