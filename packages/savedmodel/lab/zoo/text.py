"""Networks for texts, sequences and tables."""

import keras
import numpy as np
import tensorflow as tf
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

def lstm(units, **options):
    return lambda: layers.LSTM(units, **options)

def gru(units, **options):
    return lambda: layers.GRU(units, **options)

def both_ways(layer, **options):
    return lambda: layers.Bidirectional(layer(), **options)

WORDS = "the a cat dog sat mat on runs fast slow Hello, world! don't e-mail 42".split()


def sentences(count):
    draw = random("sentences")
    texts = [" ".join(draw.choice(WORDS, draw.integers(1, 12))) for _ in range(count - 3)]
    return np.array([*texts, "", "nothing known here", "  spaces\tand\nlines  "])


def vectorized(mode, **options):
    def build():
        layer = layers.TextVectorization(max_tokens=30 if mode == "int" else None, output_mode=mode, **options)
        layer.adapt(tf.constant(sentences(40)))
        network = [layers.Embedding(30, 8), layers.GlobalAveragePooling1D()] if mode == "int" else []
        return keras.Sequential([keras.Input([], dtype="string"), layer, *network, layers.Dense(3, "softmax")])

    return build


def tabular():
    color, code, text, values = (
        keras.Input([size], dtype=kind, name=name) for name, size, kind in (("color", 1, "string"), ("code", 1, "int64"), ("text", 1, "string"), ("values", 3, "float32"))
    )
    scaled = layers.Normalization(mean=[1.0, 2.0, 3.0], variance=[4.0, 1.0, 0.25])(values)
    parts = [
        layers.StringLookup(vocabulary=["red", "green", "blue"], num_oov_indices=2, output_mode="one_hot")(color),
        layers.CategoryEncoding(5, output_mode="one_hot")(layers.IntegerLookup(vocabulary=[5, 7, 9])(code)),
        layers.CategoryEncoding(16, output_mode="multi_hot")(layers.Hashing(16)(text)),
        layers.Flatten()(layers.Embedding(8, 4)(layers.Hashing(8, salt=[3, 4])(text))),
        scaled,
    ]
    return keras.Model([color, code, text, values], layers.Dense(2)(layers.Dense(8, "relu")(layers.Concatenate()(parts))))


def named_classes():
    values = keras.Input([5])
    names = layers.StringLookup(vocabulary=["cat", "dog", "fish"], invert=True)
    scores = layers.Dense(4, "softmax")(values)
    return keras.Model(values, {"label": names(keras.ops.argmax(scores, -1)), "scores": scores})


