"""Random cases of what reads serialized tf.Examples, raw bytes and lines of values."""

import numpy as np
import tensorflow as tf

from cases import Case, fed, held, raw

KINDS = {"float32": tf.float32, "int64": tf.int64, "string": tf.string}
NAMES = ("age", "word", "größe", "x")


def value(draw, kind):
    if kind == "float32":
        return float(np.float32(draw.one(0.0, -1.5, np.nan, np.inf, draw.random.normal())))
    if kind == "int64":
        return draw.one(0, -1, 2**40, draw.integer(-9, 9))
    return bytes(draw.random.integers(0, 256, draw.integer(0, 5)).astype("uint8"))


def add(feature, kind, values):
    target = {"float32": feature.float_list, "int64": feature.int64_list, "string": feature.bytes_list}[kind]
    target.SetInParent()
    target.value.extend(values)


def serialized(draw, wanted):
    """wanted: name → (kind, how many values or None for any)."""
    example = tf.train.Example()
    for name, (kind, count) in wanted.items():
        if draw.chance(0.2):
            if draw.chance(0.3):
                example.features.feature[name].SetInParent()
            continue
        length = draw.integer(0, 4) if count is None else count
        if draw.chance(0.02):
            length += 1
        if draw.chance(0.02):
            kind = draw.one(*KINDS)
        add(example.features.feature[name], kind, [value(draw, kind) for _ in range(length)])
    add(example.features.feature["not asked for"], "int64", [1, 2])
    text = example.SerializeToString(deterministic=True)
    if draw.chance(0.1):  # as the context of a request comes before its examples
        other = tf.train.Example()
        name = draw.one(*wanted)
        kind, count = wanted[name]
        add(other.features.feature[name], kind, [value(draw, kind) for _ in range(count or 2)])
        text += other.SerializeToString()
    return text if draw.chance(0.98) else text[:-3]


def features(draw, *groups):
    """Name → (group, kind), at least one."""
    names = [str(name) for name in draw.random.permutation(NAMES)[: draw.integer(1, len(NAMES))]]
    return {name: (draw.one(*groups), draw.one(*KINDS)) for name in names}


class Parsed:
    """What a node asks for, drawn."""

    def __init__(self, draw, *groups):
        chosen = features(draw, *groups)
        self.names, self.kinds = ({group: [own(name, kind) for name, (g, kind) in chosen.items() if g == group] for group in ("sparse", "dense", "ragged")} for own in (lambda n, k: n.encode(), lambda n, k: KINDS[k]))
        self.shapes, self.defaults, wanted = [], [], {}
        for name, (group, kind) in chosen.items():
            if group != "dense":
                wanted[name] = (kind, None)
                continue
            rest = [draw.integer(1, 2) for _ in range(draw.integer(0, 2))]
            grows = draw.chance(0.3)
            self.shapes.append([None, *rest] if grows else rest)
            count = int(np.prod(rest))
            shape = draw.one([], [1]) if grows else rest
            size = int(np.prod(shape)) if grows or draw.chance(0.6) else 0
            dtype = {"float32": "float32", "int64": "int64", "string": object}[kind]
            filler = np.empty(size, dtype)
            for place in range(size):
                filler[place] = value(draw, kind)
            self.defaults.append(filler.reshape(shape if size else [0]))
            wanted[name] = (kind, count * (draw.integer(0, 2) if grows else 1))
        self.wanted = wanted


def version2(draw):
    parsed = Parsed(draw, "sparse", "dense", "dense", "ragged")
    alone = draw.chance(0.2)
    texts = serialized(draw, parsed.wanted) if alone else [serialized(draw, parsed.wanted) for _ in range(draw.integer(0, 4))]
    splits = [draw.one(tf.int32, tf.int64) for _ in parsed.names["ragged"]]

    def build(examples, *defaults):
        outputs = raw.ParseExampleV2(
            serialized=examples, names=np.array([], object), sparse_keys=np.array(parsed.names["sparse"], object), dense_keys=np.array(parsed.names["dense"], object),
            ragged_keys=np.array(parsed.names["ragged"], object), dense_defaults=list(defaults), num_sparse=len(parsed.names["sparse"]),
            sparse_types=parsed.kinds["sparse"], ragged_value_types=parsed.kinds["ragged"], ragged_split_types=splits, dense_shapes=parsed.shapes,
        )  # fmt: skip
        return [tensor for group in outputs for tensor in group]

    return Case(build, fed(np.array(texts, object)), *[held(filler) for filler in parsed.defaults])


def version1(draw):
    parsed = Parsed(draw, "sparse", "dense", "dense")
    texts = np.array([serialized(draw, parsed.wanted) for _ in range(draw.integer(0, 4))], object)

    def build(examples, *defaults):
        outputs = raw.ParseExample(
            serialized=examples, names=np.array([], object), sparse_keys=[tf.constant(name) for name in parsed.names["sparse"]],
            dense_keys=[tf.constant(name) for name in parsed.names["dense"]], dense_defaults=list(defaults), sparse_types=parsed.kinds["sparse"], dense_shapes=parsed.shapes,
        )  # fmt: skip
        return [tensor for group in outputs for tensor in group]

    return Case(build, fed(texts), *[held(filler) for filler in parsed.defaults])


