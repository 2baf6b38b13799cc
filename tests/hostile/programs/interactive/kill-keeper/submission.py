# Kills the keeper of its side.
# limits: time=5
# expect: JE
# reason: lost the keeper process
import os, signal, time
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(600)
