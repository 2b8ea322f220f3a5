"""Random cases of operations that send elements where indices say, or pick those that values say."""

import numpy as np
import tensorflow as tf

from cases import Case, Input, fed, raw
from draw import FLOATS, INTEGERS

NUMBERS = ("float32", "float32", "float32", "float64", *INTEGERS)


def magnitude(value):
    return float(np.abs(value[np.isfinite(value)]).max(initial=1)) * 10 if value.dtype.kind == "f" else 1.0


def rows_of_indices(draw, whole, shape, depth, kind, distinct):
    count = int(np.prod(shape))
    places = int(np.prod(whole[:depth]))
    if distinct and count > places:
        shape, count = [min(places, 2)], min(places, 2)
    flat = draw.random.choice(places, count, replace=not distinct) if places else np.zeros(0, int)
    if places == 0:
        shape = [0]
    rows = np.stack(np.unravel_index(flat.reshape(shape), whole[:depth]), -1).astype(kind)
    if rows.size and draw.chance(0.04):
        rows.flat[0] = draw.one(-1, whole[0], -whole[0])
    return rows, shape


def mostly_ordered(draw, value):
    return value if draw.chance(0.1) else np.nan_to_num(value, nan=1.0, posinf=np.inf, neginf=-np.inf)


def unordered(name, value):
    """Which of a number and a NaN is larger depends on the order in which TensorFlow meets them."""
    return "a NaN has no place in an order" if name.endswith(("Max", "Min")) and value.dtype.kind == "f" and np.isnan(value).any() else None


def tensor_scatter(name):
    def case(draw):
        value = draw.values([max(1, size) for size in draw.shape(1, 4)], draw.one(*NUMBERS), draw.one("any", "plain", "plain"))
        depth = draw.integer(1, value.ndim)
        # Which of two updates of one element comes last is not documented; sums of floats depend on the order.
        distinct = name == "TensorScatterUpdate"
        indices, shape = rows_of_indices(draw, value.shape, draw.shape(1, 2), depth, draw.index_type(), distinct)
        updates = draw.values([*shape, *value.shape[depth:]], value.dtype, "plain" if value.dtype.kind == "f" else "any")
        if name in ("TensorScatterMax", "TensorScatterMin") and value.dtype.kind == "f":
            value = mostly_ordered(draw, value)
        return Case(
            lambda x, i, u: getattr(raw, name)(tensor=x, indices=i, updates=u), value, indices, updates, scale=magnitude(updates) + magnitude(value), error=unordered(name, value)
        )

    return case


def scatter_nd(draw):
    whole = [max(1, size) for size in draw.shape(1, 4)]
    depth = draw.integer(1, len(whole))
    indices, shape = rows_of_indices(draw, whole, draw.shape(1, 2), depth, draw.index_type(), False)
    updates = draw.values([*shape, *whole[depth:]], draw.one(*NUMBERS), draw.one("any", "plain"))
    return Case(lambda i, u, s: raw.ScatterNd(indices=i, updates=u, shape=s), indices, updates, Input(np.array(whole, indices.dtype), draw.chance(0.3)), scale=magnitude(updates))


def unsorted_segments(name):
    def case(draw):
        data = draw.values(draw.shape(1, 4), draw.one(*NUMBERS), "plain" if name == "UnsortedSegmentProd" else draw.one("any", "plain"))
        if data.dtype.kind == "f" and name in ("UnsortedSegmentMax", "UnsortedSegmentMin"):
            data = mostly_ordered(draw, data)
        rank = draw.integer(1, data.ndim)
        count = draw.integer(1, 6)
        ids = draw.random.integers(-1, count, data.shape[:rank])
        if ids.size and draw.chance(0.04):
            ids.flat[0] = count
        # By a shape that is fed the segments have an open rank.
        shapes = [Input(np.array(ids.shape, np.int64), True)] if draw.chance(0.15) else []
        return Case(
            lambda x, i, n, *shape: getattr(raw, name)(data=x, segment_ids=raw.Reshape(tensor=i, shape=shape[0]) if shape else i, num_segments=n),
            data,
            ids.astype(draw.index_type()),
            Input(np.array(count, draw.index_type()), draw.chance(0.2)),
            *shapes,
            scale=magnitude(data),
            error=unordered(name, data),
        )

    return case


