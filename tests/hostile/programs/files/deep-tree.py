# Leaves directories inside one another behind, deeper than a path may be long or descriptors may be open.
# In layer `users`, Landlock looks at all directories above each, which takes seconds.
# limits: time=30
# within: 120
# expect: AC
import os
if input() == "next":
    print("ok" if os.listdir(".") == [] else "not empty")
    raise SystemExit
for _ in range(10000):
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
print("ok")
