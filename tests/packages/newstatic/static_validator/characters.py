"""No source of a submission may have one of the characters in the arguments."""

import sys
from pathlib import Path

ENDINGS = {
    "c": [".c", ".h"],
    "cpp": [".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hpp"],
    "java": [".java"],
    "python3": [".py"],
    "rust": [".rs"],
}


def main():
    language, entry_point, feedback = sys.argv[1:4]
    forbidden = sys.argv[4:]
    if language not in ENDINGS or not entry_point or not feedback.endswith("/"):
        sys.exit(f"called with {sys.argv[1:]}")
    sources = sorted(path for path in Path(".").rglob("*") if path.suffix in ENDINGS[language])
    if not sources:
        sys.exit("there is no source")
    for source in sources:
        for number, line in enumerate(source.read_text().splitlines(), 1):
            for character in forbidden:
                if character in line:
                    Path(feedback, "judgemessage.txt").write_text(f"{source}:{number}: {character}\n")
                    Path(feedback, "teammessage.txt").write_text(f"line {number} has a character that is forbidden\n")
                    sys.exit(43)
    sys.exit(42)


main()
