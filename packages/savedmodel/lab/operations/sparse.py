"""Random cases of sparse tensors, of rows picked into segments, and of buckets."""

import numpy as np
import tensorflow as tf

from cases import Case, fed, held, raw


def sparse(draw, low=1, high=3, dtype=None):
    """Places in order, values, and the shape of the whole."""
    shape = [draw.integer(1, 4) for _ in range(draw.integer(low, high))]
    size = int(np.prod(shape))
    places = np.sort(draw.random.permutation(size)[: draw.integer(0, size)])
    indices = np.stack(np.unravel_index(places, shape), 1).astype("int64") if len(places) else np.zeros([0, len(shape)], "int64")
    kind = dtype or draw.one("float32", "int64", "int32", "float64", "string")
    if kind == "string":
        values = np.empty(len(places), object)
        values[:] = [draw.one(b"a", b"bc", "é".encode()) for _ in places]
    else:
        values = draw.values([len(places)], kind, "plain")
    return indices, values, np.int64(shape)


def filler(draw, values):
    return np.array(b"?", object) if values.dtype == object else draw.values([], values.dtype, "plain")


def to_dense(draw):
    indices, values, shape = sparse(draw)
    if draw.chance(0.04) and len(indices):
        indices[0] += 9
    if draw.chance(0.04):
        indices = indices[::-1].copy()
    kind = draw.one("int64", "int32")
    if len(shape) == 1 and draw.chance(0.5):
        indices = indices[:, 0]
    if len(values) and draw.chance(0.2):
        values = values[0]
    values = np.asarray(values, object) if isinstance(values, bytes) else np.asarray(values)
    return Case(lambda i, s, v, d: raw.SparseToDense(sparse_indices=i, output_shape=s, sparse_values=v, default_value=d, validate_indices=True), fed(indices.astype(kind)), held(shape.astype(kind)), fed(values), held(filler(draw, values)))


def fill(draw):
    indices, values, shape = sparse(draw)
    if draw.chance(0.2):
        order = draw.random.permutation(len(indices))
        indices, values = indices[order], values[order]
    if draw.chance(0.03) and len(indices):
        indices[0, 0] = 7
    return Case(lambda i, v, s, d: list(raw.SparseFillEmptyRows(indices=i, values=v, dense_shape=s, default_value=d)), fed(indices), fed(values), fed(shape), held(filler(draw, values)))


def reshape(draw):
    indices, _, shape = sparse(draw)
    size = int(np.prod(shape))
    wanted = draw.one([-1], [size], [size, 1], [-1, int(shape[-1])], [int(shape[0]), -1], [-1, 5])
    return Case(lambda i, s, w: list(raw.SparseReshape(input_indices=i, input_shape=s, new_shape=w)), fed(indices), fed(shape), held(np.int64(wanted)))


def segments(name):
    def case(draw):
        rows = draw.integer(1, 5)
        data = draw.values([rows, *draw.shape(0, 2)], draw.one("float32", "float32", "float64") if name != "SparseSegmentSum" else draw.one("float32", "float64", "int32", "int64"), "plain")
        count = draw.integer(0, 6)
        places = draw.random.integers(0, rows, count)
        if count and draw.chance(0.03):
            places[0] = draw.one(-1, rows)
        ids = np.sort(draw.random.integers(0, 4, count))
        kind = draw.index_type()
        return Case(lambda d, i, s: getattr(raw, name)(data=d, indices=i, segment_ids=s), fed(data), fed(places.astype(kind)), fed(ids.astype("int32")))

    return case


def bucketize(draw):
    boundaries = sorted(float(np.float32(value)) for value in draw.values([draw.integer(1, 5)], "float32", "plain"))
    given = draw.values(draw.shape(0, 3), draw.one("float32", "float32", "float64", "int32", "int64"), draw.one("plain", "odd"))
    if given.dtype.kind == "f" and given.size and draw.chance(0.4):
        given.reshape(-1)[0] = boundaries[0]
    return Case(lambda x: raw.Bucketize(input=x, boundaries=boundaries), given)


def looked_up(draw):
    """As an embedding of a feature with any number of words is summed up."""
    indices, values, shape = sparse(draw, 2, 2, "int64")
    table = draw.values([5, 3], "float32", "plain")
    values = np.abs(values) % 5
    combiner = draw.one("sum", "mean", "sqrtn")

    def build(i, v, s):
        return tf.nn.safe_embedding_lookup_sparse(tf.constant(table), tf.SparseTensor(i, v, s), combiner=combiner)

    return Case(build, fed(indices), fed(values), fed(shape), instead=tf.function(build, autograph=False))


FAMILIES = {
    "sparse rows": {"SparseToDense": to_dense, "SparseFillEmptyRows": fill, "SparseReshape": reshape, "SparseFillEmptyRows into a sum": looked_up},
    "picked segments": {**{name: segments(name) for name in ("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN")}, "Bucketize": bucketize},
}
