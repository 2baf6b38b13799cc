# How values of Python cross the border between a solution and the program that judges it: as JSON with their types. Only
# exact built-in types are made of what arrives, so an object of a solution's class never leaves its process.
import collections
import datetime
import decimal
import fractions
import json
import numbers
from collections import Counter, OrderedDict, defaultdict, deque

# The longest answer of a solution, in bytes. Of a longer one, this much and one byte more is sent.
LONGEST = 4 << 20
# Integers beyond this are written in hexadecimal digits, which are read in linear time.
LARGE = 1 << 53
LISTS = {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": deque, "iterator": iter}
PAIRS = {
    "dict": dict,
    "Counter": lambda pairs: Counter(dict(pairs)),
    "OrderedDict": OrderedDict,
    "defaultdict": lambda pairs: defaultdict(None, pairs),
}
TEXTS = {
    "int": lambda text: int(text, 16),
    "float": float,
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "Decimal": decimal.Decimal,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
}
PARTS = {"complex": complex, "Fraction": fractions.Fraction, "range": range, "slice": slice, "timedelta": datetime.timedelta}
VIEWS = {
    "dict_keys": lambda items: dict.fromkeys(items).keys(),
    "dict_values": lambda items: dict(enumerate(items)).values(),
    "dict_items": lambda items: dict(items).items(),
}
# Each kind of value with what is written of it. Subclasses are written as the first kind that they are.
KINDS = [
    (str, None, str.__str__),
    (int, "int", int.__int__),
    (float, "float", float.__float__),
    (list, None, list.__iter__),
    (tuple, "tuple", tuple.__iter__),
    (Counter, "Counter", dict.items),
    (OrderedDict, "OrderedDict", OrderedDict.items),
    (defaultdict, "defaultdict", dict.items),
    (dict, "dict", dict.items),
    (set, "set", set.__iter__),
    (frozenset, "frozenset", frozenset.__iter__),
    (deque, "deque", deque.__iter__),
    (bytes, "bytes", bytes.hex),
    (bytearray, "bytearray", bytearray.hex),
    (complex, "complex", lambda value: (value.real, value.imag)),
    (fractions.Fraction, "Fraction", lambda value: (value.numerator, value.denominator)),
    (decimal.Decimal, "Decimal", decimal.Decimal.__str__),
    (range, "range", lambda value: (value.start, value.stop, value.step)),
    (slice, "slice", lambda value: (value.start, value.stop, value.step)),
    (datetime.datetime, "datetime", datetime.datetime.isoformat),
    (datetime.date, "date", datetime.date.isoformat),
    (datetime.time, "time", datetime.time.isoformat),
    (datetime.timedelta, "timedelta", lambda value: (value.days, value.seconds, value.microseconds)),
    (type({}.keys()), "dict_keys", iter),
    (type({}.values()), "dict_values", iter),
    (type({}.items()), "dict_items", iter),
    # The numbers of numpy and others.
    (numbers.Integral, "int", int),
    (numbers.Real, "float", float),
]
EXACT = {kind: (name, write) for kind, name, write in KINDS}
CHANGEABLE = {list, dict, set, deque, bytearray, Counter, OrderedDict, defaultdict}


def encode(value, other, share=None):
    """The JSON of a value. `other` encodes what is no plain value, and `share`, if given, the containers that can change."""
    if share is not None and type(value) in CHANGEABLE:
        return share(value, lambda: encode_inside(value, other, share))
    return encode_inside(value, other, share)


def encode_inside(value, other, share):
    if value is None or value is True or value is False:
        return value
    found = EXACT.get(type(value))
    if found is None:
        found = next(((name, write) for kind, name, write in KINDS if issubclass(type(value), kind)), None)
    if found is None:
        return other(value)
    name, write = found
    written = write(value)
    if name is None:
        return written if type(written) is str else [encode(item, other, share) for item in written]
    if name == "int":
        return written if -LARGE < written < LARGE else {"int": format(written, "x")}
    if name == "float":
        return written if abs(written) < float("inf") else {"float": repr(written)}
    if name in TEXTS:
        return {name: written}
    if name in PAIRS:
        return {name: [[encode(key, other, share), encode(item, other, share)] for key, item in written]}
    return {name: [encode(item, other, share) for item in written]}


def decode(written, other):
    """The value of its JSON. `other` gets the names and values that stand for what is no plain value."""
    if type(written) is list:
        return [decode(item, other) for item in written]
    if type(written) is not dict:
        return written
    ((name, inner),) = written.items()
    if name in TEXTS:
        return TEXTS[name](inner)
    if name in PAIRS:
        return PAIRS[name]([(decode(key, other), decode(item, other)) for key, item in inner])
    for made in (LISTS, VIEWS):
        if name in made:
            return made[name]([decode(item, other) for item in inner])
    if name in PARTS:
        return PARTS[name](*[decode(item, other) for item in inner])
    return other(name, inner)


