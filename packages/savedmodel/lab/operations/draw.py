"""Random shapes and values, with what breaks converters drawn often: sizes 0 and 1, odd and prime; NaN, infinities, zeros of both
signs; the ends of integer types."""

import numpy as np

FLOATS = ("float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
SIZES = (1, 1, 2, 3, 4, 5, 7, 11)
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 1.0, -1.0, 1e30, -1e30, 1e-30, 3e9, -3e9)


class Draw:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def one(self, *choices):
        return choices[self.random.integers(len(choices))]

    def integer(self, low, high):
        """low ≤ result ≤ high"""
        return int(self.random.integers(low, high + 1))

    def size(self):
        return 0 if self.chance(0.03) else self.one(*SIZES)

    def shape(self, low=0, high=4):
        """A shape of a rank between the two, of at most 300 elements."""
        while True:
            shape = [self.size() for _ in range(self.integer(low, high))]
            if np.prod(shape) <= 300:
                return shape

    def shapes(self, count, low=0, high=4):
        """Shapes that NumPy's rules broadcast; now and then shapes that they do not."""
        whole = self.shape(low, high)
        result = []
        for index in range(count):
            rank = len(whole) if index == 0 else self.integer(0, len(whole))
            own = whole[len(whole) - rank :]
            result.append([1 if self.chance(0.2) else size for size in own])
        if self.chance(0.02) and result[-1]:
            result[-1][-1] += 1
        return result[::-1] if self.chance(0.5) else result

    def values(self, shape, dtype="float32", domain="any"):
        """domain: any | extreme (with the ends of the floats) | plain (no special values) | odd (plain, NaN and infinities) | positive |
        unit (-1 … 1)"""
        shape = [int(size) for size in shape]
        dtype = np.dtype(dtype)
        if dtype == bool:
            return self.random.random(shape) < 0.5
        if dtype.kind in "iu":
            return self.integers(shape, dtype, domain)
        numbers = self.random.normal(size=shape) * self.one(0.5, 2, 10)
        if self.chance(0.2):
            numbers = np.round(numbers)  # ties
        elif domain in ("plain", "odd"):
            numbers = np.round(numbers * 32) / 32  # few digits, which files hold in few bytes
        if domain == "positive":
            numbers = np.abs(numbers) + 0.1
        if domain == "unit":
            numbers = np.tanh(numbers)
        if domain in ("any", "extreme") and self.chance(0.3):
            ends = (float(np.finfo(dtype).max), float(np.finfo(dtype).min)) if domain == "extreme" else ()
            spots = self.random.random(shape) < 0.3
            numbers = np.where(spots, self.random.choice(SPECIAL + ends, shape), numbers)
        if domain == "odd":
            spots = self.random.random(shape) < self.one(0.02, 0.3)
            numbers = np.where(spots, self.random.choice((np.nan, np.inf, -np.inf, 0.0), shape), numbers)
        with np.errstate(over="ignore"):
            return np.asarray(numbers).astype(dtype)

    def integers(self, shape, dtype, domain):
        limits = np.iinfo(dtype)
        signed = dtype.kind == "i"
        if domain in ("any", "extreme") and self.chance(0.3):
            ends = [limits.min, limits.max, limits.max - 1, 0, 1, limits.max // 2] + ([-1, limits.min + 1] if signed else [])
            some = self.random.choice(np.array(ends, dtype=dtype), shape)
            whole = self.random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
            return np.where(self.random.random(shape) < 0.5, some, whole).astype(dtype)
        low = 1 if domain == "positive" else (-9 if signed else 0)
        return self.random.integers(low, 10, shape).astype(dtype)

    def axis(self, rank):
        """From -rank to rank - 1; now and then outside of it."""
        if rank == 0 or self.chance(0.01):
            return self.one(rank, -rank - 1)
        return self.integer(-rank, rank - 1)

    def axes(self, rank):
        """Different axes, some counted from the back, perhaps none."""
        chosen = self.random.permutation(rank)[: self.integer(0, rank)]
        return [int(axis) - rank if self.chance(0.5) else int(axis) for axis in chosen]

    def index_type(self):
        return self.one("int32", "int64")
