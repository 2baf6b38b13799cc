# Prints what makes the checker overflow a buffer of its own: the checker's fault, never a verdict.
# limits: time=5
# expect: JE
# reason: crashed with
print("x" * 100000)
