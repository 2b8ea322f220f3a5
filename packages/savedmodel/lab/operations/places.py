"""Operations where they can stand besides the graph itself: in a function, a branch, a loop, and a loop over rows."""

import tensorflow as tf

from cases import Case, tensors

PLACES = ("function", "branch", "loop", "map")
# What a loop or a branch cannot hold here: strings and complex numbers.
BARRED = {tf.string, tf.complex64, tf.complex128}


def placed(draw, case):
    """The case with its operation in one of the places."""
    place = draw.one(*PLACES)
    if case.renamed:
        return case

    def build(*given):
        called = tf.function(lambda: tensors(case.build(*given)), autograph=False)
        types = result.types or [tf.as_dtype(dtype) for dtype in called.get_concrete_function().output_dtypes]
        if place == "function" or BARRED & {*types, *(tensor.dtype for tensor in given)}:
            return called()
        if place == "branch":
            truth = tf.size(tf.shape(given[0])) >= 0 if given else tf.constant(True)
            return tf.cond(truth, lambda: tensors(case.build(*given)), lambda: tensors(case.build(*given)))
        if place == "map":
            rows = tf.map_fn(lambda _: tuple(tensors(case.build(*given))), tf.range(2), fn_output_signature=tuple(types))
            return [row[1] for row in rows]
        states = [tf.zeros([], dtype) for dtype in types]
        invariants = [tf.TensorShape([]), *(tf.TensorShape(None) for _ in states)]
        turn = lambda i, *_: (i + 1, *tensors(case.build(*given)))  # noqa: E731
        return tf.while_loop(lambda i, *_: i < 1, turn, (0, *states), shape_invariants=tuple(invariants))[1:]

    result = Case(build, *case.inputs, instead=case.instead, scale=case.scale, tolerance=case.tolerance, error=case.error)
    result.runs, result.on_the_way = case.runs, case.on_the_way
    result.words = f"{case.words} in a {place}" if case.words else ""
    return result
