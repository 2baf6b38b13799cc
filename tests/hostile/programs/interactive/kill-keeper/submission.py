# Kills the keeper of its side, where it can.
# limits: time=0.3
# expect: TLE
# reason: slept
# expect(none): JE
# reason(none): lost the keeper process
import os, signal, time
try:
    os.kill(os.getppid(), signal.SIGKILL)
except PermissionError:
    pass
time.sleep(600)
