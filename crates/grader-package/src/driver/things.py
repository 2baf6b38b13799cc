# What stands in the program of a teacher's tests (runner.py) for objects of the solution: objects, classes of errors, generators.
import collections.abc
import functools
import importlib
import inspect
import numbers
import operator

# Methods of built-in types that say what is in a value.
SEARCHES = {name for kind in (str, bytes, float, set) for name in dir(kind) if name.startswith("is")}
SEARCHES.update("count endswith find index rfind rindex startswith".split())
# What gives another difference from one, and what does not show how large it is.
OF_DIFFERENCES = "add sub mul truediv pow iadd isub imul itruediv ipow neg pos".split()
DIFFERENCES = "sub isub truediv itruediv".split()
# Attributes that Python itself gives to functions and classes.
OF_PYTHON = "__name__ __qualname__ __dict__ __all__ __annotations__ __defaults__ __kwdefaults__ __bases__ __mro__ __members__ __slots__ __abstractmethods__ __code__ __closure__ __wrapped__ __self__ __func__ __match_args__ __file__".split()
# Methods that a class of the solution may have or lack.
OF_CLASSES = "__init__ __new__ __eq__ __ne__ __hash__ __repr__ __str__ __format__ __iter__ __next__ __len__ __getitem__ __setitem__ __contains__ __call__ __bool__ __enter__ __exit__ __lt__ __le__ __gt__ __ge__ __add__ __sub__ __mul__ __truediv__ __radd__ __iadd__ __int__ __float__ __post_init__ __slots__".split()
# Modules of Python whose objects do not cross the border.
NOT_PLAIN = "array pathlib types uuid".split()
SAYS_NOTHING = "eq repr str iter isinstance".split()


class ClassOfErrors(type):
    """The class of the classes that stand for the solution's classes of errors."""

    def __call__(cls, *arguments, **named):
        process = vars(cls).get("@process")
        if process is None:
            return super().__call__(*arguments, **named)
        return process.ask("call", {"object": vars(cls)["@number"]}, False, process.encode_call(arguments, named))[0]

    def __getattr__(cls, name):
        owner = next((kind for kind in cls.__mro__ if "@process" in vars(kind)), None)
        if owner is None or name.startswith("__") or not name.isidentifier():
            raise AttributeError(name)
        return vars(owner)["@process"].ask("get", {"object": vars(owner)["@number"]}, name)[0]


def attribute_of_error(error, name):
    """What an error of the solution's class has besides what came with it."""
    number = vars(error).get("@number")
    if number is None or name.startswith("__") or not name.isidentifier():
        raise AttributeError(name)
    if name in SEARCHES:
        raise AttributeError(own_word(name))
    process = next(vars(kind)["@process"] for kind in type(error).__mro__ if "@process" in vars(kind))
    return process.ask("get", {"object": number}, name)[0]


def words_of_error(error):
    words = vars(error).get("@message")
    return Exception.__str__(error) if words is None else words


def type_of(value):
    """The class of an object, for the tests: that of the solution, not of its stand-in."""
    return value._process.operate("type", value) if isinstance(value, Thing) else type(value)


def is_subclass(kind, other):
    """`issubclass` of the tests, which may ask about a class of the solution."""
    return kind._process.operate("issubclass", kind, other) is True if isinstance(kind, Thing) else issubclass(kind, other)


def is_number(value):
    """Whether it is a number of the test, and no object that says so."""
    return isinstance(value, numbers.Number) and not isinstance(value, Thing)


def own_word(name):
    return f"the program gave an object in place of a value, and `{name}` of it is the program's own word"


def mark_made(value, *sources):
    """Marks an object that comes from one that the test made."""
    if isinstance(value, Thing) and value._is_made is None and any(isinstance(one, Thing) and one._is_made for one in sources):
        object.__setattr__(value, "_is_made", True)
    return value


