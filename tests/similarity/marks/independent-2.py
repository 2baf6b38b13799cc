import sys
from statistics import mean


class Student:
    def __init__(self, name, mark):
        self.name = name
        self.mark = mark


def parse(lines):
    result = []
    for line in lines:
        if line.strip():
            name, mark = line.split()
            result.append(Student(name, int(mark)))
    return result


def show_bars(students):
    for low in range(0, 100, 20):
        high = low + 20 if low < 80 else 101
        inside = [s for s in students if low <= s.mark < high]
        print(low, "#" * len(inside))


lines = sys.stdin.read().split("\n")
students = parse(lines[1:])
avg = mean(s.mark for s in students)
print("average", round(avg, 2))
students.sort(key=lambda s: (-s.mark, s.name))
best = []
for s in students:
    if s.mark < students[0].mark:
        break
    best.append(s.name)
print("best", " ".join(best))
show_bars(students)
print(len(list(filter(lambda s: s.mark >= avg, students))), "above average")
