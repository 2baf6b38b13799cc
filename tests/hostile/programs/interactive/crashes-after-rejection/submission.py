# The interactor rejects and leaves; the submission then crashes at the end of its input. The rejection came first.
# limits: time=5
# repeat: 10
# expect: WA
print("one", flush=True)
input()
