# Starts the grader of a problem, which imports the solution as one of some modules, whatever its file is called.
import importlib.machinery
import importlib.util
import os
import runpy
import sys

GRADER = "@GRADER@"
# The files of the problem, which are not the solution.
FILES = """@FILES@""".split("\n")
# The names of the modules by which it is imported.
MODULES = """@MODULES@""".split("\n")

HERE = os.path.dirname(os.path.abspath(__file__))


def solution():
    others = [name for name in sorted(os.listdir(HERE)) if name.endswith((".py", ".py3")) and name not in FILES]
    if "solution.py" in others:
        return os.path.join(HERE, "solution.py")
    if len(others) == 1:
        return os.path.join(HERE, others[0])
    sys.exit("several files: the solution is none of them; name it solution.py" if others else "there is no solution")


class Finder:
    path = solution()

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in MODULES:
            return None
        loader = importlib.machinery.SourceFileLoader(name, cls.path)
        return importlib.util.spec_from_file_location(name, cls.path, loader=loader)


sys.meta_path.insert(0, Finder)
runpy.run_path(os.path.join(HERE, GRADER), run_name="__main__")
