def read_grid():
    rows, columns = map(int, input().split())
    grid = []
    for r in range(rows):
        grid.append(list(input().strip()))
    return grid


def fill(grid, r, c):
    size = 0
    stack = [(r, c)]
    grid[r][c] = "."
    while stack:
        r, c = stack.pop()
        size += 1
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr = r + dr
            nc = c + dc
            if 0 <= nr < len(grid) and 0 <= nc < len(grid[0]):
                if grid[nr][nc] == "#":
                    grid[nr][nc] = "."
                    stack.append((nr, nc))
    return size


def main():
    grid = read_grid()
    sizes = []
    for r in range(len(grid)):
        for c in range(len(grid[0])):
            if grid[r][c] == "#":
                sizes.append(fill(grid, r, c))
    if sizes:
        largest = max(sizes)
    else:
        largest = 0
    print("islands:", len(sizes))
    print("largest:", largest)


main()
