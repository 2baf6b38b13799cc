# The checker rejects and repeats what it was given, escape sequences and all.
# limits: time=5
# expect: WA
print("\x1b[31m\x1b]0;title\x07\x9b2J\u202e")
