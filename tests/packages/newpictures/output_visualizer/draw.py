"""Draws an output as a row of pixels, once for the judges and once larger for the team:
`draw.py INPUT ANSWER FEEDBACK [SCALE] < OUTPUT`. The exit status means nothing."""

import struct
import sys
import zlib
from pathlib import Path


def png(row, scale):
    line = b"\0" + b"".join(bytes([min(25 * number, 255)]) * scale for number in row)

    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", len(row) * scale, scale, 8, 0, 0, 0, 0)
    pixels = zlib.compress(line * scale)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


row = [int(word) for word in sys.stdin.read().split() if word.isdigit()] or [0]
scale = int(sys.argv[4]) if len(sys.argv) > 4 else 1
feedback = Path(sys.argv[3])
(feedback / "judgeimage-1.png").write_bytes(png(row, scale))
(feedback / "judgeimage-2.png").write_bytes(png(sorted(row), scale))
(feedback / "teamimage.png").write_bytes(png(row, 4 * scale))
(feedback / "notes.txt").write_text("no picture\n")
sys.exit(7)
