# What a solution's process does for the program that judges it: calls, and attributes of objects that stay here.
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

    def plain(self, value):
        """What is compared to see whether a call has changed its arguments."""
        return encode(value, lambda value: None)

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
        before = self.plain([arguments, named])
        value = target(*arguments, **named)
        answer = {"value": self.keep(value) if as_object else self.encode(value)}
        # Objects of solutions are unchanged as far as the other side can see: it knows their numbers only.
        if self.plain([arguments, named]) != before:
            answer["left"] = self.encode([arguments, named])
        return answer


def words_of(error):
    try:
        return str(error)
    except Exception:
        return ""