# Stands for an object of the solution. It equals another object as the solution says, and a plain value only if it
# extends that type and has that value. What a function returns in place of a number or a list never decides how it compares
# with a value of the test: `x < 5`, `abs(x - 5) < 0.1`, `5 in x`. Only what the test made by a class is asked for `5 in x`.
class Thing:
    # `_is_made`: none if it is not known, false for functions. `_is_difference`: to a number of the test.
    __slots__ = ("_process", "_target", "_plain", "_is_made", "_is_difference")
    # The class of Python that its class is or extends.
    _standard = None

    def __init__(self, process, target):
        for name, value in zip(Thing.__slots__, (process, target, None, None, False)):
            object.__setattr__(self, name, value)

    @property
    def __class__(self):
        # `isinstance` takes either this or the class of the stand-in.
        return type(self)._standard or type(self)

    def __getattribute__(self, name):
        # What a class of the solution has is not what its stand-in has.
        is_of_class = name in OF_CLASSES and type(self)._standard is type
        if is_of_class or name in ("__doc__", "__module__"):
            return self._process.ask("get", self._target, name)[0]
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        if name == "__signature__" and callable(self):
            return self._signature()
        if name.startswith("__") and name.endswith("__") and name not in OF_PYTHON:
            raise AttributeError(name)
        if name in SEARCHES and not self._is_made:
            raise AttributeError(own_word(name))
        return mark_made(self._process.ask("get", self._target, name)[0], self)

    def __setattr__(self, name, value):
        self._process.ask("set", self._target, name, self._process.encode(value))

    def __delattr__(self, name):
        self._process.operate("delattr", self, name)

    def __eq__(self, other):
        if self is other:
            return True
        if isinstance(other, Thing):
            return self._process.operate("eq", self, other) is True
        if type(other).__module__ in NOT_PLAIN:
            self._process.is_not_supported(f"the test compares an object with a `{type(other).__name__}`", "compare texts, numbers or lists, as `str(x)` makes them")
        return self._plain is not None and self._plain[0] == other

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        # Sets and keys ask both: equal objects have equal hashes.
        found = hash(self._plain[0]) if self._plain is not None else self._process.operate("hash", self)
        return found if type(found) is int else self._process.fail(Wrong(ODD))

    def __repr__(self):
        return str(self._process.operate("repr", self))

    def __str__(self):
        return str(self._process.operate("str", self))

    def __mro_entries__(self, bases):
        self._process.is_not_supported("the test extends a class", "test the class itself, or define the class in the program")

    def __reduce_ex__(self, protocol):
        self._process.is_not_supported("the test pickles an object", "compare its attributes or methods")

    def __copy__(self):
        return self._process.operate("copy", self)

    def __deepcopy__(self, known):
        return self._process.operate("deepcopy", self)

    def __dir__(self):
        return [name for name in self._process.operate("dir", self) if type(name) is str]

    def __format__(self, how):
        return self._process.operate("format", self, how)

    def _signature(self):
        each, returned = self._process.operate("signature", self)
        empty = inspect.Parameter.empty
        made = [
            inspect.Parameter(name, kind, default=default[0] if default else empty, annotation=annotation[0] if annotation else empty)
            for name, kind, default, annotation in each
        ]
        return inspect.Signature(made, return_annotation=returned[0] if returned else empty)


class Special:
    """The special methods that a stand-in has only if the class in the solution has them: so `callable`, `hasattr` and the
    abstract classes of Python know them."""

    def __call__(self, *arguments, **named):
        process, given = self._process, [list(arguments), named]
        value, left = process.ask("call", self._target, False, process.encode_call(arguments, named))
        mark_made(value, self, *arguments, *named.values())
        process.last = (self, arguments, named, value)
        if left is not None:
            restore(given, left)
        return value

    def __iter__(self):
        return self._process.operate("iter", self)

    def __next__(self):
        return self._process.ask("next", self._target)[0]

    def __bool__(self):
        return self._process.operate("bool", self) is True

    def __instancecheck__(self, value):
        return isinstance(value, Thing) and self._process.operate("isinstance", value, self) is True

    def __subclasscheck__(self, value):
        return isinstance(value, Thing) and self._process.operate("issubclass", value, self) is True

    def __enter__(self):
        return self._process.operate("enter", self)

    def __exit__(self, kind, error, trace):
        if self._process.failure is not None:
            return False
        given = [None, []]
        is_raised_here = False
        if error is not None:
            is_raised_here = is_raised_by_tests(error, trace)
            # What the test expects is in the words of other errors.
            name = kind.__name__ if getattr(builtins, kind.__name__, None) is kind else "Exception"
            is_of_solution = "@number" in vars(error)
            given = [error, []] if is_of_solution else [getattr(builtins, name), list(error.args) if is_raised_here else []]
        ends_error = self._process.operate("exit", self, *given)
        if ends_error is not True or error is None or isinstance(error, AssertionError) or not isinstance(error, Exception):
            return False
        if not is_raised_here:
            self._process.is_not_supported("an error that the test does not raise itself is suppressed by `__exit__`", "in `with`, raise it in the test: `raise ValueError`")
        return True

    def __contains__(self, item):
        if self._plain is not None:
            return item in self._plain[0]
        if not self._is_made and not isinstance(item, Thing):
            raise TypeError(own_word("in"))
        return self._process.operate("contains", self, item) is True

    def __await__(self):
        return self._process.operate("await", self)
        yield

    def __aiter__(self):
        return self

    async def __anext__(self):
        is_end, value = self._process.resume(self._target, "anext")
        if is_end:
            raise StopAsyncIteration
        return value


