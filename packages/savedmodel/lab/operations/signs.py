"""Random cases of what Keras asks of the bits of floats: whether a zero is negative."""

import numpy as np
import tensorflow as tf

from cases import Case, fed, raw


def negative_zero(draw):
    value = draw.values(draw.shape(0, 3), "float32")
    value = np.where(draw.random.random(value.shape) < 0.3, np.float32(draw.one(0.0, -0.0)), value).astype("float32")
    other = draw.chance(0.5)

    def build(x):
        bits = raw.BitwiseAnd(x=raw.Bitcast(input=x, type=tf.int32), y=np.int32(-(2**31)))
        zero = raw.Equal(x=x, y=np.float32(0))
        is_negative = raw.LogicalAnd(x=zero, y=raw.Less(x=bits, y=np.int32(0)))
        return raw.SelectV2(condition=is_negative, t=np.float32(-1e-38), e=x) if other else is_negative

    return Case(build, fed(value))


def divisor(function):
    """In groups of eight numbers, as what is left over keeps its sign in TensorFlow."""

    def case(draw):
        dtype = draw.one("float32", "float64")
        shape = (draw.integer(1, 4), 8)
        x = np.where(draw.random.random(shape) < 0.5, draw.random.choice([0.0, -0.0], shape), draw.random.normal(0, 4, shape)).astype(dtype)
        factor, by = draw.one(1, -2, 0.5), draw.integer(0, 2)

        def build(x):
            y = tf.reshape(function(x), [-1, 4]) * tf.constant(factor, x.dtype)
            return (tf.constant(3, x.dtype) / y, tf.math.reciprocal(y), x / tf.reshape(y, tf.shape(x)))[by]

        return Case(build, fed(x))

    return case


FAMILIES = {
    "signs of zeros": {"Bitcast": negative_zero},
    "divisors of zero": {"Relu": divisor(tf.nn.relu), "Relu6": divisor(tf.nn.relu6)},
}