def sorted_segments(name):
    def case(draw):
        dtypes = FLOATS if name == "SegmentMean" else ("float32", "float32", "float64", "int32", "int64") if name[7:] in ("Max", "Min") else NUMBERS
        data = draw.values(draw.shape(1, 4), draw.one(*dtypes), "plain" if name == "SegmentProd" else draw.one("any", "plain"))
        if data.dtype.kind == "f" and name in ("SegmentMax", "SegmentMin"):
            data = mostly_ordered(draw, data)
        ids = np.sort(draw.random.integers(0, draw.integer(1, 7), data.shape[0]))
        if len(ids) > 1 and draw.chance(0.04):
            ids = draw.one(ids[::-1], ids - 1)
        return Case(lambda x, i: getattr(raw, name)(data=x, segment_ids=i), data, Input(ids.astype(draw.index_type()), draw.chance(0.7)), scale=magnitude(data), error=unordered(name, data))

    return case


def bincount(name):
    def case(draw):
        dense = name == "DenseBincount"
        values = draw.random.integers(0, draw.integer(1, 9), draw.shape(1, 2) if dense else draw.shape(0, 3))
        values = values.astype(draw.index_type() if dense else "int32")
        if values.size and draw.chance(0.04):
            values.flat[0] = -1
        size = np.array(draw.integer(0, 7), values.dtype)
        kind = draw.one("int32", "int64", "float32", "float64")
        binary = draw.chance(0.3) if dense else False
        weights = draw.values([0] if draw.chance(0.5) or binary else values.shape, kind, "plain")
        extra = {"binary_output": binary} if dense else {}
        first = "input" if dense else "arr"
        return Case(lambda x, n, w: getattr(raw, name)(**{first: x}, size=n, weights=w, **extra), values, Input(size, draw.chance(0.2)), Input(weights, draw.chance(0.2)), scale=magnitude(weights))

    return case


def where(draw):
    value = draw.values(draw.shape(0, 4), draw.one("bool", "bool", "bool", *NUMBERS))
    return Case(lambda x: raw.Where(condition=x), value)


def unique(name):
    def case(draw):
        value = draw.values([draw.size()], draw.one(*NUMBERS), "plain")
        if value.dtype.kind == "f":
            value = np.round(value)
        value = value + np.array(0, value.dtype)  # no zero has a sign
        kind = tf.int32 if draw.chance(0.6) else tf.int64
        axes = np.array([] if draw.chance(0.5) else [0], "int32")
        extra = {"axis": axes} if name.endswith("V2") else {}
        return Case(lambda x: tuple(getattr(raw, name)(x=x, out_idx=kind, **extra)), fed(value))

    return case


def lin_space(draw):
    dtype = draw.one(*FLOATS)
    bounds = [draw.values([], dtype, "plain") for _ in range(2)]
    count = np.array(draw.one(1, 2, 3, 5, 10, 100, 0 if draw.chance(0.1) else 7), draw.index_type())
    return Case(lambda a, b, n: raw.LinSpace(start=a, stop=b, num=n), *bounds, Input(count, draw.chance(0.3)), scale=magnitude(np.stack(bounds)))


def cumulative_product(draw):
    value = draw.values(draw.shape(1, 4), draw.one(*NUMBERS), draw.one("any", "plain"))
    exclusive, reverse = draw.chance(0.5), draw.chance(0.5)
    axis = np.array(draw.axis(value.ndim), draw.index_type())
    return Case(lambda x, a: raw.Cumprod(x=x, axis=a, exclusive=exclusive, reverse=reverse), value, Input(axis, draw.chance(0.05)))


