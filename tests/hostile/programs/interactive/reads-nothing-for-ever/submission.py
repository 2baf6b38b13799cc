# Reads nothing of ten million bytes and waits.
# limits: time=0.3
# validation: output=32
# expect: TLE
# reason: slept
import time
time.sleep(600)
