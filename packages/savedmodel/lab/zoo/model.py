"""A model of the zoo: how it is saved, and what it is asked."""

import zlib

import numpy as np


class Model:
    """`save` writes a SavedModel to a folder and gives the inputs of its signature `serving_default` by name. Answers may differ by
    `tolerance` times the largest magnitude of the output, or each by its `own`; integers, booleans and strings must be equal.
    A model with an operation that is not converted, `refused`, must be refused by that name.
    `large` and `weekly` models run only if they are asked for; of those that are `drawn` a few run each time, since they take as long as all else."""

    def __init__(self, save, tolerance=1e-4, large=False, drawn=False, weekly=False, own=False, refused=None):
        self.save = save
        self.tolerance = tolerance
        self.large = large
        self.drawn = drawn
        self.weekly = weekly
        self.own = own
        self.refused = refused


def keras_model(build, *arrays, tolerance=1e-4):
    """`build` gives a Keras 3 model, exported as keras.io says; `arrays` are its inputs, in its order or by name."""

    def save(folder):
        import keras

        network = build()
        network.export(str(folder), format="tf_saved_model", verbose=False)
        keras.backend.clear_session()
        return arrays[0] if isinstance(arrays[0], dict) else list(arrays)

    return Model(save, tolerance)


def random(name):
    """Random numbers of their own for each name, whatever else runs."""
    return np.random.default_rng(zlib.crc32(name.encode()))


class NotComparable(Exception):
    """No weights were found under which answers on this processor tell inputs apart by more than roundings do."""
