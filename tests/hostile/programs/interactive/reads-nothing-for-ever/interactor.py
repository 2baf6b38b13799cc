import sys
for _ in range(100):
    sys.stdout.write("x" * 99999 + "\n")
sys.stdout.flush()
sys.exit(42 if sys.stdin.readline() == "answer\n" else 43)
