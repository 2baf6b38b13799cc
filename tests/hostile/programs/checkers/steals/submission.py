# The checker is somebody else's program too: it sees its copies of input and answer and nothing else of the user's.
# only: root user users weak
# limits: time=5
# expect: AC
print("ok")
