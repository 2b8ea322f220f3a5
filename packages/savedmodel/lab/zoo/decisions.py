"""Functions as people write them around a network, whose answers TensorFlow's optimizer changes, or might: classes of squashed scores,
bins, sizes of images, logarithms, standard scores. Each number is compared by its own size."""

import numpy as np
import tensorflow as tf

from model import Model, random

m, nn = tf.math, tf.nn
MODELS = {}


def deciding(name, shape, values, dtype=tf.float32, tolerance=1e-5, own=True):
    """A model of the function below it, which takes one tensor and gives a table of outputs."""

    def add(function):
        def save(folder):
            module = tf.Module()
            module.scales, module.scale = SCALES, SCALE
            module.serve = tf.function(function, input_signature=[tf.TensorSpec(shape, dtype, "x")])
            tf.saved_model.save(module, str(folder), signatures={"serving_default": module.serve})
            return [np.asarray(values).astype(dtype.as_numpy_dtype)]

        MODELS[name] = Model(save, tolerance, weekly=True, own=own)
        return function

    return add


SCALES, SCALE = tf.Variable([0.1, 0.2, 0.3, 0.7]), tf.Variable(0.1)
draw = random("decisions")
KERNEL, BIAS = draw.normal(0, 6, (5, 4)).astype("float32"), draw.normal(0, 1, 4).astype("float32")
FEATURES, LOGITS = draw.normal(0, 2, (120, 5)), draw.normal(0, 14, (200, 4))
ROWS, TENTHS = [None, 4], np.round(np.arange(40) * 0.1, 1).reshape(10, 4)
IMAGE = [None, None, None, 3]


def dense(x):
    return tf.matmul(x, tf.constant(KERNEL)) + tf.constant(BIAS)


def pixels(height, width):
    return draw.integers(0, 256, (1, height, width, 3))




def padded(size):
    return lambda x: {"y": tf.image.resize_with_pad(x, size, size)}


for size in (96, 150, 224, 299, 300, 320):
    for height, width in ((37, 61), (115, 90)):
        deciding(f"resize with pad, {height} x {width} to {size}", IMAGE, pixels(height, width), tolerance=1e-4, own=False)(padded(size))
deciding("resize with pad, antialias", IMAGE, pixels(77, 133), tolerance=1e-4, own=False)(lambda x: {"y": tf.image.resize_with_pad(x / 255.0, 160, 160, antialias=True)})

SQUASHES = dict(sigmoid=tf.sigmoid, tanh=tf.tanh, relu=nn.relu, relu6=nn.relu6, softmax=nn.softmax, exp=tf.exp, elu=nn.elu, selu=nn.selu, softplus=nn.softplus)
SQUASHES |= dict(erf=m.erf, floor=tf.floor, negative=tf.negative, softsign=nn.softsign)


def class_of(squash):
    return lambda x: {"class": tf.argmax(squash(x), 1)}


def class_and_scores(squash):
    def both(x):
        p = squash(x)
        return {"class": tf.argmax(p, 1), "scores": p}

    return both


for name, squash in SQUASHES.items():
    deciding(f"class of {name}", ROWS, LOGITS)(class_of(squash))
    deciding(f"class and scores of {name}", ROWS, LOGITS)(class_and_scores(squash))


@deciding("dense, class of sigmoid", [None, 5], FEATURES)
def _(x):
    return {"class": tf.argmax(tf.sigmoid(dense(x)), -1)}


@deciding("dense, class and score of sigmoid", [None, 5], FEATURES)
def _(x):
    p = tf.sigmoid(dense(x))
    return {"class": tf.argmax(p, -1), "score": tf.reduce_max(p, -1)}


@deciding("bins of a tenth", [None], np.round(np.arange(100) * 0.1, 1))
def _(x):
    return {"bin": tf.cast(x / 0.1, tf.int32)}


@deciding("decades of age", [None], np.arange(120))
def _(x):
    return {"bin": tf.cast(tf.floor(x / 10.0), tf.int32)}


@deciding("weeks", [None], np.arange(700))
def _(x):
    return {"bin": tf.cast(x / 7.0, tf.int32), "hot": tf.one_hot(tf.cast(x / 49.0, tf.int32), 16)}


@deciding("years", [None], np.arange(0, 40000, 365.25))
def _(x):
    return {"year": tf.floor(x / 365.25)}


@deciding("normalized pixels", ROWS, draw.integers(0, 256, (64, 4)))
def _(x):
    return {"y": (x - 127.5) / 127.5, "z": (x / 255.0 - [0.485, 0.456, 0.406, 0.5]) / [0.229, 0.224, 0.225, 0.25]}


