"""Trains the example's network on what prepare.py wrote, and exports it as a SavedModel.

    python train.py --data cifar10 [--epochs 60] [--out export]

Needs TensorFlow 2.16 or later. Pack what it writes with `inferdrop model pack export --code code`.
"""

import argparse
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

CLASSES = 10


def build_network():
    """The convolutional network of Keras's own CIFAR-10 example, 1,250,858 parameters; pixels 0..1 in."""

    def block(x, filters):
        x = keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = keras.layers.Conv2D(filters, 3, activation="relu")(x)
        x = keras.layers.MaxPooling2D()(x)
        return keras.layers.Dropout(0.25)(x)

    image = keras.Input((32, 32, 3), name="image")
    x = block(block(image, 32), 64)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dense(512, activation="relu")(x)
    x = keras.layers.Dropout(0.5)(x)
    return keras.Model(image, keras.layers.Dense(CLASSES, activation="softmax")(x))


def load(folder, split):
    """Images as they lie on the disk, mapped and not read: only a batch is in memory at a time."""
    images = np.load(folder / "npy" / f"{split}-images.npy", mmap_mode="r")
    return images, np.load(folder / "npy" / f"{split}-labels.npy")


def batches(images, labels, batch, epochs=None):
    """Shuffled and mirrored at random where `epochs` is given, in order where it is not."""

    def pixels(chosen, labels):
        return tf.cast(chosen, tf.float32) / 255, labels

    def generate():
        order = np.random.permutation(len(images)) if epochs else np.arange(len(images))
        for start in range(0, len(order), batch):
            chosen = np.sort(order[start : start + batch])
            yield images[chosen], labels[chosen]

    signature = (tf.TensorSpec([None, 32, 32, 3], tf.uint8), tf.TensorSpec([None], tf.int64))
    data = tf.data.Dataset.from_generator(generate, output_signature=signature).map(pixels)
    if epochs:
        data = data.map(lambda image, label: (tf.image.random_flip_left_right(image), label)).repeat(epochs)
    return data.prefetch(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("export"))
    options = parser.parse_args()

    keras.utils.set_random_seed(7)
    images, labels = load(options.data, "train")
    steps = -(-len(images) // options.batch)
    network = build_network()
    rate = keras.optimizers.schedules.CosineDecay(1e-3, options.epochs * steps)
    network.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    network.fit(
        batches(images, labels, options.batch, options.epochs),
        epochs=options.epochs,
        steps_per_epoch=steps,
        validation_data=batches(*load(options.data, "validation"), 500),
        verbose=2,
    )
    _, accuracy = network.evaluate(batches(*load(options.data, "eval"), 500), verbose=0)

    # A network that was never compiled, because the optimizer's moments would triple the archive.
    bare = build_network()
    bare.set_weights(network.get_weights())
    bare.export(str(options.out / "1"), verbose=False)
    print(f"accuracy {accuracy:.4f} on the {len(load(options.data, 'eval')[1]):,} images of eval; {options.out}")


if __name__ == "__main__":
    main()
