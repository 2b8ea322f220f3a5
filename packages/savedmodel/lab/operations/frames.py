"""Random cases of loops, branches and arrays of tensors as TensorFlow 1 has them: circles in the graph."""

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import control_flow_util

from cases import Case, Input, fed

v1 = tf.compat.v1


def as_before(build):
    """Built with the control flow of TensorFlow 1, whatever else is built in that graph."""

    def built(*given):
        enabled = control_flow_util.ENABLE_CONTROL_FLOW_V2
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
        try:
            return build(*given)
        finally:
            control_flow_util.ENABLE_CONTROL_FLOW_V2 = enabled

    return built


def inside(build, *inputs):
    return Case(as_before(build), *inputs, instead=tf.function(build, autograph=False))


def matrix(draw):
    return fed(draw.values([draw.integer(1, 3), 3], "float32", "plain"))


def turns(draw, most=5):
    return Input(np.int32(draw.integer(0, most)), draw.chance(0.7))


def change(draw):
    """One of a few things that a turn or a branch does to a matrix."""
    weights = np.round(draw.random.normal(size=[3, 3]) * 8).astype("float32") / 16
    return draw.one(
        lambda a, x, i: tf.tanh(a @ weights),
        lambda a, x, i: a * 0.5 + x,
        lambda a, x, i: a + i,
        lambda a, x, i: tf.zeros_like(a),
        lambda a, x, i: tf.reduce_max(a, 1, keepdims=True) - a,
        lambda a, x, i: a,
    )


def choice(draw, depth):
    """Branches, which may hold branches."""
    limit = draw.one(-1.0, 0.0, 0.5)
    sides = [choice(draw, depth - 1) if depth and draw.chance(0.5) else change(draw) for _ in range(2)]

    def build(a, x, i):
        return v1.cond(tf.reduce_sum(a) > limit, lambda: sides[0](a, x, i), lambda: sides[1](a, x, i))

    return build


def branches(draw):
    build = choice(draw, 2)
    return inside(lambda x, y: build(x, y, 2.0), given := matrix(draw), fed(given.value * 2))


def flags(draw):
    """A branch that a request chooses, with constants and several results."""
    constants = draw.values([2, 2], "float32", "plain")

    def build(flag, x):
        first = v1.cond(flag, lambda: tf.constant(constants[0]), lambda: tf.constant(constants[1]))
        return [first, *v1.cond(tf.logical_not(flag), lambda: (x, tf.reduce_sum(x)), lambda: (-x, tf.reduce_max(x)))]

    return inside(build, fed(np.bool_(draw.chance(0.5))), matrix(draw))


def repeated(draw, depth):
    """A loop, which may hold loops and branches."""
    inner = draw.integer(0, 3)
    body = repeated(draw, depth - 1) if depth and inner == 0 else choice(draw, 1) if inner == 1 else change(draw)
    count, stops = draw.integer(0, 3), draw.chance(0.3)

    def build(a, x, i):
        def goes_on(j, b):
            return tf.logical_and(j < count, tf.reduce_sum(tf.abs(b)) < 50.0) if stops else j < count

        shape = tf.TensorShape([None, None])
        return v1.while_loop(goes_on, lambda j, b: (j + 1, body(b, x, tf.cast(j, tf.float32))), [tf.constant(0), a], shape_invariants=[tf.TensorShape([]), shape])[1]

    return build


def loops(draw):
    build = repeated(draw, 1)
    return inside(lambda x, y: build(x, y, 1.0), given := matrix(draw), fed(given.value * 0.5))


def counted(draw):
    """As often as a request says, with several states."""
    step = change(draw)

    def build(n, x):
        return v1.while_loop(lambda i, a, s: i < n, lambda i, a, s: (i + 1, step(a, x, 1.0), s + tf.cast(i, tf.float32)), [0, x, 0.0], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, None]), tf.TensorShape([])])

    return inside(build, turns(draw), matrix(draw))


def arrays(draw):
    kind = draw.integer(0, 4)
    rows = fed(draw.values([draw.integer(1, 4), 3], "float32", "plain"))
    if kind == 0:
        return inside(lambda x: tf.map_fn(lambda row: row * 2.0 - tf.reduce_sum(row), x), rows)
    if kind == 1:
        return inside(lambda x: tf.scan(lambda total, row: total * 0.5 + row, x), rows)
    if kind == 2:

        def growing(n, x):
            array = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[None, 3])
            _, array = v1.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x + tf.cast(i, tf.float32))), [0, array])
            return array.stack(), array.size()

        return inside(growing, Input(np.int32(draw.integer(1, 4)), True), matrix(draw))
    places = [draw.integer(0, 2) for _ in range(draw.integer(1, 3))]

    def picked(x):
        array = tf.TensorArray(tf.float32, 3, clear_after_read=False).write(0, x).write(1, x * 2.0).write(2, x + 1.0)
        return [array.gather(places), array.read(places[0])]

    if kind == 3:
        return inside(picked, matrix(draw))
    weights = np.round(draw.random.normal(size=[3, 3]) * 8).astype("float32") / 16

    def recurrent(x):
        count = tf.shape(x)[0]
        inputs, outputs = tf.TensorArray(tf.float32, count).unstack(x), tf.TensorArray(tf.float32, count)

        def step(i, out, state):
            state = tf.tanh(state @ weights + tf.reshape(inputs.read(i), [1, 3]))
            return i + 1, out.write(i, state), state

        _, outputs, state = v1.while_loop(lambda i, *_: i < count, step, [0, outputs, tf.zeros([1, 3])])
        return outputs.stack(), state

    return inside(recurrent, rows)


FAMILIES = {
    "frames": {
        "Switch and Merge": branches,
        "Switch and Merge by a flag": flags,
        "Enter and Exit": loops,
        "Enter and Exit, counted": counted,
        "TensorArrayV3": arrays,
    },
}
