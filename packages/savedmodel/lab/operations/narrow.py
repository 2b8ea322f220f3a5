"""Random cases in half precision, which enters and leaves the model, and in bfloat16, which stays within it."""

import math

import numpy as np
import tensorflow as tf

from cases import Case, Input, fed, raw

UNARY = "Abs Neg Square Sqrt Rsqrt Exp Tanh Sigmoid Relu Relu6 Elu Softplus Floor Round Log Sin".split()
BINARY = "AddV2 Sub Mul RealDiv Maximum Minimum SquaredDifference".split()


def half(build, shapes, domain="plain", tolerance=None):
    def case(draw):
        values = [fed(draw.values(shape, "float16", domain)) for shape in shapes(draw)]
        return Case(build, *values, tolerance=tolerance)

    return case


def rounded(build, shapes, tolerance=None, scale_of=max):
    """Computed in bfloat16 between casts. Without a tolerance the answer is TensorFlow's to the bit; else it may be off by that share of
    the largest input, or of what `scale_of` makes of the largest of each."""

    def case(draw):
        values = [draw.values(shape, "float32", "plain") for shape in shapes(draw)]
        narrow = lambda *given: tf.cast(build(*(tf.cast(x, tf.bfloat16) for x in given)), tf.float32)
        scale = scale_of([float(np.abs(value).max(initial=0)) for value in values]) if tolerance else 1.0
        return Case(narrow, *values, tolerance=tolerance or 1e-30, scale=max(1.0, scale))

    return case


def one(draw):
    return [draw.shape(0, 4)]


def two(draw):
    return draw.shapes(2, 0, 4)


def matrices(draw):
    rows, inner, columns = (draw.integer(1, 9) for _ in range(3))
    return [[rows, inner], [inner, columns]]


def images(draw):
    return [[draw.integer(1, 2), draw.integer(3, 8), draw.integer(3, 8), draw.integer(1, 3)]]


def convolution(draw):
    (shape,) = images(draw)
    return [shape, [draw.one(1, 2, 3), draw.one(1, 3), shape[3], draw.integer(1, 4)]]


def depthwise(draw):
    (shape,) = images(draw)
    return [shape, [draw.one(1, 2, 3), draw.one(1, 3), shape[3], draw.integer(1, 2)]]


def conv(x, f):
    return raw.Conv2D(input=x, filter=f, strides=[1, 1, 1, 1], padding="SAME")


def rows(draw):
    return [[draw.integer(1, 5), draw.integer(1, 9)]]


def unary(name):
    return lambda x: getattr(raw, name)(**{"features" if name in ("Relu", "Relu6", "Elu", "Softplus") else "x": x})


def binary(name):
    return lambda x, y: getattr(raw, name)(x=x, y=y)


#: What oneDNN or Eigen may add up in another order, or compute in more digits before it rounds: two units of the last place.
TWO_UNITS = 2.0**-7

FAMILIES = {
    "half precision": {
        **{name: half(unary(name), one, "positive" if name in ("Sqrt", "Rsqrt", "Log") else "plain") for name in UNARY},
        **{name: half(binary(name), two) for name in BINARY},
        "MatMul": half(lambda x, y: raw.MatMul(a=x, b=y), matrices, tolerance=1e-2),
        "Softmax": half(lambda x: raw.Softmax(logits=x), rows),
        "Mean": half(lambda x: raw.Mean(input=x, axis=[0]), rows, tolerance=5e-3),
        "Cast": half(lambda x: raw.Cast(x=x, DstT=tf.float32), one, "any"),
    },
    "bfloat16": {
        **{name: rounded(unary(name), one, TWO_UNITS if name in ("Exp", "Tanh", "Sigmoid", "Elu", "Log", "Sin", "Rsqrt") else None) for name in UNARY if name != "Softplus"},
        "Softplus": rounded(unary("Softplus"), one, 4 * TWO_UNITS),
        **{name: rounded(binary(name), two) for name in BINARY},
        "MatMul": rounded(lambda x, y: raw.MatMul(a=x, b=y), matrices, TWO_UNITS),
        "Conv2D": rounded(conv, convolution, TWO_UNITS),
        # TensorFlow rounds each partial sum of its products.
        "DepthwiseConv2dNative": rounded(lambda x, f: raw.DepthwiseConv2dNative(input=x, filter=f, strides=[1, 1, 1, 1], padding="SAME"), depthwise, TWO_UNITS, math.prod),
        "MaxPool": rounded(lambda x: raw.MaxPool(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"), images),
        "AvgPool": rounded(lambda x: raw.AvgPool(value=x, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID"), images, TWO_UNITS),
        "BiasAdd": rounded(lambda x, b: raw.BiasAdd(value=x, bias=b), lambda draw: [[3, draw.integer(1, 4), 5], [5]]),
        "Softmax": rounded(lambda x: raw.Softmax(logits=x), rows, 2 * TWO_UNITS),
        "Mean": rounded(lambda x: raw.Mean(input=x, axis=[-1]), rows, TWO_UNITS),
        "Sum": rounded(lambda x: raw.Sum(input=x, axis=[-1]), rows, 4 * TWO_UNITS),
        "Transpose": rounded(lambda x: raw.Transpose(x=x, perm=[1, 0]), rows),
        "ConcatV2": rounded(lambda x, y: raw.ConcatV2(values=[x, y], axis=0), lambda draw: [[2, 3], [draw.integer(1, 4), 3]]),
        "chain": rounded(lambda x, y: tf.nn.relu(x * tf.constant(0.3, tf.bfloat16) + y) / tf.constant(7.0, tf.bfloat16), two),
    },
}
