import sys
sys.setrecursionlimit(100000)
h, w = map(int, input().split())
g = [input() for _ in range(h)]
seen = set()


def dfs(y, x):
    if y < 0 or x < 0 or y >= h or x >= w:
        return 0
    if g[y][x] != "#" or (y, x) in seen:
        return 0
    seen.add((y, x))
    return 1 + dfs(y + 1, x) + dfs(y - 1, x) + dfs(y, x + 1) + dfs(y, x - 1)


areas = []
for y in range(h):
    for x in range(w):
        a = dfs(y, x)
        if a > 0:
            areas.append(a)
print("islands:", len(areas))
print("largest:", max(areas, default=0))
