"""Trains a small network on PNG images in script mode; the class of an image stands in its name, <number>_<class>.png.

Arguments are the hyperparameters of pipeline.json; the images lie below SM_CHANNEL_TRAINING, the model goes below SM_MODEL_DIR.
"""

import argparse
import os
import pathlib

import keras
import numpy
import tensorflow as tf

SIDE = 28
CLASSES = "t-shirt trouser pullover dress coat sandal shirt sneaker bag ankle-boot".split()


def decode(encoded):
    image = tf.io.decode_image(encoded, channels=1, expand_animations=False)
    image.set_shape([None, None, 1])
    return tf.image.resize(image, [SIDE, SIDE])


def load(folder):
    files = sorted(pathlib.Path(folder).rglob("*.png"))
    images = numpy.stack([decode(file.read_bytes()).numpy() for file in files])
    labels = numpy.array([CLASSES.index(file.stem.split("_", 1)[1]) for file in files])
    return images, labels


def build():
    return keras.Sequential(
        [
            keras.Input([SIDE, SIDE, 1]),
            keras.layers.Rescaling(1 / 255),
            keras.layers.Conv2D(16, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(32, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Flatten(),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(len(CLASSES), activation="softmax"),
        ]
    )


class Log(keras.callbacks.Callback):
    """One line an epoch, for the metrics of pipeline.json."""

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch={epoch + 1} loss={logs['loss']:.4f} accuracy={logs['accuracy']:.4f}", flush=True)


def export(network, folder):
    """A SavedModel whose signature takes encoded images of any size."""

    def predict(image_bytes):
        images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
        probabilities = network(tf.ensure_shape(images, [None, SIDE, SIDE, 1]), training=False)
        return {"classes": tf.argmax(probabilities, axis=-1), "probabilities": probabilities}

    archive = keras.export.ExportArchive()
    archive.track(network)
    archive.add_endpoint("serving_default", predict, [tf.TensorSpec([None], tf.string, name="image_bytes")])
    archive.write_out(folder, verbose=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32)
    # SageMaker adds the place of checkpoints where the estimator has one.
    parser.add_argument("--model_dir")
    options, _ = parser.parse_known_args()
    keras.utils.set_random_seed(7)
    images, labels = load(os.environ["SM_CHANNEL_TRAINING"])
    print(f"{len(images)} images", flush=True)
    network = build()
    network.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    network.fit(
        images, labels, epochs=options.epochs, batch_size=options.batch_size, verbose=0, callbacks=[Log()]
    )
    if os.environ["SM_CURRENT_HOST"] == "algo-1":
        bare = build()
        bare.set_weights(network.get_weights())
        export(bare, os.path.join(os.environ["SM_MODEL_DIR"], "1"))


if __name__ == "__main__":
    main()
