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

def lstm(units, **options):
    return lambda: layers.LSTM(units, **options)

def gru(units, **options):
    return lambda: layers.GRU(units, **options)

def both_ways(layer, **options):
    return lambda: layers.Bidirectional(layer(), **options)

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
}
