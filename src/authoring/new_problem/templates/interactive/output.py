# talk INPUT ANSWER FEEDBACK_DIR: talks to the submission by standard input and output; exits with 42 when it is right and
# with 43 when it is not.
import pathlib
import sys

GUESSES = 10

n = int(pathlib.Path(sys.argv[1]).read_text())


# Secret data must not appear in the words for the team.
def reject(for_judges, for_team):
    feedback = pathlib.Path(sys.argv[3])
    (feedback / "judgemessage.txt").write_text(for_judges + "\n")
    (feedback / "teammessage.txt").write_text(for_team + "\n")
    sys.exit(43)


for number in range(GUESSES):
    # The submission may write anything: a program that crashes here would be a judge error.
    line = sys.stdin.buffer.readline(100).strip()
    if not line.isdigit():
        reject(f"guess {number + 1} is not an integer", "Each guess must be one integer on a line of its own.")
    guess = int(line)
    said = "correct" if guess == n else "lower" if n < guess else "higher"
    try:
        print(said, flush=True)
    except BrokenPipeError:
        reject("the submission has ended without listening", "Your program ended before it read the reply.")
    if guess == n:
        sys.exit(42)
reject(f"{GUESSES} guesses were not enough", f"Your program needs more than {GUESSES} guesses.")