@deciding("sixteen levels", ROWS, draw.integers(0, 256, (64, 4)))
def _(x):
    return {"y": tf.cast(tf.round(x / 255.0 * 15.0), tf.uint8)}


@deciding("pixels of tanh", ROWS, draw.normal(0, 6, (200, 4)))
def _(x):
    return {"y": tf.cast(tf.tanh(x) * 127.5 + 127.5, tf.uint8)}


@deciding("log of a feature", ROWS, 10.0 ** draw.uniform(-9, 5, (60, 4)))
def _(x):
    return {"y": m.log(x + 1.0), "z": m.log(1.0 + x) / 3.0}


# The complement of exp near 1 shows exp's last bit.
@deciding("target back from its log", ROWS, 10.0 ** draw.uniform(-9, 1.5, (60, 4)), own=False)
def _(x):
    return {"y": tf.exp(x) - 1.0, "z": tf.maximum(tf.exp(x * 0.5) - 1.0, 0.0)}


@deciding("log-probabilities", ROWS, draw.normal(0, 40, (60, 4)))
def _(x):
    return {"y": m.log(nn.softmax(x))}


# A probability below 1.2e-38 is 0 for TensorFlow by its place in the tensor, and the logarithm of one near 1 shows its last bit.
@deciding("log-probabilities and probabilities", ROWS, draw.normal(0, 12, (60, 4)), own=False)
def _(x):
    p = nn.softmax(x)
    return {"y": m.log(p), "p": p}


@deciding("entropy", ROWS, draw.normal(0, 40, (60, 4)), own=False)
def _(x):
    p = nn.softmax(x)
    return {"y": -tf.reduce_sum(p * m.log(p + 1e-9), 1)}


@deciding("focal loss", [None, 1], np.linspace(-6, 25, 90)[:, None])
def _(x):
    p = tf.sigmoid(x)
    return {"loss": -m.log(1.0 - p + 1e-7) * p**2}


@deciding("focal loss, clipped", ROWS, LOGITS)
def _(x):
    p = tf.clip_by_value(tf.sigmoid(x), 1e-7, 1.0 - 1e-7)
    return {"loss": -0.25 * (1.0 - p) ** 2 * m.log(p) - 0.75 * p**2 * m.log(1.0 - p)}


@deciding("cross-entropy with epsilon", ROWS, LOGITS)
def _(x):
    p = tf.sigmoid(x)
    return {"loss": -(m.log(p + 1e-7) + m.log(1.0 - p + 1e-7))}


@deciding("squashed Gaussian", ROWS, draw.normal(0, 4, (100, 4)))
def _(x):
    a = tf.tanh(x)
    return {"a": a, "logp": tf.reduce_sum(-0.5 * tf.square(x) - 0.9189385 - m.log(1.0 - tf.square(a) + 1e-6), 1)}


@deciding("squashed Gaussian, by a power", ROWS, draw.normal(0, 4, (100, 4)))
def _(x):
    return {"logp": tf.reduce_sum(-0.5 * tf.square(x) - m.log(1.0 - tf.pow(tf.tanh(x), 2) + 1e-6), 1)}


@deciding("root mean square normalization", [None, 8], draw.normal(0, 3, (40, 8)))
def _(x):
    return {"y": x / tf.sqrt(tf.reduce_mean(tf.square(x), -1, keepdims=True) + 1e-6) * 2.0}


@deciding("bins of standard scores", ROWS, draw.normal(100, 30, (50, 4)))
def _(x):
    return {"y": tf.cast(tf.floor((x - [90.0, 95.0, 100.0, 105.0]) / [30.0, 31.0, 29.0, 30.0] * 10.0), tf.int32)}


@deciding("Celsius", [None], np.arange(-40, 200))
def _(x):
    return {"y": tf.round((x - 32.0) / 1.8), "k": (x - 32.0) / 1.8 + 273.15}


@deciding("temperature of a softmax", ROWS, LOGITS)
def _(x):
    return {"y": nn.softmax(x / 0.7), "class": tf.argmax(nn.softmax(x / 0.7), 1)}


@deciding("outliers and NaN", ROWS, np.where(draw.random((40, 4)) < 0.2, np.nan, draw.normal(0, 3, (40, 4))))
def _(x):
    return {"ok": tf.logical_not(tf.abs(x) > 3.0), "all": tf.reduce_all(tf.logical_not(x > 3.0), 1)}


