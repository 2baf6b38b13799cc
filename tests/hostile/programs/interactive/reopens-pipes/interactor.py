import sys
sys.exit(42 if sys.stdin.read() == "yes\n" else 43)
