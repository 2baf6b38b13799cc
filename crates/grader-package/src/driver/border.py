# What judges a solution in Python from another process: it sends the solution's process what to do, and gets values back.
# The programs that include this define `Thing`, which stands for what stays there.
import builtins
import io
import os
import resource
import sys

ACCEPT, REJECT, FAULT = 42, 43, 1
# What the test may use, on top of what it waits: seconds of processor time, and bytes.
SECONDS, MEMORY = 10, 3 << 29
# What is shown of a text.
SHOWN = 200
ENDED = "the program ended before the last assertion"
ODD = "the program wrote something else than a value"


class Wrong(BaseException):
    """The solution said something that is no answer, or nothing."""


class NotPlain(BaseException):
    """The test gives the solution something that cannot cross the border."""


class Process:
    """The process of the solution."""

    def __init__(self):
        self.answers, self.asks = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
        # What the test prints is no request.
        os.dup2(2, 1)
        # The last call: its function, its arguments, and what it returned.
        self.last = None
        # Why the test ends early. It stays known if the test catches the error.
        self.failure = None

    def fail(self, failure):
        self.failure = self.failure or failure
        raise self.failure

    def say(self, ask):
        try:
            self.asks.write(json.dumps(ask) + "\n")
            self.asks.flush()
        except BrokenPipeError:
            self.fail(Wrong(ENDED))

    def answer(self):
        line = self.answers.readline(LONGEST)
        if not line:
            self.fail(Wrong(ENDED))
        if not line.endswith(b"\n"):
            self.fail(Wrong(f"the program returned more than {LONGEST >> 20} MiB"))
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            self.fail(Wrong(ODD))

    def wait(self):
        """Waits until the solution's process has ended."""
        while self.answers.read(1 << 16):
            pass

    def ask(self, what, target, *rest):
        self.say([what, target, *rest])
        answer = self.answer()
        try:
            if "error" in answer:
                raised = self.error_of(answer)
            elif "end" in answer and what == "next":
                raised = StopIteration()
            else:
                is_full = what == "get" or bool(rest) and rest[0] is True
                value = decode(answer["value"], lambda kind, which: self.thing(kind, which, is_full))
                left = decode(answer["left"], self.thing) if "left" in answer else None
                raised = None
        except Exception:
            self.fail(Wrong(ODD))
        if raised is not None:
            raise raised
        return value, left

    def encode(self, value, share=None):
        def otherwise(value):
            if isinstance(value, Thing):
                return value._target
            known = self.known(value)
            if known is not None:
                return known
            if hasattr(type(value), "__next__") and not isinstance(value, io.IOBase) and not callable(value):
                return {"iterator": [encode(item, otherwise, share) for item in value]}
            name = getattr(value, "__name__", None)
            if type(name) is str and getattr(builtins, name, self) is value:
                return {"builtin": name}
            return self.own(value)

        return encode(value, otherwise, share)

    def own(self, value):
        """What is sent of a value of the test that is not plain."""
        self.fail(NotPlain(type(value).__name__))

    def known(self, value):
        """What is sent of other stand-ins; none if it is no stand-in."""

    def error_of(self, answer):
        return error_of(answer)

    def thing(self, kind, which, is_full=False):
        if kind != "object" or type(which) is not int:
            raise ValueError(kind)
        return Thing(self, {"object": which}, is_full)


def error_of(answer):
    """The error that the solution raised: the first built-in class that it is one of. None ends a loop here."""
    for name in answer["error"]:
        kind = getattr(builtins, name, None)
        ends_loops = name in ("StopIteration", "StopAsyncIteration")
        if isinstance(kind, type) and issubclass(kind, Exception) and not ends_loops:
            break
    else:
        kind = Exception
    try:
        error = kind(str(answer["message"]))
    except TypeError:
        error = Exception(str(answer["message"]))
    error.is_of_solution = True
    return error


def restore(old, new):
    """Makes arguments equal to what the solution left of them."""
    if old is new or type(old) is not type(new):
        return new
    if isinstance(old, Thing) and old == new:
        return old
    if type(old) is list:
        old[:] = [restore(*pair) for pair in zip(old, new)] + new[len(old) :]
    elif type(old) is tuple:
        return tuple([restore(*pair) for pair in zip(old, new)] + list(new[len(old) :]))
    elif isinstance(old, dict):
        kept = [(key, restore(old[key], item) if key in old else item) for key, item in new.items()]
        old.clear()
        for key, item in kept:
            old[key] = item
    elif isinstance(old, (set, deque, bytearray)):
        old.clear()
        (old.update if isinstance(old, set) else old.extend)(new)
    else:
        return new
    return old


def shown(value):
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def reject(words):
    with open(sys.argv[3] + "/judgemessage.txt", "w", encoding="utf-8", errors="replace") as file:
        file.write(words + "\n")
    return REJECT


def in_a_child(limited):
    """Judges in a process that may be killed. Returns the exit code."""
    child = os.fork()
    if child == 0:
        try:
            for kind, most in ((resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
                resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
            code = limited()
        except BaseException:
            import traceback

            traceback.print_exc()
            code = FAULT
        sys.stderr.flush()
        os._exit(code)
    os.close(0)
    os.close(1)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    # The test took too long. What the solution returned is the likely cause, and nothing of ours is.
    return reject("the test cannot be finished with the values that the program returned")


