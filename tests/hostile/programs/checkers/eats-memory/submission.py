# The checker keeps all of what it is given, many times over.
# limits: time=5
# validation: memory=128
# expect: JE
# reason: exceeded its own limits
print("ok" * 100000)
