# Executes the interpreter again without assertions.
import os, sys
if not sys.flags.optimize:
    os.execv(sys.executable, [sys.executable, '-O', sys.argv[0]])
def f(n): return 0
