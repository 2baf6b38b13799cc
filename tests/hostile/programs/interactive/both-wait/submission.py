# Both sides wait for the other to speak.
# limits: time=0.3
# expect: TLE
# reason: slept
input()
