def main():
    n = int(input())
    names = []
    points = []
    for i in range(n):
        a, b = input().split()
        names.append(a)
        points.append(int(b))
    total = 0
    for p in points:
        total += p
    avg = total / n
    print("average", round(avg, 2))
    highest = max(points)
    winners = []
    for i in range(n):
        if points[i] == highest:
            winners.append(names[i])
    winners.sort()
    print("best", " ".join(winners))
    a = b = c = d = e = 0
    for p in points:
        if p < 20:
            a += 1
        elif p < 40:
            b += 1
        elif p < 60:
            c += 1
        elif p < 80:
            d += 1
        else:
            e += 1
    print(0, "#" * a)
    print(20, "#" * b)
    print(40, "#" * c)
    print(60, "#" * d)
    print(80, "#" * e)
    count = 0
    for p in points:
        if p >= avg:
            count += 1
    print(count, "above average")


main()
