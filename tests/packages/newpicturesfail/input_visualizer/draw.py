"""Fails in a different way on each case: `draw.py INPUT ANSWER [COLOUR]`."""

import os
import signal
import sys
from pathlib import Path

numbers = Path(sys.argv[1]).read_text().split()
if numbers[0] == "3":
    # The colour is missing: an exception.
    Path("testcase.svg").write_text(sys.argv[3])
elif numbers[0] == "9":
    # The picture is there, but the program does not end well.
    Path("testcase.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    os.kill(os.getpid(), signal.SIGSEGV)
else:
    Path("testcase.png").write_text("not a picture")
