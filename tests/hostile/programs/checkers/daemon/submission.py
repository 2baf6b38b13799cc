# The checker leaves a daemon behind that holds its streams and its files.
# limits: time=5
# expect: AC
print("ok")
