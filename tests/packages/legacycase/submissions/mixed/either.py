# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR
line = input()
assert "  " not in line
print(line.upper())
