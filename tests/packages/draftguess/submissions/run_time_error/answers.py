print(50, flush=True)
if input() != "correct":
    raise SystemExit(3)
