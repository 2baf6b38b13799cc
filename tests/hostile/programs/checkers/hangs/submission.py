# The checker waits for something that never comes.
# limits: time=5
# validation: time=1
# expect: JE
# then: nothing
# reason: exceeded its own limits
print("ok")
