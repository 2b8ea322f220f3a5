"""Makes the 32-bit Python of WebAssembly answer as the 64-bit Python of an image on Linux.

`install()` runs once, before the memory of the interpreter is written into the snapshot; `settle(minor)` when the image's version is known.
Sizes and rules are those of CPython: Lib/struct.py, Modules/arraymodule.c, Python/pyhash.c, Objects/tupleobject.c and setobject.c.
Gap: sets and dicts hash inside the interpreter, so a set of numbers above 2^31, fractions or tuples has another order. Functions in C that
take a size refuse sys.maxsize.
"""

import array as _array
import builtins as _builtins
import collections as _collections
import functools as _functools
import struct as _struct
import sys as _sys
import types as _types

_MASK = 2**64 - 1
_MODULUS = 2**61 - 1
_INFINITY = 314159
_IMAGINARY = 1000003
# C's native long, size and pointer, by codes whose size is the same everywhere.
_WORDS = str.maketrans("lLnNP", "qQqQQ")

_hash32 = _builtins.hash
_narrow_array = _array.array
_NarrowStruct = _struct.Struct


def _wide(form):
    """A native format with words of eight bytes; another format, or something that is no format, as it is."""
    text = bytes(form).decode("latin-1") if isinstance(form, (bytes, bytearray)) else form
    if not isinstance(text, str) or text.lstrip()[:1] in ("<", ">", "=", "!"):
        return form
    return text.translate(_WORDS)


def _with_wide_format(narrow):
    @_functools.wraps(narrow)
    def call(format, /, *args, **keywords):
        return narrow(_wide(format), *args, **keywords)

    return call


class Struct(_NarrowStruct):
    def __new__(cls, format):
        return _NarrowStruct.__new__(cls, _wide(format))

    def __init__(self, format):
        super().__init__(_wide(format))
        self.__format = bytes(format).decode("latin-1") if isinstance(format, (bytes, bytearray)) else format

    @property
    def format(self):
        return self.__format

    def __repr__(self):
        return f"Struct({self.__format!r})"


class array(_narrow_array):
    """An array that holds `l` and `L` as `q` and `Q`."""

    def __new__(cls, typecode, *initial):
        own = typecode if isinstance(typecode, str) and typecode in ("l", "L") else None
        made = _narrow_array.__new__(cls, typecode if own is None else own.translate(_WORDS), *initial)
        made.__code = own or _held_code(made)
        return made

    def __init__(self, typecode, *initial):
        pass

    @property
    def typecode(self):
        return self.__code

    def __like(self, plain):
        if not isinstance(plain, _narrow_array):
            return plain
        made = _narrow_array.__new__(array, _held_code(plain), plain)
        made.__code = self.__code
        return made

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return self.__like(found) if isinstance(index, slice) else found

    def __add__(self, other):
        return self.__like(super().__add__(other))

    def __mul__(self, times):
        return self.__like(super().__mul__(times))

    __rmul__ = __mul__

    def __copy__(self):
        return self.__like(super().__copy__())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce_ex__(self, protocol):
        return (array, (self.typecode, self.tolist()), None)

    def __repr__(self):
        return super().__repr__().replace(f"'{_held_code(self)}'", f"'{self.__code}'", 1)


_held_code = _narrow_array.typecode.__get__
for _owner, _module in ((Struct, "_struct"), (array, "array")):
    _owner.__module__ = _module


def _settled(found):
    """The hash of an object, as C returns it: -1 is an error there."""
    return -2 if found == -1 else found


def _signed(value):
    value &= _MASK
    return _settled(value - 2**64 if value >= 2**63 else value)


def _of_int(value):
    found = abs(value) % _MODULUS
    return _settled(-found if value < 0 else found)


def _of_ratio(numerator, denominator):
    if denominator % _MODULUS == 0:
        found = _INFINITY
    else:
        found = abs(numerator) % _MODULUS * pow(denominator, -1, _MODULUS) % _MODULUS
    return _settled(-found if numerator < 0 else found)


def _of_real(value):
    """A float or a Decimal."""
    try:
        return _of_ratio(*value.as_integer_ratio())
    except OverflowError:
        return _INFINITY if value > 0 else -_INFINITY
    except ValueError:
        # NaN goes by its place in memory.
        return _hash32(value)


def _of_complex(value):
    return _signed(_of_real(value.real) + _IMAGINARY * _of_real(value.imag))


def _of_tuple(value):
    total = 2870177450012600261
    for item in value:
        total = (total + (hash64(item) & _MASK) * 14029467366897019727) & _MASK
        total = ((total << 31) | (total >> 33)) & _MASK
        total = total * 11400714785074694791 & _MASK
    total = (total + (len(value) ^ (2870177450012600261 ^ 3527539))) & _MASK
    return 1546275796 if total == _MASK else _signed(total)


def _of_frozenset(value):
    found = 0
    for item in value:
        own = hash64(item) & _MASK
        found ^= ((own ^ 89869747) ^ (own << 16)) * 3644798167 & _MASK
    found ^= (len(value) + 1) * 1927868237 & _MASK
    found ^= (found >> 11) ^ (found >> 25)
    found = (found * 69069 + 907133923) & _MASK
    return 590923713 if found == _MASK else _signed(found)


