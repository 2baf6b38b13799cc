# Judges a solution in Python by assertions, as an interactor: evaluator.py TEST ANSWER FEEDBACK. The test runs here,
# unchanged. The functions of the solution are stand-ins, which send their arguments to the solution's process and get
# values back. So neither the test nor what it expects comes near the solution. A test that needs more than calls is sent
# to the solution's process and runs there; whether it does follows from the test alone.
#
# With --where, it reads a JSON list of tests, and writes for each whether it is taken apart.
import ast
import builtins
import os
import symtable
import sys

MODULES = set(
    "bisect cmath collections copy datetime decimal fractions functools heapq itertools json math numbers operator random"
    " re statistics string textwrap typing".split()
)
# Functions that look at the process or the names around them.
INWARD = set("breakpoint compile delattr eval exec globals input locals open setattr vars __import__".split())
# Functions that call what they get.
CALLERS = {"map", "filter", "callable"}


def attributes_of_values():
    import random, re

    kinds = [*EXACT, bool, type(None), type(iter("")), random.Random, re.Pattern, re.Match]
    return {name for kind in kinds for name in dir(kind) if not name.startswith("_")}


class Empty(Exception):
    """The test judges nothing. Says why."""


class Inside(Exception):
    """The test has to run in the solution's process. Says why."""


class Test:
    """A test that can be taken apart. Otherwise Inside is raised."""

    def __init__(self, text):
        self.text = without_stubs(text)
        try:
            self.tree = ast.parse(self.text, "test")
            table = symtable.symtable(self.text, "test", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Inside(f"it cannot be read: {error}") from None
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.bound, used = names_of(table)
        self.free = used - self.bound - set(dir(builtins)) - set(usual_names())
        if not self.free:
            raise Inside("it calls nothing of the solution")
        # Functions whose results are used as objects, and the names of these objects.
        self.makers, self.objects = set(), set()
        for node in ast.walk(self.tree):
            self.check(node)
        self.find_objects()
        for node in ast.walk(self.tree):
            self.check_use(node)

    def check(self, node):
        imported = {ast.Import: lambda: [alias.name for alias in node.names], ast.ImportFrom: lambda: [node.module]}
        for module in imported.get(type(node), list)():
            if (module or "").split(".")[0] not in MODULES or getattr(node, "level", 0):
                raise Inside(f"it imports {module}")
        if isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef, ast.Await)):
            raise Inside("it defines a class, or waits")
        if isinstance(node, ast.Name) and node.id in INWARD and node.id not in self.bound:
            raise Inside(f"it uses {node.id}")
        if isinstance(node, ast.Attribute) and (node.attr.startswith("_") or node.attr == "seed"):
            raise Inside(f"it uses {node.attr}")

    def find_objects(self):
        """Finds what is used as an object: its attributes are no attributes of plain values."""
        made = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and self.is_call_of_solution(node.value):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        made.setdefault(target.id, set()).add(node.value.func.id)
        plain, modules = attributes_of_values(), set(usual_names()) | self.imported()
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Attribute):
                continue
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            name = root.id if isinstance(root, ast.Name) else None
            if name in modules or isinstance(node.ctx, ast.Load) and node.attr in plain:
                continue
            makers = {root.func.id} if self.is_call_of_solution(root) else made.get(name)
            if not makers:
                raise Inside(f"it uses the attribute {node.attr}")
            self.makers |= makers
        self.objects = {name for name, makers in made.items() if makers & self.makers}

    def imported(self):
        imports = [node for node in ast.walk(self.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}

    def is_call_of_solution(self, node):
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.free

    def check_use(self, node):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.free:
            parent = self.parents[node]
            is_called = isinstance(parent, ast.Call) and parent.func is node
            if not is_called and not self.is_handed_on(node):
                raise Inside(f"it uses {node.id} other than by calling it")
        is_object = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.objects
        is_object |= self.is_call_of_solution(node) and node.func.id in self.makers
        if is_object and not isinstance(self.parents[node], (ast.Attribute, ast.Expr)) and not self.is_handed_on(node):
            raise Inside("it uses an object of the solution other than by its attributes")

    def is_handed_on(self, node):
        """Whether it goes on to a variable, a list, or a function that is not built in."""
        parent = self.parents[node]
        if isinstance(parent, ast.Call):
            name = parent.func.id if isinstance(parent.func, ast.Name) else None
            built_in = hasattr(builtins, name or "") and name not in self.bound | CALLERS
            return node is not parent.func and not built_in
        return isinstance(parent, (ast.Assign, ast.Return, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.keyword))


def refuse_empty(text):
    """Refuses a test that runs nothing of its own, so that every solution would pass it."""
    try:
        tree = ast.parse(text, "test")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    bases = [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    if any("TestCase" in (getattr(base, "id", None), getattr(base, "attr", None)) for base in bases):
        raise Empty("the test defines a TestCase of unittest, whose failures raise nothing here: write assertions")

    def defines(node):
        is_constant = isinstance(node, (ast.Assign, ast.Expr)) and isinstance(node.value, ast.Constant)
        return is_constant or isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass))

    if all(defines(node) for node in tree.body):
        raise Empty("the test only defines things, so that every program would pass it: call its test functions")


