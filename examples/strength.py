#!/usr/bin/env python3
"""How often `grader strength` names a gap in the test cases of a problem, and closes it.

    examples/strength.py [--grader PROGRAM] [--seeds N] [--mutants N] [--seconds N] [--inputs N]
                         [--remove SHARE] [--place DIR] [--verbose] [PROBLEM…]

For each problem of this repository: every case is run on every mutant first. Then a share of the secret cases, a third unless
stated, is taken away at random, once for each seed, and with them the lines of generators.yaml that make them. The mutants that
only the removed cases kill are the gap. Where there is one, `grader strength --add` runs on what is left: of the mutants in the
gap, some are named as survivors, and some die of the inputs that grader finds and adds.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def strength(arguments, place, problem, *more):
    words = [arguments.grader, "strength", problem, "--format", "json", "--mutants", str(arguments.mutants), *more]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)[0]["result"]


def name(mutant):
    return mutant["submission"], mutant["file"], mutant["line"], mutant["operator"], mutant["after"]


def killers(arguments, place, problem):
    """Each mutant that a case kills, with the names of all cases that kill it, or did not run on it."""
    result = strength(arguments, place, problem, "--all-tests", "--inputs", "1", "--seconds", "3600s")
    cases = [case["case"] for case in result["cases"]]
    dead = [mutant for mutant in result["mutants"] if mutant["fate"] == "killed"]
    return {name(mutant): {cases[case] for case in mutant["by"] + mutant.get("not_run", [])} for mutant in dead}


def without(recipes, removed):
    """The text of generators.yaml without the secret cases of these numbers. Each is an item at this indentation."""
    kept, number, is_secret, is_kept = [], 0, False, True
    for line in recipes.splitlines(keepends=True):
        if line.startswith("  ") and line[2] not in " #":
            is_secret, is_kept = line.strip() == "secret:", True
        elif is_secret and line.startswith("      - "):
            number += 1
            is_kept = number not in removed
        elif is_secret and line.startswith("      #"):
            is_kept = True
        if is_kept:
            kept.append(line)
    return "".join(kept)


def trial(arguments, place, problem, killers, seed):
    """The number of mutants in the gap, of those that are named, and of those that the added cases kill."""
    secret = place / "testcases" / problem / "secret"
    recipes = place / "problems" / problem / "generators" / "generators.yaml"
    stems = sorted(path.stem for path in secret.glob("*.in"))
    removed = random.Random(f"{problem} {seed}").sample(stems, round(len(stems) * arguments.remove))
    lost = {f"secret/{stem}" for stem in removed}
    gap = {mutant for mutant, cases in killers.items() if cases <= lost}
    if not gap:
        return 0, 0, 0
    kept = {path: path.read_bytes() for path in [recipes, *secret.iterdir()] if path.is_file()}
    recipes.write_text(without(recipes.read_text(), {int(stem.split("-")[0]) for stem in removed}))
    for path in kept:
        if path.parent == secret and path.name.split(".")[0] in removed:
            path.unlink()
    effort = ["--inputs", str(arguments.inputs), "--seconds", f"{arguments.seconds}s"]
    result = strength(arguments, place, problem, "--add", *effort)
    mutants = result["mutants"]
    named = {name(mutant) for mutant in mutants if mutant["fate"] == "survived"} & gap
    closed = {name(mutant) for mutant in mutants if mutant.get("input")} & gap
    shutil.rmtree(secret)
    secret.mkdir()
    for path, content in kept.items():
        path.write_bytes(content)
    if arguments.verbose:
        shown(seed, result, gap)
    return len(gap), len(named), len(closed)


def shown(seed, result, gap):
    """Prints what became of each mutant in the gap."""
    print(f"  seed {seed}: {result['seconds']:.0f} s, {len(result['mutants'])} mutants tried", flush=True)
    found = {name(mutant): mutant for mutant in result["mutants"]}
    for mutant in sorted(gap):
        of, _, line, operator, after = mutant
        fate = found.get(mutant, {"fate": "not tried"})
        by = fate.get("input") or {}
        words = [fate["fate"], f"{fate['inputs']} inputs" if "inputs" in fate else "", by.get("from", "")]
        print(f"    {of}:{line} {operator}: {after.strip()} → {' · '.join(filter(None, words))}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--grader", default="grader")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--remove", type=float, default=1 / 3)
    parser.add_argument("--place", type=Path, help="work in this directory, and go on there next time")
    parser.add_argument("--verbose", action="store_true", help="print what became of each mutant in the gaps")
    arguments = parser.parse_args()
    problems = arguments.problems or sorted(path.name for path in (ROOT / "problems").iterdir())
    total = [0, 0, 0, 0, 0]
    print(f"{'problem':28}{'trials':>8}{'with a gap':>12}{'mutants in it':>15}{'named':>8}{'closed':>8}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        place = arguments.place or Path(scratch)
        for part in ["problems", "testcases"]:
            shutil.rmtree(place / part, ignore_errors=True)
            shutil.copytree(ROOT / part, place / part)
        shutil.copy(ROOT / "grader.toml", place)
        for problem in problems:
            known = killers(arguments, place, problem)
            found = [trial(arguments, place, problem, known, seed) for seed in range(arguments.seeds)]
            row = [len(found), sum(gap > 0 for gap, _, _ in found), *map(sum, zip(*found))]
            total = [before + more for before, more in zip(total, row)]
            print(f"{problem:28}{row[0]:>8}{row[1]:>12}{row[2]:>15}{row[3]:>8}{row[4]:>8}", flush=True)
    print(f"{'all':28}{total[0]:>8}{total[1]:>12}{total[2]:>15}{total[3]:>8}{total[4]:>8}")


if __name__ == "__main__":
    main()
