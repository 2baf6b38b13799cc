print(-abs(int(input())))
