# Standard input is empty where the input is a file.
import sys

with open("sum.out", "w") as output:
    print(sum(map(int, sys.stdin.read().split())), file=output)
