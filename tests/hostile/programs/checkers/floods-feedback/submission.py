# The checker writes more than anybody reads where its message is looked for, and more files than there may be.
# only: root user users
# limits: time=5
# validation: time=20
# expect: JE or WA
print("ok")