def without_stubs(text):
    """The test without functions that have only a docstring or `...`: these are what the solution has to define."""

    def is_stub(node):
        body = node.body if isinstance(node, ast.FunctionDef) else [None, None]
        only = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
        return isinstance(only, ast.Constant) and (only.value is ... or isinstance(only.value, str))

    try:
        stubs = [node for node in ast.parse(text).body if is_stub(node)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    lines = text.split("\n")
    for node in stubs:
        for number in range(min([node.lineno, *(line.lineno for line in node.decorator_list)]), node.end_lineno + 1):
            lines[number - 1] = ""
    return "\n".join(lines)


def names_of(table, top=True):
    """The names that a program binds at its top, and those that it uses there or in its functions."""
    bound, used = set(), set()
    for symbol in table.get_symbols():
        if top or symbol.is_global():
            (bound if symbol.is_assigned() or symbol.is_imported() else used).add(symbol.get_name())
    for inner in table.get_children():
        more = names_of(inner, False)
        bound, used = bound | more[0], used | more[1]
    return bound, used


class Thing:
    """Stands for a function or an object of the solution. Nothing about it is equal to anything else. What can be read
    of it comes from the solution's process. Attributes are there if the test uses it as an object (`is_full`)."""

    __slots__ = ("_process", "_target", "_is_full", "_makes_objects")

    def __init__(self, process, target, is_full, makes_objects=False):
        for name, value in zip(Thing.__slots__, (process, target, is_full, makes_objects)):
            object.__setattr__(self, name, value)

    def __call__(self, *arguments, **named):
        process, given = self._process, [list(arguments), named]
        written = process.encode(given)
        value, left = process.ask("call", self._target, self._makes_objects, written)
        process.last = (self._target, arguments, named, value)
        if left is not None:
            restore(given, left)
        return value

    def __getattr__(self, name):
        if not self._is_full or name.startswith("_"):
            raise AttributeError(f"an object of the solution has no attribute {name!r}")
        return self._process.ask("get", self._target, name)[0]

    def __setattr__(self, name, value):
        if not self._is_full:
            raise AttributeError(name)
        self._process.ask("set", self._target, name, self._process.encode(value))

    def __iter__(self):
        return self

    def __next__(self):
        return self._process.ask("next", self._target)[0]

    def __eq__(self, other):
        return isinstance(other, Thing) and self._target == other._target

    def __hash__(self):
        return hash(json.dumps(self._target))

    def __repr__(self):
        return self._target.get("name") or "an object of the solution"


def why(error, test, process):
    """What failed in the test, in one line."""
    at, trace = None, error.__traceback__
    while trace:
        at = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "test" else at
        trace = trace.tb_next
    lines = test.text.split("\n")
    place = lines[at - 1].strip()[:SHOWN] if at and at <= len(lines) else "the test"
    words = f"{place} failed" if isinstance(error, AssertionError) else f"{place}: {type(error).__name__}: {error}"
    if process.last:
        target, arguments, named, value = process.last
        given = [shown(item) for item in arguments] + [f"{name}={shown(item)}" for name, item in named.items()]
        words += f"; {target.get('name', 'a method')}({', '.join(given)}) returned {shown(value)}"
    return words.replace("\n", " ")


def run_here(test, process):
    """Runs the test. Returns why it failed; none if all assertions hold."""
    # A test is a program: `if __name__ == "__main__"` holds.
    names = {**usual_names(), "__name__": "__main__"}
    names.update((name, Thing(process, {"name": name}, False, name in test.makers)) for name in test.free)
    try:
        exec(compile(test.tree, "test", "exec"), names)
    except (Wrong, NotPlain):
        raise
    except BaseException as error:
        if process.failure:
            raise process.failure from None
        if getattr(error, "is_of_solution", False):
            process.say("raise")
            process.wait()
        return why(error, test, process)
    if process.failure:
        raise process.failure
    return None


def run_inside(text, process):
    """Lets the solution's process run the test. Returns why it failed."""
    word, process.failure = os.urandom(16).hex(), None
    # A line of its own: grader looks for it.
    process.say({"judged_by": "assertions"})
    process.say({"assertions": without_stubs(text), "word": word})
    try:
        return None if process.answer() == word else "the program wrote something else than the word"
    except Wrong as wrong:
        process.wait()
        return str(wrong)


def judged(text):
    """Why the solution is wrong; none if it is right."""
    refuse_empty(text)
    process = Process()
    try:
        try:
            return run_here(Test(text), process)
        except (Inside, NotPlain):
            return run_inside(text, process)
    except Wrong as wrong:
        return str(wrong)


def is_taken_apart(text):
    try:
        Test(text)
        return True
    except Inside:
        return False


def limited():
    """Judges within limits, in a process that may be killed."""
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        words = judged(text)
    except Empty as empty:
        print(empty, file=sys.stderr)
        return FAULT
    return ACCEPT if words is None else reject(words)


def main():
    if sys.argv[1:] == ["--where"]:
        print(json.dumps([is_taken_apart(text) for text in json.load(sys.stdin)]))
        return 0
    return in_a_child(limited)


if __name__ == "__main__":
    sys.exit(main())
