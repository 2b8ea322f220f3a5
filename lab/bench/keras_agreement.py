"""Compares the local engine with TensorFlow on Keras's own networks, and prints a row of the container's table for each.

    python lab/bench/keras_agreement.py [NETWORK…] [--keep FOLDER]

Weights are random with a fixed seed, and batch normalisation is calibrated on the images, so that signals neither die nor
explode on their way and classes differ. A class must agree wherever the margin between the best two exceeds twice the
largest difference, which must stay at 1e-4 or below; the script exits with 1 if either fails. Needs TensorFlow and Keras 3.
"""

import argparse
import os
import pathlib
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

import engine

LARGEST_DIFFERENCE = 1e-4
NETWORKS = (
    "ResNet50",
    "MobileNetV2",
    "MobileNetV3Small",
    "EfficientNetB0",
    "DenseNet121",
    "InceptionV3",
    "Xception",
    "ResNet50V2",
)


def images_for(network, count):
    """Blurred noise: neighbouring pixels are alike, as in photographs."""
    side = network.input_shape[1] or 224
    coarse = np.random.default_rng(3).uniform(0, 255, (count, 16, 16, 3)).astype(np.float32)
    return tf.image.resize(coarse, (side, side)).numpy()


def calibrate(network, images):
    """One pass in training mode, after which the moving averages are the statistics of these images."""
    layers = [layer for layer in network._flatten_layers() if isinstance(layer, keras.layers.BatchNormalization)]
    for layer in layers:
        layer.momentum = 0.0
    network(images, training=True)


def compare(name, folder, count):
    keras.utils.set_random_seed(11)
    network = getattr(keras.applications, name)(weights=None)
    images = images_for(network, count)
    calibrate(network, images)
    path = folder / name
    network.export(str(path), verbose=False)

    signature = tf.saved_model.load(str(path)).signatures["serving_default"]
    (feed,) = signature.structured_input_signature[1]
    theirs = next(iter(signature(**{feed: tf.constant(images)}).values())).numpy()
    ours = next(iter(engine.predict(path, {feed: images}).values()))

    difference = np.abs(theirs - ours).max()
    best = np.sort(theirs, axis=-1)
    clear = best[:, -1] - best[:, -2] > 2 * difference
    same = theirs.argmax(-1) == ours.argmax(-1)
    good = bool(same[clear].all() and difference <= LARGEST_DIFFERENCE)
    ops = " ".join(engine.operations(path))
    print(f"| {name} | {ops} | {same.sum()} of {count} | {clear.sum()} | {difference:.1e} | {'yes' if good else 'NO'} |", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    parser.add_argument("--images", type=int, default=8)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    print("| network | operations | same class | with a clear margin | largest difference | agrees |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        good = [compare(name, folder, options.images) for name in options.networks]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