def single(draw):
    parsed = Parsed(draw, "sparse", "dense", "dense")

    def build(example, *defaults):
        outputs = raw.ParseSingleExample(
            serialized=example, dense_defaults=list(defaults), num_sparse=len(parsed.names["sparse"]), sparse_keys=parsed.names["sparse"],
            dense_keys=parsed.names["dense"], sparse_types=parsed.kinds["sparse"], dense_shapes=parsed.shapes,
        )  # fmt: skip
        return [tensor for group in outputs for tensor in group]

    return Case(build, fed(np.array(serialized(draw, parsed.wanted), object)), *[held(filler) for filler in parsed.defaults])


def network(draw):
    """Features that go into a network, as an estimator has them."""
    weights = draw.values([3, 2], "float32", "plain")
    spec = {"a": tf.io.FixedLenFeature([2], tf.float32, [0.5, -1.0]), "b": tf.io.FixedLenFeature([], tf.int64, 3)}

    def build(examples):
        parsed = tf.io.parse_example(examples, spec)
        return tf.matmul(tf.concat([parsed["a"], tf.cast(parsed["b"], tf.float32)[:, None]], 1), weights)

    texts = []
    for _ in range(draw.integer(1, 4)):
        example = tf.train.Example()
        if draw.chance(0.8):
            add(example.features.feature["a"], "float32", [float(number) for number in draw.values([2], "float32", "plain")])
        if draw.chance(0.8):
            add(example.features.feature["b"], "int64", [draw.integer(-9, 9)])
        texts.append(example.SerializeToString(deterministic=True))
    return Case(build, fed(np.array(texts, object)))


def decode_raw(draw):
    kind, little = draw.one("uint8", "int8", "int16", "uint16", "int32", "float32", "float64", "int64"), draw.chance(0.8)
    shape = draw.shape(0, 2)
    size = np.dtype(kind).itemsize * draw.integer(0, 3)
    texts = np.empty(shape, object)
    for place in np.ndindex(*shape):
        values = draw.values([size // np.dtype(kind).itemsize], kind, "small" if kind == "int64" else "any")
        texts[place] = values.astype(values.dtype.newbyteorder("<" if little else ">")).tobytes()
        if draw.chance(0.02):
            texts[place] += b"x"
    return Case(lambda x: raw.DecodeRaw(bytes=x, out_type=kind, little_endian=little), fed(texts))


def field(draw, kind, quotes, missing):
    if draw.chance(0.15):
        return draw.one(b"", missing.encode())
    if kind == "string":
        text = draw.one(b"a", b"two words", b"e-mail", "é".encode(), b"a,b", b'say "hi"', b"1")
        plain = b"," not in text and b'"' not in text
        if (plain or not quotes) and draw.chance(0.9):
            return text
        return b'"' + (text if draw.chance(0.05) else text.replace(b'"', b'""')) + b'"'
    if kind.startswith("int"):
        return str(draw.integer(-(10**6), 10**6)).encode()
    return (draw.one("%.3f", "%e", "%g") % draw.random.normal()).encode()


def decode_csv(draw):
    kinds = [draw.one("float32", "float64", "int32", "int64", "string") for _ in range(draw.integer(1, 4))]
    quotes, missing, delimiter = draw.chance(0.8), draw.one("", "NA"), draw.one(",", ",", ",", ";", "\t")
    chosen = sorted(int(column) for column in draw.random.permutation(len(kinds))[: draw.integer(1, len(kinds))]) if draw.chance(0.2) else []
    shape = draw.shape(0, 2)
    records = np.empty(shape, object)
    for place in np.ndindex(*shape):
        records[place] = delimiter.encode().join(field(draw, kind, quotes, missing) for kind in kinds) + draw.one(*[b""] * 30, b"\n", b",")
    used = [kinds[column] for column in chosen] if chosen else kinds
    defaults = []
    for kind in used:
        filler = np.array([b"?"] if kind == "string" else [7], object if kind == "string" else kind)
        defaults.append(held(filler if draw.chance(0.6) else filler[0] if draw.chance(0.5) else filler[:0]))
    return Case(lambda x, *d: raw.DecodeCSV(records=x, record_defaults=list(d), field_delim=delimiter, use_quote_delim=quotes, na_value=missing, select_cols=chosen), fed(records), *defaults)


FAMILIES = {
    "examples": {"ParseExampleV2": version2, "ParseExample": version1, "ParseSingleExample": single, "ParseExampleV2 into a network": network},
    "raw bytes and lines": {"DecodeRaw": decode_raw, "DecodeCSV": decode_csv},
}
