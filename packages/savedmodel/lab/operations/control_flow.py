"""Random cases of loops, branches, and lists of tensors in them."""

import numpy as np
import tensorflow as tf

from cases import Case, Input, fed, raw

ANY = ("float32", "float32", "float32", "float64", "int32", "int64", "bool", "uint8")


def inside(build, *inputs, **options):
    """TensorFlow computes it as a graph, too: eagerly its loops are Python's."""
    return Case(build, *inputs, instead=tf.function(build, autograph=False), **options)


def small(draw, shape, dtype="float32"):
    return draw.values(shape, dtype, "small" if np.dtype(dtype).kind in "iu" else "plain")


def turns(draw, most=6):
    """How often a loop runs, which requests say or the model."""
    return Input(np.int32(0 if draw.chance(0.05) else draw.integer(1, most)), draw.chance(0.6))


def repeated(turns, body, *states):
    """The states after the turns; where a shape is open, all are."""
    known = all(state.shape.is_fully_defined() for state in states)
    invariants = [state.shape if known else tf.TensorShape(None) for state in states]
    return tf.while_loop(lambda i, *_: i < turns, lambda i, *given: (i + 1, *body(i, *given)), (0, *states), shape_invariants=(tf.TensorShape([]), *invariants))[1:]


def loop(draw):
    kind = draw.integer(0, 6)
    value = small(draw, draw.shape(0, 3))
    other = small(draw, value.shape)
    if kind == 0:  # a state, what it captures, and another state that nothing needs
        return inside(lambda n, x, y: repeated(n, lambda i, a, b: (a * 0.5 + y, b + a), x, y)[0], turns(draw), value, other)
    if kind == 1:  # the data decide when it ends
        limit = np.float32(draw.integer(5, 50))
        return inside(lambda x, y: tf.while_loop(lambda i, a: tf.logical_and(i < 50, tf.reduce_sum(tf.abs(a)) < y), lambda i, a: (i + 1, a * 1.5 + 1.0), (0, x)), value, limit, scale=100.0)
    if kind == 2:  # a state that grows
        rows = small(draw, [draw.integer(1, 3), draw.integer(1, 3)])
        shapes = (tf.TensorShape([]), tf.TensorShape([None, None] if draw.chance(0.5) else None))
        return inside(lambda n, x: tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.concat([a, a[:1] + 1.0], 0)), (0, x), shape_invariants=shapes), turns(draw), rows)
    if kind == 3:  # states that change places
        return inside(lambda n, x, y: repeated(n, lambda i, a, b: (b, a + 1.0), x, y), turns(draw), value, other)
    if kind == 4:  # a loop in a loop
        return inside(lambda n, x: repeated(n, lambda i, a: repeated(i, lambda j, b: [b * 0.5 + x], a), x), turns(draw, 4), value)
    if kind == 5:  # a branch in a loop
        return inside(lambda n, x: repeated(n, lambda i, a: [tf.cond(tf.equal(i % 2, 0), lambda: a + x, lambda: -a)], x), turns(draw), value)
    step = small(draw, draw.shape(0, 2), draw.one("int32", "int64", "uint8", "float64"))
    return inside(lambda n, x: repeated(n, lambda i, a: [a + x], x), turns(draw), step)


def branch(draw):
    truth = fed(np.bool_(draw.chance(0.5)))
    dtype = draw.one(*ANY)
    one, other = draw.values(draw.shape(0, 3), dtype), draw.values(draw.shape(0, 3), dtype)
    kind = draw.integer(0, 3)
    if kind == 0:
        return inside(lambda p, x, y: tf.cond(p, lambda: x, lambda: y), truth, one, other)
    if kind == 1:
        limit = np.int32(draw.integer(-2, 2))
        return inside(lambda i, y, x: tf.cond(i < y, lambda: (x, i), lambda: (tf.zeros_like(x), y)), fed(np.int32(draw.integer(-2, 2))), limit, one)
    if kind == 2:
        return inside(lambda p, q, x, y: tf.cond(p, lambda: tf.cond(q, lambda: x, lambda: y), lambda: x), truth, fed(np.bool_(draw.chance(0.5))), one, other)
    numbers = small(draw, draw.shape(1, 2))
    return inside(lambda p, x: tf.cond(p, lambda: tf.reduce_sum(x, 0), lambda: tf.reduce_mean(x, 0) * 2.0), truth, numbers, scale=10.0)


