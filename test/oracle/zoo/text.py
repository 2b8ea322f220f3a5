"""Networks for texts, sequences and tables."""

import keras
from keras import layers

from model import keras_model, random


def sequence(*stack, width=5, length=None):
    return lambda: keras.Sequential([keras.Input([length, width]), *[layer() for layer in stack]])


def words(length, *stack, vocabulary=200, width=12, mask_zero=False):
    return lambda: keras.Sequential([keras.Input([length], dtype="int32"), layers.Embedding(vocabulary, width, mask_zero=mask_zero), *[layer() for layer in stack]])


def numbers(*shape):
    return random(str(shape)).normal(size=shape).astype("float32")


def tokens(*shape, vocabulary=200):
    """Sentences of different lengths, zeros behind them."""
    draw = random(str(shape))
    rows = draw.integers(1, vocabulary, shape).astype("int32")
    for row in rows:
        row[draw.integers(1, shape[1] + 1) :] = 0
    return rows


def dense(units, activation=None):
    return lambda: layers.Dense(units, activation=activation)


MODELS = {
    "mean of embeddings": keras_model(words(16, layers.GlobalAveragePooling1D, dense(4, "softmax")), tokens(6, 16)),
    "convolutions over words": keras_model(
        words(20, lambda: layers.Conv1D(16, 3, activation="relu"), layers.GlobalMaxPooling1D, dense(4, "softmax")),
        tokens(6, 20),
    ),
}
