import sys
text = sys.stdin.read()
copies = [bytearray(text.encode() * (i % 2 + 1)) for i in range(10000)]
sys.exit(42)
