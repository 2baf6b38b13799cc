# Closes its input while the interactor writes ten million bytes.
# limits: time=5
# validation: output=32
# expect: AC
import os, time
os.close(0)
time.sleep(0.3)
os.write(1, b"answer\n")
