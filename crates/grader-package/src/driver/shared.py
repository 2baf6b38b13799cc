# Modules of Python whose classes are the same on both sides of the border.
STANDARD = "abc array builtins collections collections.abc dataclasses datetime decimal enum fractions functools numbers pathlib re types typing uuid".split()


# Lists and other containers that both sides of the border know: what changes in one there changes here, and one that comes
# back is the same object. Only so, tests see whether a function returns its argument or a copy, and whether two rows are one.
class Shared:
    # The most containers that are known at a time, and the most elements of one. Whatever is beyond crosses as a copy.
    MOST, LONGEST = 64, 256

    def __init__(self, first):
        # The numbers of this side are even or odd.
        self.next, self.numbers, self.objects, self.pictures = first, {}, OrderedDict(), {}

    def add(self, number, value):
        self.numbers[id(value)], self.objects[number] = number, value

    def forget(self, number):
        self.numbers.pop(id(self.objects.pop(number)), None)
        self.pictures.pop(number, None)

    def picture(self, value):
        """The content, with marks for what is inside of the containers in it."""
        inside = lambda one, *_: {"inside": [self.numbers.get(id(one), id(one))]}
        return json.dumps(encode_inside(value, inside, inside))

    def message(self):
        """Writes the containers of one message: each once with its content."""
        seen = set()

        def write(value, content):
            number = self.numbers.get(id(value))
            if number is None:
                if len(value) > self.LONGEST:
                    return content()
                number, self.next = self.next, self.next + 2
                self.add(number, value)
            if number in seen:
                return {"shared": [number]}
            seen.add(number)
            self.objects.move_to_end(number)
            written = content()
            self.pictures[number] = self.picture(value)
            return {"shared": [number, written]}

        return write

    def read(self, number, written, read_inside):
        """A container of a message. Without content, it is one that the message had before."""
        known = self.objects.get(number)
        if not written and known is not None:
            return known
        if type(number) is not int or len(written) != 1:
            raise ValueError(number)
        if known is None:
            ((name, _),) = written[0].items() if type(written[0]) is dict else ((None, None),)
            known = [] if name is None else bytearray() if name == "bytearray" else read_inside({name: []})
            # Before its content, which may have it inside.
            self.add(number, known)
        fresh = read_inside(written[0])
        if type(fresh) is not type(known):
            raise ValueError(number)
        if isinstance(known, (list, bytearray)):
            known[:] = fresh
        else:
            known.clear()
            (known.extend if isinstance(known, deque) else known.update)(fresh)
        self.pictures[number] = self.picture(known)
        return known

    def changes(self, other):
        """What has changed since both sides knew the same. Forgets what nobody here has any more."""
        changed = [number for number, value in self.objects.items() if self.picture(value) != self.pictures.get(number)]
        write = self.message()
        written = [encode(self.objects[number], other, write) for number in changed]
        for number in list(self.objects):
            # The references of this class: in `objects`, and of the call.
            is_gone = sys.getrefcount(self.objects[number]) <= 2
            if is_gone or len(self.objects) > self.MOST or len(self.objects[number]) > self.LONGEST:
                self.forget(number)
        return written