class Block(layers.Layer):
    """An encoder of a transformer, with a mask where the words end."""

    def __init__(self, width, **options):
        super().__init__(**options)
        self.supports_masking = True
        self.attention = layers.MultiHeadAttention(4, width // 4)
        self.inner, self.outer = layers.Dense(2 * width, "gelu"), layers.Dense(width)
        self.first, self.second = layers.LayerNormalization(), layers.LayerNormalization()

    def call(self, x):
        x = self.first(x + self.attention(x, x))
        return self.second(x + self.outer(self.inner(x)))


def encoder(masked):
    return words(12, lambda: Block(16), lambda: Block(16), layers.GlobalAveragePooling1D, dense(3, "softmax"), width=16, mask_zero=masked)


def attention():
    given = keras.Input([10, 6])
    query, value = layers.Dense(8)(given), layers.Dense(8)(given)
    return keras.Model(given, layers.Dense(2)(layers.Flatten()(layers.Concatenate()([layers.Attention()([query, value]), layers.AdditiveAttention()([query, value])]))))


def wide_and_deep():
    wide, deep = keras.Input([12], name="wide"), keras.Input([6], name="deep")
    hidden = layers.Dropout(0.3)(layers.BatchNormalization()(layers.Dense(16, "relu")(deep)))
    return keras.Model([wide, deep], layers.Dense(1, "sigmoid")(layers.Concatenate()([wide, layers.Dense(8, "selu")(hidden)])))


def sequences():
    """From one sequence to another: the decoder begins where the encoder has ended."""
    source, target = keras.Input([9, 4], name="source"), keras.Input([5, 3], name="target")
    _, *state = layers.LSTM(7, return_state=True)(source)
    return keras.Model([source, target], layers.Dense(3, "softmax")(layers.LSTM(7, return_sequences=True)(target, initial_state=state)))


def mixed(policy, last="float32"):
    given = keras.Input([12, 12, 3])
    x = layers.Conv2D(8, 3, activation="relu", dtype=policy)(given)
    x = layers.GlobalAveragePooling2D(dtype=policy)(layers.BatchNormalization(dtype=policy)(x))
    return keras.Model(given, layers.Dense(4, "softmax", dtype=last)(layers.Dense(8, dtype=policy)(x)))


MODELS = {
    "mean of embeddings": keras_model(words(16, layers.GlobalAveragePooling1D, dense(4, "softmax")), tokens(6, 16)),
    "convolutions over words": keras_model(
        words(20, lambda: layers.Conv1D(16, 3, activation="relu"), layers.GlobalMaxPooling1D, dense(4, "softmax")),
        tokens(6, 20),
    ),
    "LSTM": keras_model(sequence(lstm(24), dense(3, "softmax")), numbers(4, 12, 5)),
    "LSTM, any length": keras_model(sequence(lstm(8, return_sequences=True, go_backwards=True)), numbers(4, 9, 5)),
    "stacked LSTM": keras_model(
        sequence(lstm(16, return_sequences=True), lstm(12, return_sequences=True), lstm(8), dense(2)), numbers(4, 15, 5)
    ),
    "GRU": keras_model(sequence(gru(24), dense(3, "softmax")), numbers(4, 12, 5)),
    "GRU, reset first": keras_model(sequence(gru(6, reset_after=False)), numbers(4, 12, 5)),
    "simple recurrent": keras_model(sequence(lambda: layers.SimpleRNN(12, return_sequences=True)), numbers(4, 12, 5)),
    "both ways": keras_model(
        sequence(both_ways(lstm(8, return_sequences=True)), both_ways(gru(6), merge_mode="sum"), dense(2)), numbers(3, 10, 5)
    ),
    "masked words, both ways": keras_model(
        words(14, both_ways(lstm(8, return_sequences=True)), both_ways(lstm(6)), dense(1, "sigmoid"), mask_zero=True), tokens(6, 14)
    ),
    "masked GRU": keras_model(words(14, gru(8, return_sequences=True), gru(5), mask_zero=True), tokens(6, 14)),
    "convolutional LSTM": keras_model(
        lambda: keras.Sequential([keras.Input([4, 6, 7, 2]), layers.ConvLSTM2D(3, 3, padding="same")]),
        numbers(2, 4, 6, 7, 2),
    ),
    "text vectorization": keras_model(vectorized("int", output_sequence_length=8), sentences(6)),
    "text vectorization, any length": keras_model(vectorized("int"), sentences(6)),
    "text vectorization, pairs, multi-hot": keras_model(vectorized("multi_hot", ngrams=2), sentences(6)),
    "text vectorization, counts": keras_model(vectorized("count"), sentences(6)),
    "text vectorization, TF-IDF": keras_model(vectorized("tf_idf", ngrams=(1, 2)), sentences(6)),
    "table of strings, integers and numbers": keras_model(
        tabular,
        {
            "color": np.array([["red"], ["blue"], ["mauve"], [""]]),
            "code": np.int64([[5], [7], [8], [0]]),
            "text": np.array([["x"], ["a longer text, of more than sixteen bytes"], ["é"], [""]]),
            "values": numbers(4, 3),
        },
    ),
    "names of classes": keras_model(named_classes, numbers(6, 5)),
    "transformer encoder": keras_model(encoder(False), tokens(4, 12)),
    "transformer encoder, masked": keras_model(encoder(True), tokens(4, 12)),
    "attention": keras_model(attention, numbers(3, 10, 6)),
    "wide and deep": keras_model(wide_and_deep, {"wide": numbers(5, 12), "deep": numbers(5, 6)}),
    "sequence to sequence": keras_model(sequences, {"source": numbers(3, 9, 4), "target": numbers(3, 5, 3)}),
    # Half precision has three digits.
    "mixed precision": keras_model(lambda: mixed("mixed_float16"), numbers(4, 12, 12, 3), tolerance=2e-3),
    "mixed precision, answers in half": keras_model(lambda: mixed("mixed_float16", "mixed_float16"), numbers(4, 12, 12, 3), tolerance=2e-3),
    # bfloat16 has two digits, and oneDNN rounds once where Eigen rounds at each step.
    "mixed precision, bfloat16": keras_model(lambda: mixed("mixed_bfloat16"), numbers(4, 12, 12, 3), tolerance=2e-2),
}
