def average(data):
    s = 0
    for name, v in data:
        s = s + v
    return s / len(data)


def histogram(data):
    bars = [0] * 5
    for name, v in data:
        b = min(v // 20, 4)
        bars[b] = bars[b] + 1
    return bars


def read_marks():
    count = int(input())
    data = []
    for i in range(count):
        name, v = input().split()
        data.append((name, int(v)))
    return data


def best_students(data):
    winners = []
    best = 0
    for name, v in data:
        if v > best:
            best = v
            winners = [name]
        elif v == best:
            winners.append(name)
    return sorted(winners)


def main():
    data = read_marks()
    # the avg of all
    avg = average(data)
    print("average", round(avg, 2))
    print("best", " ".join(best_students(data)))
    for b, size in enumerate(histogram(data)):
        print(b * 20, "#" * size)
    above = 0
    for name, v in data:
        if v >= avg:
            above += 1
    print(f"{above} above average")


main()
