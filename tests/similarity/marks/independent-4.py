def get_input():
    n = int(input())
    result = []
    for i in range(n):
        parts = input().split()
        result.append([parts[0], int(parts[1])])
    return result


def mean_of(results):
    s = 0
    for r in results:
        s += r[1]
    return s / len(results)


def winners(results):
    top = results[0][1]
    for r in results:
        if r[1] > top:
            top = r[1]
    found = []
    for r in results:
        if r[1] == top:
            found.append(r[0])
    found.sort()
    return found


results = get_input()
m = mean_of(results)
print("average", round(m, 2))
print("best", " ".join(winners(results)))
hist = [0, 0, 0, 0, 0]
for r in results:
    if r[1] == 100:
        hist[4] += 1
    else:
        hist[r[1] // 20] += 1
for i in range(5):
    print(i * 20, "#" * hist[i])
c = 0
for r in results:
    if r[1] >= m:
        c += 1
print(c, "above average")