def boxes(draw, shape):
    first, second = draw.random.uniform(0, 1, [*shape, 2]), draw.random.uniform(0, 0.6, [*shape, 2])
    result = np.concatenate([first, first + second], -1)
    if draw.chance(0.2):
        result = result[..., [2, 3, 0, 1]]  # from the other corner
    return (np.round(result * 64) / 64 * draw.one(1, 1, 100)).astype("float32")


def suppression(name):
    def case(draw):
        count = 0 if draw.chance(0.02) else draw.integer(1, 12)
        scores = draw.random.permutation(count) / 16 if draw.chance(0.7) else draw.random.integers(0, 4, count) / 4
        most = np.int32(draw.integer(0, 14))
        inputs = [boxes(draw, [count]), scores.astype("float32"), Input(most, draw.chance(0.2))]
        extra = {}
        if name == "NonMaxSuppression":
            extra["iou_threshold"] = draw.one(0.5, 0.25, 0.0, 1.0)
        else:
            inputs.append(np.float32(draw.one(0.5, 0.25, 0.0, 1.0, 1.5 if draw.chance(0.05) else 0.7)))
        if name[-2:] in ("V3", "V4", "V5"):
            inputs.append(np.float32(draw.one(-np.inf, 0.25, 0.0)))
        if name.endswith("V5"):
            inputs.append(Input(np.float32(0.0 if draw.chance(0.97) else 0.5), False))
        if name[-2:] in ("V4", "V5"):
            extra["pad_to_max_output_size"] = draw.chance(0.5)
        names = ("boxes", "scores", "max_output_size", "iou_threshold", "score_threshold", "soft_nms_sigma")

        def build(*given):
            result = getattr(raw, name)(**dict(zip(names, given)), **extra)
            return tuple(result) if name[-2:] in ("V4", "V5") else result

        return Case(build, *inputs)

    return case


def combined(draw):
    batch, count, classes = draw.integer(1, 3), draw.integer(1, 8), draw.integer(1, 4)
    shared = draw.chance(0.5)
    scores = (1 + draw.random.permutation(batch * count * classes)).reshape(batch, count, classes) / 128
    extra = {"pad_per_class": draw.chance(0.3), "clip_boxes": draw.chance(0.5)}
    return Case(
        lambda b, s, p, t, i, c: tuple(raw.CombinedNonMaxSuppression(boxes=b, scores=s, max_output_size_per_class=p, max_total_size=t, iou_threshold=i, score_threshold=c, **extra)),
        boxes(draw, [batch, count, 1 if shared else classes]),
        scores.astype("float32"),
        Input(np.int32(draw.integer(1, 6)), False),
        Input(np.int32(draw.integer(1, 20)), False),
        np.float32(draw.one(0.5, 0.25, 0.0, 1.0)),
        np.float32(draw.one(-np.inf, 0.25, 0.0)),
    )


FAMILIES = {
    "scattering": {"ScatterNd": scatter_nd, **{name: tensor_scatter(name) for name in ("TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub", "TensorScatterMax", "TensorScatterMin")}},
    "segments": {
        **{f"UnsortedSegment{name}": unsorted_segments(f"UnsortedSegment{name}") for name in ("Sum", "Prod", "Max", "Min")},
        **{f"Segment{name}": sorted_segments(f"Segment{name}") for name in ("Sum", "Prod", "Max", "Min", "Mean")},
    },
    "counting": {"Bincount": bincount("Bincount"), "DenseBincount": bincount("DenseBincount")},
    "choosing": {"Where": where, **{name: unique(name) for name in ("Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2")}},
    "series": {"LinSpace": lin_space, "Cumprod": cumulative_product},
    "suppression": {
        **{f"NonMaxSuppression{version}": suppression(f"NonMaxSuppression{version}") for version in ("", "V2", "V3", "V4", "V5")},
        "CombinedNonMaxSuppression": combined,
    },
}