# By the functions of the types, which subclasses inherit or replace.
_RULES = {
    int.__hash__: _of_int,
    float.__hash__: _of_real,
    complex.__hash__: _of_complex,
    tuple.__hash__: _of_tuple,
    frozenset.__hash__: _of_frozenset,
}


@_functools.wraps(_hash32)
def hash64(value, /):
    own = type(value).__hash__
    rule = _RULES.get(own)
    if rule is not None:
        return rule(value)
    if isinstance(own, _types.FunctionType):
        found = own(value)
        if not isinstance(found, int):
            raise TypeError("__hash__ method should return an integer")
        return _settled(int(found)) if -(2**63) <= found < 2**63 else _of_int(int(found))
    return _hash32(value)


def _install_words():
    # Before struct changes, with whose sizes it compares its own when it's imported.
    import ctypes

    for name in ("calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack"):
        setattr(_struct, name, _with_wide_format(getattr(_struct, name)))
    _struct.Struct = Struct
    _array.array = _array.ArrayType = array
    ctypes.c_long = ctypes.c_ssize_t = ctypes.c_longlong
    ctypes.c_ulong = ctypes.c_size_t = ctypes.c_ulonglong


def _install_hash():
    import decimal
    import fractions
    import random

    _RULES[decimal.Decimal.__hash__] = _of_real
    _builtins.hash = hash64
    fractions._PyHASH_MODULUS, fractions._PyHASH_INF = _MODULUS, _INFINITY
    info = _collections.namedtuple("hash_info", "width modulus inf nan imag algorithm hash_bits seed_bits cutoff")
    info.__name__ = "sys.hash_info"
    _sys.hash_info = info(64, _MODULUS, _INFINITY, 0, _IMAGINARY, "siphash13", 64, 128, 0)
    seed = random.Random.seed

    def seed_by_hash(self, a=None, version=2):
        seed(self, hash64(a) & _MASK if isinstance(a, float) else a, version)

    random.Random.seed = seed_by_hash
    random.seed = random._inst.seed


def _install_sizes():
    import _csv
    import compression._common._streams as streams
    import csv

    # It asks C for as many bytes as there can be.
    streams.sys = _types.SimpleNamespace(maxsize=_sys.maxsize)
    narrow, given = _csv.field_size_limit, []

    def field_size_limit(*limits):
        before = given[-1] if given else narrow()
        narrow(*(min(one, 2**31 - 1) if isinstance(one, int) else one for one in limits))
        given[:] = limits or given
        return before

    csv.field_size_limit = _csv.field_size_limit = field_size_limit
    _sys.maxsize = 2**63 - 1


def _install_clock():
    """Emscripten names the zone by its offset, UTC-0000, in C's `tzname`."""
    import ctypes
    import time

    for place in (ctypes.c_void_p * 2).in_dll(ctypes.CDLL(None), "tzname"):
        ctypes.memmove(place, b"UTC\0", 4)
    time.tzname = ("UTC", "UTC")


def _install_pools():
    import concurrent.futures
    import concurrent.futures.thread as thread

    class ThreadPoolExecutor(concurrent.futures.Executor):
        """Runs each call when it is submitted: the same results, at another time."""

        def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
            if max_workers is not None and max_workers <= 0:
                raise ValueError("max_workers must be greater than 0")
            self._max_workers = max_workers or 1
            self._shutdown = False
            if initializer is not None:
                initializer(*initargs)

        def submit(self, fn, /, *args, **kwargs):
            if self._shutdown:
                raise RuntimeError("cannot schedule new futures after shutdown")
            future = concurrent.futures.Future()
            future.set_running_or_notify_cancel()
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)
            return future

        def shutdown(self, wait=True, *, cancel_futures=False):
            self._shutdown = True

    thread.ThreadPoolExecutor = concurrent.futures.ThreadPoolExecutor = ThreadPoolExecutor


def _loop_for_time_only():
    import asyncio
    import time

    class Clock:
        """Stands for a selector of files and sockets: nothing but time passes."""

        def select(self, timeout=None):
            if timeout is None:
                raise RuntimeError("the coroutine waits for something that never comes")
            time.sleep(max(timeout, 0))
            return []

    class Loop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = Clock()

        def _process_events(self, events):
            pass

        def _write_to_self(self):
            pass

        def run_in_executor(self, executor, func, *args):
            future = self.create_future()
            try:
                future.set_result(func(*args))
            except Exception as error:
                future.set_exception(error)
            return future

    return Loop


def _install_asyncio():
    import asyncio
    from asyncio import events

    from pyodide import webloop

    Loop = _loop_for_time_only()

    class Policy(events._BaseDefaultEventLoopPolicy):
        _loop_factory = Loop

        def get_event_loop(self):
            # Made when it is first asked for, as before 3.14.
            if self._local._loop is None:
                self.set_event_loop(self.new_event_loop())
            return super().get_event_loop()

    events._set_event_loop_policy(Policy())
    asyncio.new_event_loop = events.new_event_loop = Loop
    # Pyodide's own would run on the loop of JavaScript.
    asyncio.run = webloop._orig_run


def install():
    _install_words()
    _install_hash()
    _install_sizes()
    _install_clock()
    _install_pools()


def settle(minor):
    """For an image with Python 3.`minor`, in a process that has booted."""
    if minor >= 12:
        _RULES[type(None).__hash__] = lambda _: 0xFCA86420
    _install_asyncio()
    import asyncio

    asyncio._set_running_loop(None)
