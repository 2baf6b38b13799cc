# @EXPECTED_SCORE@: 30
a, b, *rest = sorted(map(int, input().split()))
print(a, b)
