# The submission is killed in the middle of the conversation.
# limits: time=5
# expect: RTE
# reason: SIGKILL (not sent by the grader)
import os, signal
print("one", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
