# @EXPECTED_RESULTS@: CORRECT
print(max(map(int, input().split())))