@deciding("largest logarithm", ROWS, draw.normal(1, 2, (40, 4)))
def _(x):
    return {"y": tf.reduce_max(m.log(x), 1), "z": tf.reduce_max(tf.sqrt(x), 1)}


@deciding("large scales", ROWS, 10.0 ** draw.uniform(-3, 12, (40, 4)))
def _(x):
    return {"y": x * 1e30 / 1e25, "z": x * 1e30 * 1e-30}


@deciding("powers", ROWS, draw.normal(0, 3, (40, 4)))
def _(x):
    return {"y": tf.pow(tf.abs(x), 0.5) + tf.pow(x, 2.0) / 3.0, "z": tf.pow(x, -1.0), "cube": tf.pow(x, 3.0)}


@deciding("bins in a map", ROWS, TENTHS)
def _(x):
    return {"y": tf.map_fn(lambda row: tf.cast(row / 0.1, tf.int32), x, fn_output_signature=tf.int32)}


@deciding("divisions in a loop", ROWS, TENTHS)
def _(x):
    return {"y": tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.floor(a / 0.1) * 0.3), [0, x])[1]}


@deciding("class in a branch", ROWS, LOGITS)
def _(x):
    return {"y": tf.cond(tf.reduce_sum(x) > 0, lambda: tf.argmax(tf.sigmoid(x), 1), lambda: tf.argmax(tf.tanh(x), 1))}


@deciding("a variable divides", ROWS, TENTHS)
def _(x):
    return {"y": tf.floor(x / SCALES), "z": tf.floor(x / SCALE)}


@deciding("a variable scales", ROWS, draw.normal(0, 3, (40, 4)))
def _(x):
    return {"y": (x * SCALES + 1.0) * 3.0 - SCALES}


@deciding("class of asserted scores", ROWS, LOGITS)
def _(x):
    p = tf.sigmoid(x)
    with tf.control_dependencies([tf.debugging.assert_less_equal(p, 1.0)]):
        return {"y": tf.argmax(p, 1)}


@deciding("share of a fixed size", [4, 6], np.round(np.arange(24) * 0.1, 1).reshape(4, 6))
def _(x):
    return {"y": tf.floor(x / tf.cast(tf.shape(x)[1], tf.float32) * 60.0)}


@deciding("share of an open size", [None, None], np.round(np.arange(24) * 0.1, 1).reshape(4, 6))
def _(x):
    return {"y": tf.floor(x / tf.cast(tf.shape(x)[1], tf.float32) * 60.0)}


@deciding("bins of doubles", [None], np.round(np.arange(100) * 0.1, 1), tf.float64)
def _(x):
    return {"bin": tf.cast(x / 0.1, tf.int32), "y": (1.0 - x) + 1e-9}


@deciding("bins of integers", [None], np.arange(300), tf.int32)
def _(x):
    return {"bin": tf.cast(x / 7, tf.int32), "f": tf.floor(x / 10), "whole": x // 7, "rest": x % 7}


@deciding("shorter side of 100", IMAGE, pixels(57, 85), tolerance=1e-4, own=False)
def _(x):
    size = tf.cast(tf.shape(x)[1:3], tf.float32)
    return {"y": tf.image.resize(x, tf.cast(tf.round(size * (100.0 / tf.reduce_min(size))), tf.int32))}


@deciding("a size divided", IMAGE, pixels(57, 85), tolerance=1e-4, own=False)
def _(x):
    return {"y": tf.image.resize(x, tf.cast(tf.cast(tf.shape(x)[1:3], tf.float32) / 0.7, tf.int32))}


@deciding("central crop", IMAGE, pixels(50, 70))
def _(x):
    return {"y": tf.image.central_crop(x, 0.7)}


@deciding("cells of a grid", ROWS, draw.uniform(0, 448, (50, 4)))
def _(x):
    return {"cell": tf.cast(x / 32.0, tf.int32), "cell7": tf.cast(x / 448.0 * 7.0, tf.int32)}


@deciding("distance on a globe", ROWS, draw.uniform(-90, 90, (50, 4)))
def _(x):
    r = x / 180.0 * 3.14159265
    a = tf.sin((r[:, 2] - r[:, 0]) / 2.0) ** 2 + tf.cos(r[:, 0]) * tf.cos(r[:, 2]) * tf.sin((r[:, 3] - r[:, 1]) / 2.0) ** 2
    return {"km": 2.0 * 6371.0 * tf.asin(tf.sqrt(a))}
