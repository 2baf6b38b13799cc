# The checker prints a gigabyte.
# limits: time=5
# validation: time=20
# expect: JE
# reason: exceeded its own limits
print("ok")
