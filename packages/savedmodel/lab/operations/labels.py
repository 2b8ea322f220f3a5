"""Random cases of texts that a request's tensors say how to change, of base64, and of labels chosen by a network."""

import base64

import numpy as np
import tensorflow as tf

from cases import Case, fed, held, raw
from texts import PATTERNS, texts


def pattern(draw):
    return held(np.array(draw.one(*PATTERNS, r"[a-zA-Z ]*", r".{1,4}").encode(), object))


def replace(draw):
    rewrite, everywhere = held(np.array(draw.one(b"", b"_", rb"<\0>"), object)), draw.chance(0.8)
    return Case(lambda x, p, r: raw.RegexReplace(input=x, pattern=p, rewrite=r, replace_global=everywhere), texts(draw), pattern(draw), rewrite)


def full_match(draw):
    return Case(lambda x, p: raw.RegexFullMatch(input=x, pattern=p), texts(draw), pattern(draw))


def encode(draw):
    padded = draw.chance(0.3)
    return Case(lambda x: raw.EncodeBase64(input=x, pad=padded), texts(draw))


def decode(draw):
    given = texts(draw)
    for place in np.ndindex(*given.value.shape):
        text = base64.urlsafe_b64encode(given.value[place])
        given.value[place] = text if draw.chance(0.3) else text.rstrip(b"=")
        if draw.chance(0.02):
            given.value[place] += draw.one(b"!", b"A", b"=")
    return Case(lambda x: raw.DecodeBase64(input=x), given)


def as_string(draw):
    kind = draw.one("int32", "int64", "int8", "uint8", "bool", "int16", "float32", "float64")
    value = draw.values(draw.shape(0, 2), kind, "plain")
    form = draw.one({}, {}, {"width": 6}, {"precision": 2}, {"shortest": True}, {"scientific": True}) if kind.startswith("float") else draw.one({}, {}, {"width": 5})
    return Case(lambda x: raw.AsString(input=x, **form), fed(value))


def chosen(draw):
    """A label for each row, by what a network says of it."""
    rows = fed(draw.values([draw.integer(1, 4), 3], "float32", "plain"))
    kind = draw.integer(0, 2)
    if kind == 0:
        return Case(lambda x: tf.where(tf.reduce_max(x, 1) > 0.5, tf.constant("high"), tf.constant("low")), rows)
    if kind == 1:
        return Case(lambda x: tf.gather(tf.constant(["a", "b", "c"]), tf.math.top_k(x, 2).indices), rows)
    return Case(lambda x: tf.strings.join(["class", tf.as_string(tf.argmax(x, 1))], "_"), rows)


def mapped(draw):
    """A function of each text, or of each text and the one before, which is no such thing."""
    given = fed(np.array([bytes(draw.random.integers(0, 256, 4).astype("uint8")) for _ in range(draw.integer(1, 4))], object))
    if draw.chance(0.7):
        build = lambda x: tf.map_fn(lambda s: tf.cast(tf.io.decode_raw(s, tf.uint8), tf.int32) * 2, x, fn_output_signature=tf.int32)  # noqa: E731
    else:
        build = lambda x: tf.scan(lambda total, s: total * 2 + tf.cast(tf.io.decode_raw(s, tf.uint8), tf.int32), x, initializer=tf.zeros([4], tf.int32))  # noqa: E731
    return Case(build, given, instead=tf.function(build, autograph=False))


FAMILIES = {
    "labels": {"RegexReplace": replace, "RegexFullMatch": full_match, "EncodeBase64": encode, "DecodeBase64": decode, "AsString": as_string, "SelectV2 of labels": chosen, "DecodeRaw of each": mapped},
}
