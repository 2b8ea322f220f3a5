"""Exports an image network as a SavedModel whose signature takes encoded images, so that files are sent as they are.

    python export_with_decoder.py FOLDER OUT --images JSON --size HEIGHTxWIDTH

Gives a SavedModel of pixels a decoder that prepares images as `model.images` of pipeline.json says. Needs TensorFlow 2.16 or later.
"""

import argparse
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow as tf


def export(folder, out, images, side):
    network = tf.saved_model.load(folder)
    function = network.signatures["serving_default"]
    (name, spec), *others = function.structured_input_signature[1].items()
    if others:
        raise SystemExit("the signature has {} inputs, and one of images is wanted".format(1 + len(others)))
    channels = spec.shape[3]

    def decode(encoded):
        image = tf.io.decode_image(encoded, channels=channels, expand_animations=False)
        image.set_shape([None, None, channels])
        image = fitted(image, side, images["resize"])
        if images["order"] == "BGR":
            image = tf.gather(image, [2, 1, 0], axis=-1)
        return tf.cast((image * images["scale"] - images["mean"]) / images["std"], spec.dtype)

    def predict(image_bytes):
        pixels = tf.map_fn(decode, image_bytes, fn_output_signature=spec.dtype)
        return function(**{name: tf.ensure_shape(pixels, [None, *side, channels])})

    module = tf.Module()
    module.network = network
    encoded = tf.TensorSpec([None], tf.string, name="image_bytes")
    tf.saved_model.save(module, out, signatures=tf.function(predict, input_signature=[encoded]))


def fitted(image, side, resize):
    """The image stretched to a size, or the middle of one with a shorter side of `resize`."""
    if resize == "stretch":
        return tf.image.resize(image, side)
    size = tf.shape(image)[:2]
    size = size * resize // tf.minimum(size[0], size[1])
    top, left = tf.unstack(tf.cast(tf.round((size - side) / 2), tf.int32))
    return tf.image.resize(image, size)[top : top + side[0], left : left + side[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--images", type=json.loads)
    parser.add_argument("--size", type=lambda text: [int(side) for side in text.split("x")])
    options = parser.parse_args()
    export(options.folder, options.out, options.images, options.size)


if __name__ == "__main__":
    main()
