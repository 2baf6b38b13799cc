# The interactor crashes: no fault of the submission.
# limits: time=5
# expect: JE
# reason: SIGSEGV
print("one", flush=True)
input()
