"""Writes the networks that lab/bench/transform.ts measures, as unpacked model archives with images to send.

    python lab/bench/make_networks.py FOLDER

`cifar10` is the network of examples/cifar10 (1,250,858 parameters) and `resnet50` Keras's own; both with random weights of
a fixed seed, and both with a signature that takes encoded images and decodes them in the graph. Needs TensorFlow.
"""

import os
import pathlib
import shutil
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "examples" / "cifar10"))
from train import build_network


def export(network, side, scale, folder):
    def decode(encoded):
        image = tf.io.decode_image(encoded, channels=3, expand_animations=False)
        image.set_shape([None, None, 3])
        return tf.image.resize(image, [side, side])

    def predict(image_bytes):
        images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
        probabilities = network(tf.ensure_shape(images, [None, side, side, 3]) * scale, training=False)
        return {"classes": tf.argmax(probabilities, axis=-1), "probabilities": probabilities}

    archive = keras.export.ExportArchive()
    archive.track(network)
    archive.add_endpoint("serving_default", predict, [tf.TensorSpec([None], tf.string, name="image_bytes")])
    archive.write_out(str(folder / "model" / "1"), verbose=False)
    shutil.copytree(ROOT / "examples" / "fashion-mnist" / "code", folder / "model" / "code")


def write_images(side, count, folder):
    """Blurred noise, as PNG: neighbouring pixels are alike, as in photographs."""
    (folder / "images").mkdir()
    coarse = np.random.default_rng(3).uniform(0, 255, (count, 8, 8, 3)).astype(np.float32)
    for index, image in enumerate(tf.image.resize(coarse, (side, side)).numpy().astype(np.uint8)):
        (folder / "images" / f"{index:04}.png").write_bytes(tf.io.encode_png(image).numpy())


def main():
    for name, build, side, scale, count in (
        ("cifar10", build_network, 32, 1 / 255, 1000),
        ("resnet50", lambda: keras.applications.ResNet50(weights=None), 224, 1.0, 32),
    ):
        folder = pathlib.Path(sys.argv[1]) / name
        folder.mkdir(parents=True)
        keras.utils.set_random_seed(11)
        export(build(), side, scale, folder)
        write_images(side, count, folder)


if __name__ == "__main__":
    main()
