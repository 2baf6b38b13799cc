# @EXPECTED_SCORE@: 3
print(input())