def shape_said(draw, shape):
    """Of elements: all sizes, some, or not even their number."""
    kind = draw.integer(0, 2)
    return np.int32(-1) if kind == 0 else np.int32([-1 if kind == 1 and draw.chance(0.5) else size for size in shape])


def listing(draw):
    """A loop that reads a list and writes another, as recurrent networks do."""
    length = draw.integer(1, 6)
    rows = small(draw, [length, *draw.shape(0, 2)])
    dtype, element = tf.float32, shape_said(draw, rows.shape[1:])
    kind = draw.integer(0, 5)

    def build(x):
        source = raw.TensorListFromTensor(tensor=x, element_shape=element)
        count = {3: length + 2, 5: 1}.get(kind, length)
        target = raw.TensorListReserve(element_shape=element, num_elements=count, element_dtype=dtype)

        def turn(i, state, target):
            at = length - 1 - i if kind == 1 else i
            item = raw.TensorListGetItem(input_handle=source, index=at, element_shape=element, element_dtype=dtype)
            state = tf.ensure_shape(state * 0.5 + item, rows.shape[1:])
            place = {2: length - 1 - i, 5: 0}.get(kind, i)
            if kind == 4:  # what has been written is read
                before = raw.TensorListGetItem(input_handle=target, index=tf.maximum(i - 1, 0), element_shape=element, element_dtype=dtype)
                state = tf.ensure_shape(tf.cond(i > 0, lambda: state + before, lambda: state), rows.shape[1:])
            return i + 1, state, raw.TensorListSetItem(input_handle=target, index=place, item=state)

        _, state, target = tf.while_loop(lambda i, *_: i < length, turn, (0, tf.zeros_like(x[0]), target), shape_invariants=(tf.TensorShape([]), tf.TensorShape(rows.shape[1:]), tf.TensorShape(None)))
        return raw.TensorListStack(input_handle=target, element_shape=np.int32(rows.shape[1:]), element_dtype=dtype), state

    return inside(build, fed(rows) if draw.chance(0.8) else rows)


def array(draw):
    """tf.TensorArray, tf.map_fn and tf.scan."""
    rows = small(draw, [draw.integer(1, 5), *draw.shape(0, 2)])
    kind = draw.integer(0, 3)
    if kind == 0:
        return inside(lambda x: tf.map_fn(lambda row: row * 2.0 + 1.0, x), fed(rows))
    if kind == 1:
        return inside(lambda x: tf.scan(lambda total, row: total * 0.5 + row, x), fed(rows))

    def growing(n, x):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        _, array = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x + tf.cast(i, tf.float32))), (0, array))
        return array.stack()

    if kind == 2:
        return inside(growing, turns(draw), rows)
    return inside(lambda x, i: tf.TensorArray(tf.float32, size=rows.shape[0]).unstack(x).read(i), rows, fed(np.int32(draw.integer(0, rows.shape[0] - 1))))


def list_operation(name):
    def case(draw):
        rows = draw.values([draw.integer(1, 4), *[max(1, size) for size in draw.shape(0, 2)]], draw.one(*ANY))
        element = shape_said(draw, rows.shape[1:])
        own, dtype = np.int32(rows.shape[1:]), tf.as_dtype(rows.dtype)

        def build(x, i):
            handle = raw.TensorListFromTensor(tensor=x, element_shape=element)
            if name == "TensorListLength":
                return raw.TensorListLength(input_handle=handle)
            if name == "TensorListGather":
                return raw.TensorListGather(input_handle=handle, indices=[i, 0], element_shape=element, element_dtype=dtype)
            if name == "TensorListPushBack":
                handle = raw.EmptyTensorList(element_shape=element, max_num_elements=-1, element_dtype=dtype)
                for place in range(3):
                    handle = raw.TensorListPushBack(input_handle=handle, tensor=x[place % rows.shape[0]])
            else:
                handle = raw.TensorListSetItem(input_handle=handle, index=i, item=x[0])
            return raw.TensorListStack(input_handle=handle, element_shape=own, element_dtype=dtype)

        return inside(build, rows, fed(np.int32(draw.integer(0, rows.shape[0] - 1 if draw.chance(0.95) else 9))))

    return case


LISTS = ("TensorListLength", "TensorListGather", "TensorListPushBack", "TensorListStack")

FAMILIES = {
    "loops": {"StatelessWhile": loop},
    "branches": {"StatelessIf": branch},
    "lists of tensors": {
        **{name: listing for name in ("TensorListFromTensor", "TensorListReserve", "TensorListGetItem", "TensorListSetItem")},
        "TensorArray": array,
        **{name: list_operation(name) for name in LISTS},
    },
}
