# The checker computes without end.
# limits: time=5
# validation: time=0.5
# expect: JE
# then: nothing
# reason: exceeded its own limits
print("ok")
