"""Random cases of diagonals of matrices, and of several shapes at once."""

import numpy as np

from cases import Case, raw
from draw import FLOATS, INTEGERS

MOST = ("float32", "float32", "float64", "int32", "int64", "uint8")


def matrix(draw):
    return [*draw.shape(0, 1), draw.integer(1, 5), draw.integer(1, 5)]


def offset(draw):
    return np.int32(draw.one(0, 0, 0, 0, 0, 1, -1))


def diag(name):
    def case(draw):
        value = draw.values([*draw.shape(0, 1), draw.integer(1, 6)], draw.one(*MOST))
        if name == "MatrixDiag":
            return Case(lambda x: raw.MatrixDiag(diagonal=x), value)
        filler, k = np.asarray(draw.one(0, 0, 7), value.dtype), offset(draw)
        return Case(lambda x: getattr(raw, name)(diagonal=x, k=k, num_rows=-1, num_cols=-1, padding_value=filler), value)

    return case


def set_diag(name):
    def case(draw):
        shape, dtype = matrix(draw), draw.one(*MOST)
        k = 0 if name == "MatrixSetDiag" else int(offset(draw))
        length = max(1, min(shape[-2] + min(k, 0), shape[-1] - max(k, 0)))
        x, d = draw.values(shape, dtype), draw.values([*shape[:-2], length], dtype)
        if name == "MatrixSetDiag":
            return Case(lambda x, d: raw.MatrixSetDiag(input=x, diagonal=d), x, d)
        return Case(lambda x, d: getattr(raw, name)(input=x, diagonal=d, k=np.int32(k)), x, d)

    return case


def diag_part(draw):
    return Case(lambda x: raw.MatrixDiagPart(input=x), draw.values(matrix(draw), draw.one(*MOST)))


def diag_part_of(name):
    def case(draw):
        k = offset(draw)
        x = draw.values(matrix(draw), draw.one(*MOST))
        return Case(lambda x: getattr(raw, name)(input=x, k=k, padding_value=np.zeros([], x.dtype.as_numpy_dtype)), x)

    return case


def band(draw):
    index = draw.index_type()
    lower, upper = (np.asarray(draw.integer(-1, 4), index) for _ in range(2))
    return Case(lambda x, a, b: raw.MatrixBandPart(input=x, num_lower=a, num_upper=b), draw.values(matrix(draw), draw.one(*FLOATS, *INTEGERS)), lower, upper)


def shapes(draw):
    values = [draw.values(draw.shape(0, 3), draw.one(*MOST)) for _ in range(draw.integer(1, 3))]
    dtype = values[0].dtype
    kind = draw.one(np.int32, np.int64)
    return Case(lambda *given: raw.ShapeN(input=list(given), out_type=kind), *(value.astype(dtype) for value in values))


FAMILIES = {
    "diagonals": {
        **{name: diag(name) for name in ("MatrixDiag", "MatrixDiagV2", "MatrixDiagV3")},
        **{name: set_diag(name) for name in ("MatrixSetDiag", "MatrixSetDiagV2", "MatrixSetDiagV3")},
        "MatrixDiagPart": diag_part,
        "MatrixDiagPartV2": diag_part_of("MatrixDiagPartV2"),
        "MatrixDiagPartV3": diag_part_of("MatrixDiagPartV3"),
        "MatrixBandPart": band,
        "ShapeN": shapes,
    }
}
