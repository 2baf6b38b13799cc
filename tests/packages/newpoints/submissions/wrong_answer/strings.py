print(*sorted(input().split()))
