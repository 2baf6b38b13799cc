def read_grid():
    rows, columns = map(int, input().split())
    grid = []
    while len(grid) < rows:
        grid.append(list(input().strip()))
    return grid


def neighbours(grid, r, c):
    found = []
    for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
        nr = r + dr
        nc = c + dc
        if 0 <= nr < len(grid) and 0 <= nc < len(grid[0]):
            found.append((nr, nc))
    return found


def fill(grid, r, c):
    size = 0
    stack = [(r, c)]
    grid[r][c] = "."
    while stack:
        r, c = stack.pop()
        size += 1
        for nr, nc in neighbours(grid, r, c):
            if grid[nr][nc] == "#":
                grid[nr][nc] = "."
                stack.append((nr, nc))
    return size


def main():
    grid = read_grid()
    sizes = []
    r = 0
    while r < len(grid):
        c = 0
        while c < len(grid[0]):
            if grid[r][c] == "#":
                sizes.append(fill(grid, r, c))
            c += 1
        r += 1
    if sizes:
        largest = max(sizes)
    else:
        largest = 0
    print("islands:", len(sizes))
    print("largest:", largest)


main()
