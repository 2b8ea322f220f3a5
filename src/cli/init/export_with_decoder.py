"""Exports an image network as a SavedModel whose signature takes encoded images, so that files are sent as they are.

    python export_with_decoder.py facts MODEL
    python export_with_decoder.py export MODEL OUT --pixels 0-255|0-1|-1-1|imagenet [--size HEIGHTxWIDTH]

MODEL is a .keras or .h5 file, or the folder of a SavedModel. `facts` prints one line of JSON. Needs TensorFlow 2.16 or later.
"""

import argparse
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import tensorflow as tf

# What a pixel of 0 to 255 is multiplied by, and what is added then.
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
PIXELS = {
    "0-255": (1.0, 0.0),
    "0-1": (1 / 255, 0.0),
    "-1-1": (1 / 127.5, -1.0),
    "imagenet": ([1 / 255 / std for std in STD], [-mean / std for mean, std in zip(MEAN, STD)]),
}


def load(model):
    """Something to call with a batch of pixels, and the shape of that batch."""
    if os.path.isdir(model):
        loaded = tf.saved_model.load(model)
        function = loaded.signatures["serving_default"]
        (name, spec), *others = function.structured_input_signature[1].items()
        if others:
            raise SystemExit("the signature has {} inputs, and one of images is wanted".format(1 + len(others)))
        return loaded, lambda images: function(**{name: images}), spec.shape.as_list()
    network = keras.models.load_model(model, compile=False)
    shape = network.input_shape
    if isinstance(shape, (list, dict)):
        raise SystemExit("the network has {} inputs, and one of images is wanted".format(len(shape)))
    return network, lambda images: {"scores": network(images, training=False)}, list(shape)


def facts(model):
    """Shape of the input, and whether the network scales its pixels itself."""
    network, _, shape = load(model)
    layers = [] if os.path.isdir(model) else [type(layer).__name__ for layer in network._flatten_layers()]
    scaling = [name for name in layers if name in ("Rescaling", "Normalization")]
    print(json.dumps({"shape": shape, "scaling": scaling}))


def export(model, out, pixels, size):
    network, call, (_, height, width, channels) = load(model)
    side = size or (height, width)
    factor, offset = PIXELS[pixels]

    def decode(encoded):
        image = tf.io.decode_image(encoded, channels=channels, expand_animations=False)
        image.set_shape([None, None, channels])
        return tf.image.resize(image, side) * factor + offset

    def predict(image_bytes):
        images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
        return call(tf.ensure_shape(images, [None, *side, channels]))

    encoded = tf.TensorSpec([None], tf.string, name="image_bytes")
    if os.path.isdir(model):
        module = tf.Module()
        module.network = network
        tf.saved_model.save(module, out, signatures=tf.function(predict, input_signature=[encoded]))
    else:
        archive = keras.export.ExportArchive()
        archive.track(network)
        archive.add_endpoint("serving_default", predict, [encoded])
        archive.write_out(out, verbose=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", choices=["facts", "export"])
    parser.add_argument("model")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--pixels", choices=list(PIXELS))
    parser.add_argument("--size", type=lambda text: tuple(int(side) for side in text.split("x")))
    options = parser.parse_args()
    if options.work == "facts":
        facts(options.model)
    else:
        export(options.model, options.out, options.pixels, options.size)


if __name__ == "__main__":
    main()
