"""Chains of two to four operations with constants between them, which TensorFlow's optimizer rewrites. Each number is compared by its own size."""

import numpy as np
import tensorflow as tf

from cases import Case, fed

m = tf.math
EDGES = np.array(
    [0, -0.0, 1e-9, 3e-8, 5e-8, 1e-7, 1e-6, 1e-4, 1e-3, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1, 1.5, 2, 2.5, 3, 5, 7, 7.9, 8, 8.5, 9, 10, 12, 15, 16, 16.6, 17, 17.5]
    + [18, 20, 25, 30, 33, 49, 70, 87, 88, 89, 100, 103, 127, 150, 200, 255, 1e3, 12345.678, 1e6, 16777217, 1e8, 1e20, 1e30, 1e38, np.inf, np.nan]
)
SCALARS = (0.1, 0.2, 0.3, 3, 5, 7, 10, 1, 1, 2, 0.5, 127.5, 255, 0.299, 1e-7, 1e-6, 1e8, -1, -2, 1e20, 1e-20, 1e30, 49, 0, 365.25, 1.1, 6, 1e-3)
POWERS = (2.0, 3.0, 0.5, 1.0, -1.0, -0.5, 0.0, 4.0, 1.5)
BINARY = {
    "+": lambda x, c: x + c,
    "r+": lambda x, c: c + x,
    "-": lambda x, c: x - c,
    "r-": lambda x, c: c - x,
    "*": lambda x, c: x * c,
    "r*": lambda x, c: c * x,
    "/": lambda x, c: x / c,
    "r/": lambda x, c: c / x,
}
UNARY = dict(
    **dict(sigmoid=tf.sigmoid, tanh=tf.tanh, exp=tf.exp, log=m.log, log1p=m.log1p, expm1=m.expm1, sqrt=tf.sqrt, rsqrt=m.rsqrt, square=tf.square),
    **dict(relu=tf.nn.relu, relu6=tf.nn.relu6, erf=m.erf, softplus=m.softplus, abs=tf.abs, neg=tf.negative, floor=tf.floor, ceil=m.ceil, round=tf.round),
    **dict(softmax=tf.nn.softmax, recip=m.reciprocal, softsign=m.softsign, sign=tf.sign, atan=tf.atan, elu=tf.nn.elu, identity=tf.identity, stop=tf.stop_gradient),
)
FRONTS = {
    "reshape": lambda x: tf.reshape(x, [-1, 4]),
    "matmul": lambda x: tf.matmul(tf.reshape(x, [-1, 4]), tf.constant(np.eye(4), x.dtype)),
    "ensure": lambda x: tf.ensure_shape(x, [None, 4]),
}
JOINS = {"j+": lambda a, b: a + b, "j*": lambda a, b: a * b, "j-": lambda a, b: b - a, "j?": lambda a, b: tf.where(a > 0, b, a)}


def known(x):
    """What a cast to integers or an order of numbers is defined for."""
    return tf.where(m.is_nan(x), tf.zeros_like(x), x)


def pixels(x):
    half = tf.constant(127.5, x.dtype)
    return tf.clip_by_value(known(x) * half + half, tf.constant(0, x.dtype), tf.constant(255, x.dtype))


ENDS = {
    "argmax": lambda x, c: tf.argmax(x, -1),
    "argmin": lambda x, c: tf.argmin(x, -1),
    "max": lambda x, c: tf.reduce_max(x, -1),
    "min": lambda x, c: tf.reduce_min(x, -1),
    "int32": lambda x, c: tf.cast(tf.clip_by_value(known(x), tf.constant(-1e9, x.dtype), tf.constant(1e9, x.dtype)), tf.int32),
    "uint8": lambda x, c: tf.cast(pixels(x), tf.uint8),
    "floor": lambda x, c: tf.floor(x),
    "eq": lambda x, c: tf.equal(x, c),
    "less": lambda x, c: x < c,
    "not>": lambda x, c: tf.logical_not(x > c),
    # Of two numbers, which have one order.
    "sum": lambda x, c: tf.reduce_sum(x[:, :2], -1),
    "floor/": lambda x, c: tf.floor(x / c),
    "mod": lambda x, c: m.floormod(x, tf.constant(7, x.dtype)),
    "topk": lambda x, c: m.top_k(known(x), 2).indices,
    "any": lambda x, c: tf.reduce_any(tf.logical_not(x <= c), -1),
    "cumsum": lambda x, c: x + tf.cumsum(x, -1),
    "none": lambda x, c: x,
}


def constant(draw):
    return [draw.one(*SCALARS[:-6]) for _ in range(4)] if draw.chance(0.12) else draw.one(*SCALARS)


def step(draw):
    """Words and a function."""
    kind = draw.random.random()
    if kind < 0.55:
        name, c = draw.one("+", "r+", "-", "r-", "*", "r*", "/", "/", "/", "r/"), constant(draw)
        return f"{name}{c}", lambda x: BINARY[name](x, tf.constant(c, x.dtype))
    if kind < 0.63:
        power = draw.one(*POWERS)
        return f"pow{power}", lambda x: tf.pow(x, tf.constant(power, x.dtype))
    name = draw.one(*UNARY)
    return name, UNARY[name]


