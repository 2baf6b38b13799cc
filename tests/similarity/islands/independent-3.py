from collections import deque

n, m = map(int, input().split())
board = []
for i in range(n):
    board.append(input())
visited = [[False] * m for i in range(n)]
islands = 0
largest = 0
for i in range(n):
    for j in range(m):
        if board[i][j] == "#" and not visited[i][j]:
            islands += 1
            area = 0
            queue = deque()
            queue.append((i, j))
            visited[i][j] = True
            while len(queue) > 0:
                x, y = queue.popleft()
                area += 1
                for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if a >= 0 and a < n and b >= 0 and b < m:
                        if board[a][b] == "#" and not visited[a][b]:
                            visited[a][b] = True
                            queue.append((a, b))
            largest = max(largest, area)
print("islands:", islands)
print("largest:", largest)
