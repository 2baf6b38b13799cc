# Makes what is no file in every name that the grader may look for: pipes without a writer, links out, loops.
# limits: time=5
# expect: AC
import os
if input() == "next":
    print("ok" if os.listdir(".") == [] else f"found {os.listdir('.')}")
    raise SystemExit
for name in ["input", "answer", "feedback", "output", "stdout", "stderr", "program", "core", ".grader"]:
    os.mkfifo(name)
    os.symlink("/etc/passwd", name + ".link")
    os.symlink(name + ".loop", name + ".loop")
os.mkdir("closed", 0)
print("ok")
