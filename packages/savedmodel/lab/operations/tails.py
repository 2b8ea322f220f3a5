"""Functions at tiny and huge values, compared by their digits, and products of narrow integers. Elu and Selu are not among them: their
digits in TensorFlow depend on the place in the tensor."""

import numpy as np

from cases import Case, raw

# What float32 holds with all its digits, and not less.
SMALLEST = 1.2e-38


def spread(draw, dtype, low, high):
    """Numbers of both signs and of every size between the powers of ten."""
    shape = draw.shape(1, 2)
    sizes = 10.0 ** draw.random.uniform(low, high, shape)
    return (sizes * draw.random.choice((-1.0, 1.0), shape)).astype(dtype)


def tail(name, high=2, types=("float32", "float32", "float64"), tolerance=None, argument="x", inside=False):
    def case(draw):
        dtype = draw.one(*types)
        values = spread(draw, dtype, -30, high)
        if inside:
            values = np.tanh(values)
        allowed = tolerance or {"float32": 1e-5, "float64": 1e-9}[dtype]
        return Case(lambda x: getattr(raw, name)(**{argument: x}), values, scale=SMALLEST / allowed * 10, tolerance=allowed)

    return case


def xlog1py(draw):
    dtype = draw.one("float32", "float64")
    x = spread(draw, dtype, -3, 3)
    y = np.abs(np.resize(spread(draw, dtype, -18, 3), x.shape)).astype(dtype)
    allowed = {"float32": 1e-5, "float64": 1e-9}[dtype]
    return Case(lambda x, y: raw.Xlog1py(x=x, y=y), x, y, scale=SMALLEST / allowed * 10, tolerance=allowed)


def narrow_product(draw):
    rows, inner, columns = draw.size(), max(1, draw.size()), draw.size()
    batch = draw.shape(0, 1)
    left = draw.values([*batch, rows, inner], draw.one("int8", "uint8"), "extreme")
    right = draw.values([*batch, inner, columns], draw.one("int8", "uint8"), "extreme")
    # Scaled behind, as Keras's quantized layers do.
    return Case(lambda x, y: raw.Cast(x=raw.BatchMatMulV3(x=x, y=y, Tout=np.int32), DstT=np.float32), left, right)


SINGLE = ("float32",)
FAMILIES = {
    "tails": {
        "Sigmoid": tail("Sigmoid", 1.94),
        "Log1p": tail("Log1p"),
        "Xlog1py": xlog1py,
        "Erfc": tail("Erfc", 0.95, SINGLE),
        "Expm1": tail("Expm1", 1.9),
        "Tanh": tail("Tanh"),
        "Softplus": tail("Softplus", 1.9, argument="features"),
        "Softsign": tail("Softsign", argument="features"),
        "Asinh": tail("Asinh", types=SINGLE),
        "Atanh": tail("Atanh", types=SINGLE, inside=True),
        "Sinh": tail("Sinh", 1.9, SINGLE),
        "Erf": tail("Erf", types=SINGLE),
        "Rsqrt": tail("Rsqrt"),
        "Exp": tail("Exp", 1.9),
        "Log": tail("Log"),
        "Tan": tail("Tan", 0, SINGLE),
    },
    "narrow products": {"BatchMatMulV3": narrow_product},
}
