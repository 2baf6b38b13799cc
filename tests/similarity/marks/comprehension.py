def read_marks():
    count = int(input())
    marks = []
    for i in range(count):
        name, value = input().split()
        marks.append((name, int(value)))
    return marks


def average(marks):
    return sum(value for name, value in marks) / len(marks)


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
    for name, value in marks:
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
    above = len([value for name, value in marks if value >= mean])
    print(above, "above average")


main()
