"""Random cases of operations on strings, ragged rows and tables, which the host computes before and behind the network."""

import numpy as np
import tensorflow as tf

from cases import Case, fed, raw

LETTERS = [*"abcABCxyzXYZ  01259.,!?-_'\"\t\n", "é", "ß", "漢", "🙂"]
PATTERNS = (r"[aeiou]", r"\s+", r"[!\"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\']", r"(\w)(\w)", r"a*", r"^\s*", r"(?i)x|y", r"é|漢", r"\d{2,}$", r".")


def text(draw, most=12):
    return "".join(draw.one(*LETTERS) for _ in range(draw.integer(0, draw.one(3, most, most, 90)))).encode()


def texts(draw, low=0, high=2, most=12):
    shape = draw.shape(low, high)
    while np.prod(shape) > 40:
        shape = draw.shape(low, high)
    values = np.empty(shape, object)
    for place in np.ndindex(*shape):
        values[place] = text(draw, most)
    return fed(values)


def regex(draw):
    pattern, rewrite, everywhere = draw.one(*PATTERNS), draw.one("", "_", r"<\0>"), draw.chance(0.8)
    return Case(lambda x: raw.StaticRegexReplace(input=x, pattern=pattern, rewrite=rewrite, replace_global=everywhere), texts(draw))


def full_match(draw):
    pattern = draw.one(*PATTERNS, r"[a-zA-Z ]*", r".{1,4}")
    return Case(lambda x: raw.StaticRegexFullMatch(input=x, pattern=pattern), texts(draw))


def split(draw):
    separator, limit = draw.one("", "", " ", "a", "ab"), draw.one(-1, -1, 0, 1, 2)
    return Case(lambda x: raw.StringSplitV2(input=x, sep=separator, maxsplit=limit), texts(draw, 1, 1))


def join(draw):
    count, separator = draw.integer(1, 3), draw.one("", " ", "--")
    shape = texts(draw)
    given = [shape] + [fed(shape.value) if draw.chance(0.7) else fed(np.array(text(draw), object)) for _ in range(count - 1)]
    return Case(lambda *x: raw.StringJoin(inputs=list(x), separator=separator), *given)


def length(draw):
    unit = draw.one("BYTE", "UTF8_CHAR")
    return Case(lambda x: raw.StringLength(input=x, unit=unit), texts(draw))


def fast(draw):
    buckets = draw.one(1, 2, 7, 1000, 2**40)
    return Case(lambda x: raw.StringToHashBucketFast(input=x, num_buckets=buckets), texts(draw, most=70))


def strong(draw):
    buckets, key = draw.one(1, 7, 1000), [draw.integer(0, 2**50), draw.integer(0, 9)]
    return Case(lambda x: raw.StringToHashBucketStrong(input=x, num_buckets=buckets, key=key), texts(draw, most=70))


def as_string(draw):
    value = draw.values(draw.shape(0, 2), draw.one("int32", "int8", "uint8", "bool", "int16"))
    return Case(lambda x: raw.AsString(input=x), fed(value))


def to_number(draw):
    kind = draw.one("float32", "float64", "int32", "int64")
    whole = kind.startswith("int")
    values = np.array([(str(draw.integer(-(10**6), 10**6)) if whole else draw.one("%.3f", "%e", "%g") % draw.random.normal()).encode() for _ in range(draw.integer(0, 6))], object)
    if len(values) and draw.chance(0.1):
        values[0] = draw.one(b"x", b"", b"1.5.2", b"1 2", b" 3 ")
    return Case(lambda x: raw.StringToNumber(string_tensor=x, out_type=kind), fed(values))


def compare(name):
    def case(draw):
        given = texts(draw, most=2)
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y), given, fed(np.array(text(draw, 2), object)) if draw.chance(0.5) else given)

    return case


def n_grams(draw):
    widths, separator, keep = draw.one([2], [1, 2], [3]), draw.one(" ", "_"), draw.chance(0.5)
    words = texts(draw, 1, 1, 3)
    ends = np.sort(draw.random.integers(0, len(words.value) + 1, draw.integer(0, 3)))
    splits = np.array([0, *ends, len(words.value)], "int64")
    return Case(
        lambda x, s: raw.StringNGrams(data=x, data_splits=s, separator=separator, ngram_widths=widths, left_pad="", right_pad="", pad_width=0, preserve_short_sequences=keep), words, fed(splits)
    )


def ragged(draw):
    rows, columns = draw.one((-1, -1), (-1, 3), (4, 2), (-1, 0))
    dtype = draw.one("int64", "int32", "float32")
    lengths = [draw.integer(0, 4) for _ in range(draw.integer(1, 4))]
    values, filler = draw.values([sum(lengths)], dtype, "plain"), draw.values([], dtype, "plain")
    if draw.chance(0.5):
        splits = np.cumsum([0, *lengths]).astype("int64")
        return Case(lambda v, p: raw.RaggedTensorToTensor(shape=np.int64([rows, columns]), values=v, default_value=filler, row_partition_tensors=[p], row_partition_types=["ROW_SPLITS"]), fed(values), fed(splits))
    ids = np.repeat(np.arange(len(lengths)), lengths).astype("int64")
    return Case(
        lambda v, n, p: raw.RaggedTensorToTensor(shape=np.int64([rows, columns]), values=v, default_value=filler, row_partition_tensors=[n, p], row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"]),
        fed(values), fed(np.int64(len(lengths))), fed(ids),
    )  # fmt: skip


def ragged_counts(draw):
    lengths = [draw.integer(0, 4) for _ in range(draw.integer(1, 4))]
    values, splits = draw.random.integers(0, 6, sum(lengths)).astype(draw.one("int32", "int64")), np.cumsum([0, *lengths]).astype("int64")
    kind, binary, size = draw.one("float32", "int32", "int64", "float64"), draw.chance(0.5), values.dtype.type(draw.integer(1, 7))
    return Case(lambda s, v: raw.RaggedBincount(splits=s, values=v, size=size, weights=np.zeros([0], kind), binary_output=binary), fed(splits), fed(values))


def pipeline(draw):
    """As TextVectorization prepares texts."""
    width = draw.one(None, 3)

    def build(x):
        words = tf.strings.split(raw.StaticRegexReplace(input=raw.StringLower(input=x), pattern=r"[!\"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\']", rewrite=""))
        return words.with_values(raw.StringToHashBucketFast(input=words.values, num_buckets=50)).to_tensor(default_value=-1, shape=[None, width])

    return Case(build, texts(draw, 1, 1))


FAMILIES = {
    "texts": {
        "StringLower": lambda draw: Case(lambda x: raw.StringLower(input=x), texts(draw)),
        "StringUpper": lambda draw: Case(lambda x: raw.StringUpper(input=x), texts(draw)),
        "StringStrip": lambda draw: Case(lambda x: raw.StringStrip(input=x), texts(draw)),
        "StringLength": length,
        "StringJoin": join,
        "StringToHashBucketFast": fast,
        "StringToHashBucketStrong": strong,
        "AsString": as_string,
        "StringToNumber": to_number,
        "Equal": compare("Equal"),
        "NotEqual": compare("NotEqual"),
    },
    "patterns": {"StaticRegexReplace": regex, "StaticRegexFullMatch": full_match},
    "words": {"StringSplitV2": split, "StringNGrams": n_grams, "RaggedTensorToTensor": ragged, "RaggedBincount": ragged_counts, "TextVectorization": pipeline},
}
