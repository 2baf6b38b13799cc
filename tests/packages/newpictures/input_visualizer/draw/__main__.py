"""Draws the numbers of a case as bars: `draw.py INPUT ANSWER [COLOUR]`."""

import sys
from pathlib import Path

from bars import svg

numbers = [int(word) for word in Path(sys.argv[1]).read_text().split()]
colour = sys.argv[3] if len(sys.argv) > 3 else "grey"
Path("testcase.svg").write_text(svg(numbers, colour))
