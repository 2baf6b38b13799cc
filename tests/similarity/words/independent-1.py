import re
import sys
from collections import Counter

counter = Counter(re.findall("[a-z]+", sys.stdin.read().lower()))
for word, n in sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:3]:
    print(word, n)
print("different", len(counter))
best = ""
for word in counter:
    if len(word) > len(best):
        best = word
print("longest", best)
