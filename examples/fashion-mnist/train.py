"""Trains the example's network on Fashion-MNIST and packs it as model.tar.gz.

    python train.py [--epochs 9] [--data FOLDER]

Needs TensorFlow 2.16 or later. The seed is fixed; TensorFlow's own kernels may still differ in the last digit between
machines. The archive is reproducible: the same weights give the same bytes.
"""

import argparse
import gzip
import os
import pathlib
import shutil
import tarfile
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import tensorflow as tf

from fashion_mnist import CLASSES, DEBIAN, load

HERE = pathlib.Path(__file__).parent
SIDE = 28


def build_network():
    """Three convolutions with batch normalization, 240,000 parameters; pixels 0..255 in, probabilities out."""

    def block(x, filters):
        x = keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = keras.layers.BatchNormalization()(x)
        x = keras.layers.ReLU()(x)
        return keras.layers.MaxPooling2D()(x)

    image = keras.Input((SIDE, SIDE, 1))
    x = keras.layers.Rescaling(1 / 255)(image)
    for filters in (32, 64, 128):
        x = block(x, filters)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dropout(0.3)(x)
    x = keras.layers.Dense(128, activation="relu")(x)
    x = keras.layers.Dropout(0.3)(x)
    return keras.Model(image, keras.layers.Dense(len(CLASSES), activation="softmax")(x))


def train(network, images, labels, epochs, batch=128):
    """Mirrored copies at random are the only augmentation: a shoe may point either way."""
    data = (
        tf.data.Dataset.from_tensor_slices((images, labels))
        .shuffle(len(images), seed=1)
        .map(lambda image, label: (tf.image.random_flip_left_right(image, seed=2), label))
        .batch(batch)
        .prefetch(2)
    )
    rate = keras.optimizers.schedules.CosineDecay(2e-3, epochs * -(-len(images) // batch))
    network.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    network.fit(data, epochs=epochs, verbose=2)


def export(network, folder):
    """A SavedModel whose signature takes encoded images of any size, so that a client sends the file as it is."""
    # A network that was never compiled, because the optimizer's moments would triple the archive.
    bare = build_network()
    bare.set_weights(network.get_weights())

    def decode(encoded):
        image = tf.io.decode_image(encoded, channels=1, expand_animations=False)
        image.set_shape([None, None, 1])
        return tf.image.resize(image, [SIDE, SIDE])

    def predict(image_bytes):
        images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
        probabilities = bare(tf.ensure_shape(images, [None, SIDE, SIDE, 1]), training=False)
        return {"classes": tf.argmax(probabilities, axis=-1), "probabilities": probabilities}

    archive = keras.export.ExportArchive()
    archive.track(bare)
    archive.add_endpoint(
        "serving_default", predict, [tf.TensorSpec([None], tf.string, name="image_bytes")]
    )
    archive.write_out(str(folder), verbose=False)


def pack(saved_model, target):
    """model.tar.gz as the SageMaker container wants it: <name>/<version>/saved_model.pb beside code/inference.py."""
    files = {f"fashion-mnist/1/{path.relative_to(saved_model)}": path for path in saved_model.rglob("*")}
    files["code/inference.py"] = HERE / "code" / "inference.py"
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, path in sorted(files.items()):
                # The fingerprint holds a random number, and serving does not read it.
                if path.is_file() and path.name != "fingerprint.pb":
                    entry = tarfile.TarInfo(name)
                    entry.size = path.stat().st_size
                    with open(path, "rb") as content:
                        archive.addfile(entry, content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--data", type=pathlib.Path, default=DEBIAN)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "model.tar.gz")
    options = parser.parse_args()

    keras.utils.set_random_seed(7)
    network = build_network()
    train(network, *load("train", options.data), options.epochs)
    _, accuracy = network.evaluate(*load("t10k", options.data), batch_size=500, verbose=0)

    folder = pathlib.Path(tempfile.mkdtemp())
    export(network, folder)
    pack(folder, options.out)
    shutil.rmtree(folder)
    print(f"{accuracy:.2%} of the 10,000 test images; {options.out}, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
