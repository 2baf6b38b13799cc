x = float(input())
root = x
for _ in range(3):
    root = (root + x / root) / 2 if root else 0
print(root)
