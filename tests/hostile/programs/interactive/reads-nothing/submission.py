# Reads nothing of ten million bytes, gives its answer and ends.
# limits: time=5
# validation: output=32
# expect: AC
import time
time.sleep(0.3)
print("answer", flush=True)
