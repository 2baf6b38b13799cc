# Says one thing, closes its output and ends, where two were wanted.
# expect: WA
print("one", flush=True)
