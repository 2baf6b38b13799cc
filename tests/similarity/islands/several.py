def around(field, r, c):
    res = []
    for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
        nc = dc + c
        nr = dr + r
        if 0 <= nr < len(field) and 0 <= nc < len(field[0]):
            res.append((nr, nc))
    return res


def read_grid():
    rows, columns = map(int, input().split())
    field = []
    for r in range(rows):
        field.append(list(input().strip()))
    return field


def fill(field, r, c):
    area = 0
    todo = [(r, c)]
    field[r][c] = "."
    while todo:
        r, c = todo.pop()
        area = area + 1
        for nr, nc in around(field, r, c):
            if field[nr][nc] == "#":
                field[nr][nc] = "."
                todo.append((nr, nc))
    return area


def main():
    field = read_grid()
    sizes = []
    for r in range(len(field)):
        for c in range(len(field[0])):
            if field[r][c] == "#":
                sizes.append(fill(field, r, c))
    if not sizes:
        largest = 0
    else:
        largest = max(sizes)
    print(f"islands: {len(sizes)}")
    print("largest:", largest)


main()
