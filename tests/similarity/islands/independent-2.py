class Union:
    def __init__(self, n):
        self.parent = list(range(n))
        self.count = [1] * n

    def find(self, a):
        while self.parent[a] != a:
            self.parent[a] = self.parent[self.parent[a]]
            a = self.parent[a]
        return a

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[a] = b
            self.count[b] += self.count[a]


rows, cols = [int(x) for x in input().split()]
lines = [input().strip() for i in range(rows)]
u = Union(rows * cols)
for i in range(rows):
    for j in range(cols):
        if lines[i][j] == "#":
            if i > 0 and lines[i - 1][j] == "#":
                u.join(i * cols + j, (i - 1) * cols + j)
            if j > 0 and lines[i][j - 1] == "#":
                u.join(i * cols + j, i * cols + j - 1)
roots = set()
for i in range(rows):
    for j in range(cols):
        if lines[i][j] == "#":
            roots.add(u.find(i * cols + j))
print("islands:", len(roots))
print("largest:", max([u.count[r] for r in roots] + [0]))
