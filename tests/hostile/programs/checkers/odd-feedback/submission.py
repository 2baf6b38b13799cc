# The checker leaves a link, a pipe and a deep tree where its message is looked for.
# limits: time=5
# expect: AC
print("ok")