def generator(process, target):
    """Stands for a generator of the solution."""
    how, given = "send", [None]
    while True:
        is_end, value = process.resume(target, how, *given)
        if is_end:
            return value
        try:
            how, given = "send", [(yield value)]
        except GeneratorExit:
            process.resume(target, "close")
            raise
        except Exception as error:
            how, given = "throw", [error]


async def coroutine(process, target):
    """Stands for a coroutine of the solution, which runs there to its end."""
    return process.ask("operation", "await", [target])[0]


def kind_of_things(name, special, of_abstract, standard):
    """The class of the stand-ins for the objects of one class of the solution."""
    own = {f"__{name}__": vars(Special)[f"__{name}__"] for name in special if name != "hash"}
    if "hash" not in special:
        own["__hash__"] = None
    kind = type(name, (Thing,), {"__slots__": (), "_standard": standard, **own})
    for abstract in of_abstract:
        getattr(collections.abc, abstract if abstract in collections.abc.__all__ else "").register(kind)
    return kind


# Functions of Python that look into an object, which is possible only where it is. What they say is the program's word.
LOOKING = {
    "dataclasses": "asdict astuple fields is_dataclass replace",
    "inspect": "getattr_static getcomments getdoc getfullargspec getmembers getmro getsource getsourcelines isabstract isasyncgenfunction iscoroutinefunction isgeneratorfunction",
    "json": "dumps",
    "typing": "get_type_hints",
}


def looking_into_things(process):
    """Lets these functions run in the solution's process if they get an object of it."""

    def there(place, name, function):
        @functools.wraps(function)
        def look(*arguments, **named):
            if not arguments or not isinstance(arguments[0], (Thing, ModuleOfSolution)):
                return function(*arguments, **named)
            target = {"standard": [place, name]}
            return mark_made(process.ask("call", target, False, process.encode_call(arguments, named))[0], arguments[0])

        return look

    for place, names in LOOKING.items():
        module = importlib.import_module(place)
        for name in names.split():
            setattr(module, name, there(place, name, getattr(module, name)))


def is_raised_by_tests(error, trace):
    """Whether `raise` in the tests raised it."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None or os.path.basename(trace.tb_frame.f_code.co_filename) != TESTS + ".py":
        return False
    with open(trace.tb_frame.f_code.co_filename, encoding="utf-8") as file:
        line = file.read().split("\n")[trace.tb_lineno - 1]
    return re.search(r"(^|[:;])\s*raise\s+\w", line) is not None and "@number" not in vars(error)


def operation(name):
    return lambda self, *given: self._process.operate(name, self, *given)


def ordering(name):
    def compare(self, other):
        if isinstance(other, Thing):
            return self._process.operate(name, self, other)
        if self._plain is None and self._is_made:
            self._process.is_not_supported(f"the test compares an object with a plain value by `{name}`", "compare two objects, or use `float(x)` or `int(x)`")
        if self._plain is None:
            raise TypeError(own_word(name))
        return getattr(operator, name)(self._plain[0], other)

    return compare


def arithmetic(name, is_reflected=False):
    def compute(self, other):
        is_with_number = is_number(other)
        if is_with_number and self._plain is not None and is_number(self._plain[0]):
            pair = (self._plain[0], other)
            return getattr(builtins if name == "divmod" else operator, name)(*(reversed(pair) if is_reflected else pair))
        pair = (other, self) if is_reflected else (self, other)
        return self._process.operate(name, *pair, is_with_number=is_with_number)

    return compute


for own in "len getitem setitem delitem neg pos abs invert round int float index reversed complex floor ceil trunc bytes".split():
    setattr(Special, f"__{own}__", operation(own))
for own in "lt le gt ge".split():
    setattr(Special, f"__{own}__", ordering(own))
for own in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift divmod".split():
    setattr(Special, f"__{own.strip('_')}__", arithmetic(own))
    setattr(Special, f"__r{own.strip('_')}__", arithmetic(own, is_reflected=True))
    if own != "divmod":
        setattr(Special, f"__i{own.strip('_')}__", arithmetic(f"i{own.strip('_')}"))


