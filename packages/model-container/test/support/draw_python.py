"""Draws uses of struct, array and hash, and gives the running Python's answers as JSON.

    python3.12 draw_python.py > python-3.12-answers.json
"""

import array
import copy
import csv
import ctypes
import dataclasses
import decimal
import fractions
import json
import pickle
import random
import struct
import sys
import typing


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: float


class Pair(typing.NamedTuple):
    a: int
    b: int


class Own:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash((self.value, 1)) * 31


def answer(call):
    try:
        found = call()
        return found.hex() if isinstance(found, (bytes, bytearray)) else repr(found)
    except Exception as error:
        return type(error).__name__


def number(r):
    return r.choice([r.randrange(256), r.randrange(2**31), r.randrange(2**32), r.randrange(2**63), 2**31 - 1, 2**63 - 1])


def packed_case(r):
    order = r.choice(["", "", "", "@", "=", "<", ">"])
    codes, values = "", []
    for _ in range(r.randrange(1, 5)):
        code = r.choice("bBhHiIlLlLqQ" + ("nNP" if order in ("", "@") else "") + "d")
        times = r.choice(["", "", "2"])
        codes += times + code + r.choice(["", "", " ", "x"])
        for _ in range(int(times or 1)):
            values.append(r.choice([0.1, -2.5, 1e300]) if code == "d" else number(r) % 100 if code in "bBhH" else number(r) % 2**31 if code in "iI" else number(r) * r.choice([1, 1, 1, 1, -1]) % 2**63)
    form = order + codes if r.random() < 0.8 else (order + codes).encode()
    raw = bytes(r.randrange(256) for _ in range(80))
    into = bytearray(72)
    own = struct.Struct(form)
    return [
        repr(form),
        answer(lambda: (struct.calcsize(form), own.size, own.format)),
        answer(lambda: struct.pack(form, *values)),
        answer(lambda: own.unpack_from(raw)),
        answer(lambda: (struct.pack_into(form, into, 8, *values), into.hex())[1]),
    ]


def array_case(r):
    code = r.choice("lLlLqQiH")
    held = array.array(code, bytes(r.randrange(256) for _ in range(8 * r.randrange(1, 3))))
    value = number(r) * r.choice([1, -1])

    def edited():
        other = array.array(code, [5, 6])
        other.append(7)
        other += array.array(code, [3])
        other.insert(0, other.pop())
        return other, other == array.array(code, list(other)), isinstance(other, array.array)

    return [
        answer(lambda: (held, held.itemsize, held.typecode, len(held))),
        answer(lambda: (held[1:], held + held[:1], held[:1] * 2)),
        answer(lambda: (pickle.loads(pickle.dumps(held)), copy.copy(held), copy.deepcopy(held[:1]))),
        answer(lambda: array.array(code, [value]).tobytes()),
        answer(lambda: array.array(code, array.array("i", [4, 5]))),
        answer(edited),
    ]


def value(r, depth=0):
    kind = r.randrange(13 if depth < 2 else 7)
    if kind < 2:
        return number(r) * r.choice([1, -1, 2**31, 10**20])
    if kind < 4:
        return r.choice([-0.0, 1.5, 0.1, 1e300, 5e-324, float("-inf"), 2.0**61, r.uniform(-1e6, 1e6), r.random()])
    if kind == 4:
        return complex(r.choice([0, 1.5, r.random()]), r.random())
    if kind == 5:
        return r.choice([True, None, -1, 2**61 - 1, 2**61 - 2, 1 - 2**61, 2**32])
    if kind == 6:
        return decimal.Decimal(r.choice(["1.5", "0.1", "1e50", "-Infinity", str(number(r))]))
    if kind == 7:
        return fractions.Fraction(-number(r), r.randrange(1, 10**6))
    if kind == 8:
        return r.choice([Point(number(r), r.random()), Pair(number(r), 3), Own(number(r))])
    if kind == 9:
        return frozenset(value(r, 2) for _ in range(r.randrange(4)))
    return tuple(value(r, depth + 1) for _ in range(r.randrange(5)))


def hash_case(r):
    found = value(r)
    return [answer(lambda: hash(found)), answer(lambda: hash((found, 1.5)))]


class Words(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_long), ("c", ctypes.c_size_t)]


FIXED = [
    lambda: (sys.maxsize, sys.hash_info[:5], sys.hash_info.width, sys.hash_info.hash_bits),
    lambda: (csv.field_size_limit(sys.maxsize), csv.field_size_limit(), csv.field_size_limit(131072)),
    lambda: (min(sys.maxsize, 2**33), range(sys.maxsize)[-1], [1, 2][: sys.maxsize], "abc".find("c", 0, sys.maxsize)),
    lambda: random.Random(5).randrange(sys.maxsize),
    lambda: [random.Random(seed).random() for seed in (1.5, 0.1, -7.25, 3)],
    lambda: ctypes.sizeof(Words),
]


def draw(seed, count):
    r = random.Random(seed)
    cases = [kind(r) for kind in (packed_case, array_case, hash_case) for _ in range(count)]
    return {"fixed": [answer(call) for call in FIXED], "cases": cases}


if __name__ == "__main__":
    print(json.dumps(draw(2026, 100), indent=1))
