def explore(world, i, j):
    todo = [(i, j)]
    count = 0
    while len(todo) > 0:
        i, j = todo.pop()
        if i < 0 or i >= len(world) or j < 0 or j >= len(world[i]):
            continue
        if world[i][j] == ".":
            continue
        world[i][j] = "."
        count += 1
        todo.append((i + 1, j))
        todo.append((i - 1, j))
        todo.append((i, j + 1))
        todo.append((i, j - 1))
    return count


n, m = map(int, input().split())
world = []
for i in range(n):
    world.append(list(input()))
number = 0
biggest = 0
for i in range(n):
    for j in range(m):
        if world[i][j] == "#":
            number += 1
            area = explore(world, i, j)
            if area > biggest:
                biggest = area
print("islands:", number)
print("largest:", biggest)
