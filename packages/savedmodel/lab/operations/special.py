"""Random cases of functions that few models have, and of operations on volumes."""

import numpy as np
import tensorflow as tf

from cases import Case, Input, fed, raw
from draw import FLOATS, INTEGERS


def unary(name, dtypes, domain="any"):
    return lambda draw: Case(lambda x: getattr(raw, name)(x=x), draw.values(draw.shape(0, 4), draw.one(*dtypes), draw.one(domain, "plain")))


def binary(name, dtypes):
    def case(draw):
        dtype = draw.one(*dtypes)
        left, right = draw.shapes(2, 0, 4)
        return Case(lambda x, y: getattr(raw, name)(**{"y" if name == "Atan2" else "x": x, "x" if name == "Atan2" else "y": y}), draw.values(left, dtype), draw.values(right, dtype))

    return case


def tangent(draw):
    # Far from zero, and near its poles, a tangent has few digits.
    return Case(lambda x: raw.Tan(x=x), np.clip(draw.values(draw.shape(0, 4), draw.one("float32", "float32", "float64"), "plain"), -1.4, 1.4))


def half_of_squares(draw):
    value = draw.values(draw.shape(0, 4), draw.one(*FLOATS), "plain")
    return Case(lambda x: raw.L2Loss(t=x), value, scale=float(np.square(value).sum()) + 1)


def volume_shape(draw, channels=None):
    sizes = [draw.integer(1, 6) for _ in range(3)]
    return [draw.one(1, 1, 2), *sizes, channels or draw.integer(1, 3)]


def spread(values, layout):
    return [1, 1, *values] if layout == "NCDHW" else [1, *values, 1]


def first(x):
    return tf.transpose(x, [0, 4, 1, 2, 3])


def last(x):
    return tf.transpose(x, [0, 2, 3, 4, 1])


def geometry(draw):
    layout, padding = draw.one("NDHWC", "NDHWC", "NDHWC", "NCDHW"), draw.one("SAME", "VALID")
    stride = draw.integer(1, 3)
    strides = [stride] * 3 if draw.chance(0.5) else [draw.integer(1, 4) for _ in range(3)]
    return layout, padding, strides


def given(x, layout):
    return fed(np.ascontiguousarray(x.transpose(0, 4, 1, 2, 3)) if layout == "NCDHW" else x)


def conv3d(draw):
    layout, padding, strides = geometry(draw)
    channels = draw.integer(1, 3)
    x = draw.values(volume_shape(draw, channels), "float32", "plain")
    filters = draw.values([*[draw.one(1, 2, 3) for _ in range(3)], channels, draw.integer(1, 3)], "float32", "plain")
    build = lambda x, f, layout: raw.Conv3D(input=x, filter=f, strides=spread(strides, layout), padding=padding, data_format=layout)
    return Case(
        lambda x, f: build(x, f, layout),
        given(x, layout),
        Input(filters, False),
        instead=lambda x, f: first(build(last(x), f, "NDHWC")) if layout == "NCDHW" else build(x, f, layout),
        scale=float(np.abs(x).max() * np.abs(filters).max() * 30),
    )


def conv3d_transposed(draw):
    layout, padding, strides = geometry(draw)
    filters = draw.values([*[draw.one(1, 2, 3) for _ in range(3)], draw.integer(1, 3), draw.integer(1, 3)], "float32", "plain")
    shape = volume_shape(draw, filters.shape[3])
    if padding == "VALID":
        shape[1:4] = [max(size, reach) for size, reach in zip(shape[1:4], filters.shape)]
    counts = [-(-(size if padding == "SAME" else size - reach + 1) // stride) for size, reach, stride in zip(shape[1:4], filters.shape, strides)]
    x = draw.values([shape[0], *counts, filters.shape[4]], "float32", "plain")
    sizes = np.array(shape, "int32")
    wanted = sizes[[0, 4, 1, 2, 3]] if layout == "NCDHW" else sizes
    build = lambda s, f, x, layout: raw.Conv3DBackpropInputV2(input_sizes=s, filter=f, out_backprop=x, strides=spread(strides, layout), padding=padding, data_format=layout)
    return Case(
        lambda s, f, x: build(s, f, x, layout),
        Input(wanted, draw.chance(0.3)),
        Input(filters, False),
        given(x, layout),
        instead=lambda s, f, x: first(build(tf.gather(s, [0, 2, 3, 4, 1]), f, last(x), "NDHWC")) if layout == "NCDHW" else build(s, f, x, layout),
        scale=float(np.abs(x).max() * np.abs(filters).max() * 30),
    )


def pool(name):
    def case(draw):
        layout, padding, strides = geometry(draw)
        x = draw.values(volume_shape(draw), "float32", "plain")
        window = [draw.integer(1, 3) for _ in range(3)]
        if padding == "VALID":
            window = [min(size, reach) for size, reach in zip(x.shape[1:4], window)]
        build = lambda x, layout: getattr(raw, name)(input=x, ksize=spread(window, layout), strides=spread(strides, layout), padding=padding, data_format=layout)
        return Case(lambda x: build(x, layout), given(x, layout), instead=lambda x: first(build(last(x), "NDHWC")) if layout == "NCDHW" else build(x, layout), scale=float(np.abs(x).max()))

    return case


SINGLE = ("float32", "float32", "float32", "float32", "float64")
FAMILIES = {
    "special functions": {
        "Tan": tangent,
        **{name: unary(name, SINGLE) for name in "Asin Acos Atan Asinh Acosh Atanh Sinh Cosh".split()},
        **{name: unary(name, FLOATS) for name in ("Expm1", "IsFinite")},
        "Atan2": binary("Atan2", SINGLE),
        **{name: binary(name, FLOATS) for name in ("Xlogy", "Xlog1py", "Xdivy", "MulNoNan")},
        "L2Loss": half_of_squares,
    },
    "bits": {**{name: binary(name, INTEGERS) for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")}, "Invert": unary("Invert", INTEGERS)},
    "volumes": {"Conv3D": conv3d, "Conv3DBackpropInputV2": conv3d_transposed, "MaxPool3D": pool("MaxPool3D"), "AvgPool3D": pool("AvgPool3D")},
}
