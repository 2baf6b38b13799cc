n = int(input())
students = {}
for _ in range(n):
    line = input().split()
    students[line[0]] = int(line[1])
mean = sum(students.values()) / n
print("average", round(mean, 2))
top = max(students.values())
print("best", *sorted(s for s in students if students[s] == top))
counts = {}
for m in students.values():
    k = 4 if m == 100 else m // 20
    counts[k] = counts.get(k, 0) + 1
for k in range(5):
    print(k * 20, "#" * counts.get(k, 0))
print(sum(1 for m in students.values() if m >= mean), "above average")