# A number that an end computes before it decides.
WITHIN = {"floor/": lambda x, c: x / c}


def end(draw):
    """A word, a function, and the number that the function decides by."""
    name, c = draw.one(*ENDS, "argmax"), constant(draw)
    within = WITHIN.get(name, lambda x, c: x)
    return name, lambda x: ENDS[name](x, tf.constant(c, x.dtype)), lambda x: within(x, tf.constant(c, x.dtype))


ROWS = 12
# Few arrays for many chains, so that files are small.
POOL = 24


def some_values(draw):
    shape = (ROWS, 4)
    edges = draw.random.choice(EDGES, shape) * draw.random.choice([1, 1, 1, -1], shape)
    plain = draw.random.normal(0, draw.one(0.3, 2, 10, 30), shape)
    x = np.where(draw.random.random(shape) < 0.6, edges, np.round(plain, 1) if draw.chance(0.5) else plain)
    x[draw.random.random(ROWS) < 0.4] = draw.random.normal(0, draw.one(1, 5, 20, 50), 4)
    return x


def values(draw, dtype):
    if not hasattr(draw, "pool"):
        draw.pool = [some_values(draw) for _ in range(POOL)]
    return draw.one(*draw.pool).astype(dtype)


def chain(draw):
    dtype = "float64" if draw.chance(0.1) else "float32"
    words, steps = map(list, zip(*(step(draw) for _ in range(draw.integer(2, 4)))))
    front = draw.one(*FRONTS) if draw.chance(0.3) else None
    join = (draw.one(*JOINS), draw.integer(1, len(steps))) if draw.chance(0.3) else None
    also = draw.integer(1, len(steps)) if draw.chance(0.3) else None
    ends = [end(draw) for _ in range(2 if draw.chance(0.15) else 1)]
    # Fetched by the name of the node that computes it, as of TensorFlow 1, or handed on, as a function's result is.
    returned = draw.chance(0.8)

    def steps_of(x):
        tensors = [x if front is None else FRONTS[front](x)]
        for one in steps:
            tensors.append(one(tensors[-1]))
        if join:
            tensors.append(JOINS[join[0]](tensors[join[1]], tensors[-1]))
        return tensors

    def run(x):
        tensors = steps_of(x)
        return [one(tensors[-1]) for _, one, _ in ends] + ([] if also is None else [tensors[also]])

    tolerance = 1e-5 if dtype == "float32" else 1e-9
    build = lambda x: [tf.identity(y) for y in run(x)] if returned else run(x)  # noqa: E731
    case = Case(build, fed(values(draw, dtype)), scale=2e-38 / tolerance, tolerance=tolerance)
    fetched = [] if also is None else [f"out{also}"]

    def on_the_way(x):
        tensors = steps_of(x)
        return tensors + [within(tensors[-1]) for _, _, within in ends]

    case.on_the_way = on_the_way
    case.words = " ".join([*([front] if front else []), *words, *([f"{join[0]}{join[1]}"] if join else []), *(name for name, _, _ in ends), *fetched, *([] if returned else ["kept"])])
    return case


def saturating(function, end, dtype="float32"):
    """To the bit: 1 - f(x) and f(x) == 1 are only as right as f."""

    def case(draw):
        sizes = 10.0 ** draw.random.uniform(-20, 1, 8) * draw.random.choice((-1.0, 1.0), 8)
        x = np.concatenate([draw.random.uniform(-20, 20, 8), draw.random.normal(0, 2, 8), end + draw.random.normal(0, 0.05, 8), sizes])
        return Case(function, fed(x.astype(dtype)), tolerance=1e-30)

    return case


def scaled(draw):
    """A factor beside a product of matrices, with all digits of float64."""
    rows, inner, columns = (draw.integer(1, 4) for _ in range(3))
    factor = draw.one(0.1, 0.3, 1 / 7, 365.25, 1e-20)
    form = draw.one(lambda a, b: tf.matmul(a, b) * factor, lambda a, b: tf.matmul(a * factor, b), lambda a, b: tf.matmul(a, b) / factor)
    return Case(form, fed(draw.values([rows, inner], "float64", "plain")), draw.values([inner, columns], "float64", "plain"), scale=0.1 * abs(factor))


FAMILIES = {
    "scaled products": {"MatMul": scaled},
    "rewritten chains": {"chain": chain},
    "saturation": {"Tanh": saturating(tf.tanh, 7.907), "Erf": saturating(m.erf, 3.8), "Sigmoid": saturating(tf.sigmoid, 16.6355), "Softsign": saturating(m.softsign, 1)},
    "saturation of doubles": {"Tanh": saturating(tf.tanh, 17.714, "float64"), "Sigmoid": saturating(tf.sigmoid, 37, "float64")},
}
