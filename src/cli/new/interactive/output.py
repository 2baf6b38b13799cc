# talk INPUT ANSWER FEEDBACK_DIR: talks to the submission by standard input and output; exits with 42 when it is right and
# with 43 when it is not.
import pathlib
import sys

GUESSES = 10

n = int(pathlib.Path(sys.argv[1]).read_text())


def reject(message):
    (pathlib.Path(sys.argv[3]) / "judgemessage.txt").write_text(message + "\n")
    sys.exit(43)


for number in range(GUESSES):
    # The submission may write anything: a program that crashes here would be a judge error.
    line = sys.stdin.buffer.readline(100).strip()
    if not line.isdigit():
        reject(f"guess {number + 1} is not an integer")
    guess = int(line)
    said = "correct" if guess == n else "lower" if n < guess else "higher"
    try:
        print(said, flush=True)
    except BrokenPipeError:
        reject("the submission has ended without listening")
    if guess == n:
        sys.exit(42)
reject(f"{GUESSES} guesses were not enough")
