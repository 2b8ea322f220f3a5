"""Random cases of operations that move elements."""

import numpy as np

from cases import Case, Input, raw
from draw import INTEGERS

ANY = ("float32", "float32", "float32", "float64", *INTEGERS, "bool")


def reverse(draw):
    value = draw.values(draw.shape(0, 5), draw.one(*ANY))
    axes = draw.axes(value.ndim)
    if axes and draw.chance(0.02):
        axes.append(axes[0])
    return Case(lambda x, a: raw.ReverseV2(tensor=x, axis=a), value, Input(np.array(axes, draw.index_type()), draw.chance(0.03)))


def roll(draw):
    value = draw.values(draw.shape(1, 5), draw.one(*ANY))
    kind, axis_kind = draw.index_type(), draw.index_type()
    if draw.chance(0.4):
        shift, axis = draw.integer(-9, 9), draw.axis(value.ndim)
    else:
        count = draw.integer(1, value.ndim + 1)
        shift, axis = [draw.integer(-9, 9) for _ in range(count)], [draw.integer(-value.ndim, value.ndim - 1) for _ in range(count)]
    return Case(
        lambda x, s, a: raw.Roll(input=x, shift=s, axis=a), value, Input(np.array(shift, kind), draw.chance(0.3)), Input(np.array(axis, axis_kind), draw.chance(0.03))
    )


def reverse_sequence(draw):
    value = draw.values(draw.shape(2, 5), draw.one(*ANY))
    along, batch = (int(axis) for axis in draw.random.permutation(value.ndim)[:2])
    lengths = draw.random.integers(0, value.shape[along] + 1, value.shape[batch])
    if lengths.size and draw.chance(0.05):
        lengths[0] = draw.one(-1, value.shape[along] + 1)
    return Case(
        lambda x, n: raw.ReverseSequence(input=x, seq_lengths=n, seq_dim=along, batch_dim=batch), value, Input(lengths.astype(draw.index_type()), draw.chance(0.6))
    )


def blocks_of(draw):
    count = draw.integer(1, 3)
    return [draw.integer(1, 3) for _ in range(count)], [draw.size() for _ in range(draw.integer(0, 2))]


def space_to_batch(draw):
    blocks, rest = blocks_of(draw)
    batch, sizes, paddings = draw.integer(1, 2), [], []
    for block in blocks:
        size = draw.one(1, 2, 3, 4, 5, 7)
        before = draw.integer(0, 3)
        sizes.append(size)
        paddings.append([before, -(size + before) % block + block * draw.integer(0, 1)])
    if draw.chance(0.03):
        paddings[0][1] += draw.one(1, -5)
    value = draw.values([batch, *sizes, *rest], draw.one(*ANY))
    return Case(
        lambda x, b, p: raw.SpaceToBatchND(input=x, block_shape=b, paddings=p),
        value,
        Input(np.array(blocks, draw.index_type()), draw.chance(0.03)),
        Input(np.array(paddings, draw.index_type()), draw.chance(0.2)),
    )


def batch_to_space(draw):
    blocks, rest = blocks_of(draw)
    batch, sizes, crops = draw.integer(1, 2) * int(np.prod(blocks)), [], []
    for block in blocks:
        size = draw.one(1, 2, 3, 4, 5)
        before = draw.integer(0, size * block)
        sizes.append(size)
        crops.append([before, draw.integer(0, size * block - before)])
    if draw.chance(0.03):
        crops[0][1] += draw.one(1, 20)
    if draw.chance(0.02):
        batch += 1
    value = draw.values([batch, *sizes, *rest], draw.one(*ANY))
    return Case(
        lambda x, b, c: raw.BatchToSpaceND(input=x, block_shape=b, crops=c),
        value,
        Input(np.array(blocks, draw.index_type()), draw.chance(0.03)),
        Input(np.array(crops, draw.index_type()), draw.chance(0.2)),
    )


FAMILIES = {
    "rearranging": {"ReverseV2": reverse, "Roll": roll, "ReverseSequence": reverse_sequence, "SpaceToBatchND": space_to_batch, "BatchToSpaceND": batch_to_space},
}
