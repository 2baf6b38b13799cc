# @EXPECTED_RESULTS@: WRONG-ANSWER
print(input().split()[1])
