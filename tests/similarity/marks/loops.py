def read_marks():
    count = int(input())
    marks = []
    i = 0
    while i < count:
        name, value = input().split()
        marks.append((name, int(value)))
        i += 1
    return marks


def average(marks):
    total = 0
    k = 0
    while k < len(marks):
        total += marks[k][1]
        k += 1
    return total / len(marks)


def best_students(marks):
    best = 0
    names = []
    for name, value in marks:
        if value > best:
            best = value
            names = [name]
        elif value == best:
            names.append(name)
    return sorted(names)


def histogram(marks):
    bars = [0] * 5
    for k in range(len(marks)):
        value = marks[k][1]
        slot = min(value // 20, 4)
        bars[slot] += 1
    return bars


def main():
    marks = read_marks()
    mean = average(marks)
    print("average", round(mean, 2))
    print("best", " ".join(best_students(marks)))
    for slot, size in enumerate(histogram(marks)):
        print(slot * 20, "#" * size)
    above = 0
    for name, value in marks:
        if value >= mean:
            above += 1
    print(above, "above average")


main()
