# Leaves a process behind that holds its streams open.
# limits: time=5
# expect: AC
import os, time
print("one", flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
