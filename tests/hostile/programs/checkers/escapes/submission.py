# The checker repeats what it was given, escape sequences and all, and then breaks the rules.
# limits: time=5
# expect: JE
# reason: exit code 1
print("\x1b[31m\x1b]0;title\x07\x9b2J\u202e")
