# validate INPUT ANSWER FEEDBACK_DIR < OUTPUT: exits with 42 when the output is right and with 43 when it is not.
import pathlib
import sys

n = int(pathlib.Path(sys.argv[1]).read_text())


# Secret data must not appear in the words for the team.
def reject(for_judges, for_team):
    feedback = pathlib.Path(sys.argv[3])
    (feedback / "judgemessage.txt").write_text(for_judges + "\n")
    (feedback / "teammessage.txt").write_text(for_team + "\n")
    sys.exit(43)


# The output may be anything: a program that crashes here would be a judge error.
words = sys.stdin.buffer.read(1000).split()
if len(words) != 2 or not all(word.isdigit() and len(word) <= 9 for word in words):
    reject("expected two positive integers", "Print two positive integers.")
a, b = map(int, words)
if a < 1 or b < 1:
    reject(f"{a} and {b} are not both positive", "Both integers must be positive.")
if a + b != n:
    reject(f"{a} + {b} is not {n}", "The sum of your integers is not n.")
sys.exit(42)
