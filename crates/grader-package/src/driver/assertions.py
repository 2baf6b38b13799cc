# Serves the program that judges a solution in Python by assertions (evaluator.py). Each line of standard input asks for
# one call, and this program answers with what came of it. Expected values do not come here, unless the assertions could
# not be taken apart: then the last line is a program of assertions with a word, which is written after they hold.
import builtins


class Served:
    def __init__(self, names):
        self.names = names
        # Objects that are no plain values stay here; the other side knows their numbers.
        self.objects, self.numbers = [], {}

    def keep(self, value):
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
        return {"object": number}

    def encode(self, value, other=None):
        return encode(value, other or self.keep)

    def decode(self, written):
        find = {"name": self.named, "object": self.objects.__getitem__, "builtin": lambda name: getattr(builtins, name)}
        return decode(written, lambda kind, which: find[kind](which))

    def named(self, name):
        if name not in self.names:
            raise NameError(f"name '{name}' is not defined")
        return self.names[name]

    def answer(self, ask):
        """What came of a request, which is a list: what to do, with which object, and the rest."""
        what, target, *rest = ask
        if what == "next":
            try:
                return {"value": self.encode(next(self.objects[target["object"]]))}
            except StopIteration:
                return {"end": True}
        target = self.decode(target)
        if what == "get":
            value = getattr(target, rest[0])
            return {"value": self.keep(value) if callable(value) else self.encode(value)}
        if what == "set":
            return {"value": setattr(target, rest[0], self.decode(rest[1]))}
        as_object, given = rest
        arguments, named = self.decode(given)
        value = target(*arguments, **named)
        answer = {"value": self.keep(value) if as_object else self.encode(value)}
        # Objects of solutions are unchanged as far as the other side can see: it knows their numbers only.
        left = self.encode([arguments, named], lambda value: None)
        if left != encode(self.decode(given), lambda value: None):
            answer["left"] = self.encode([arguments, named])
        return answer


def words_of(error):
    try:
        return str(error)
    except Exception:
        return ""


def main():
    # Bound before anything of the solution runs, which may put other functions into their places.
    run, translate, write, read, write_json = exec, compile, os.write, json.loads, json.dumps
    asks, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.dup(1)
    # What the solution itself prints is no answer, and nothing is there for it to read.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)

    def say(line):
        sys.stdout.flush()
        left = memoryview((line + "\n").encode()[: LONGEST + 1])
        while left:
            left = left[write(answers, left) :]

    served, error = Served(load(run, translate)), None
    for line in asks:
        ask = read(line)
        if ask == "raise":
            raise error
        if "judged_by" in ask:
            continue
        if "assertions" in ask:
            # A test is a program: `if __name__ == "__main__"` holds.
            served.names["__name__"] = "__main__"
            run(translate(ask["assertions"], "test", "exec"), served.names)
            say(write_json(ask["word"]))
            continue
        try:
            answer = served.answer(ask)
        except Exception as raised:
            error = raised
            answer = {"error": [kind.__name__ for kind in type(raised).__mro__], "message": words_of(raised)}
        say(write_json(answer))


main()
