"""Trains one network on all ranks with Horovod; the class of an image stands in its name, <number>_<class>.png.

Arguments are the hyperparameters of pipeline.json; the images lie below SM_CHANNEL_TRAINING, the model goes below SM_MODEL_DIR. For
TensorFlow 2.11 to 2.15: the last image of AWS that has Horovod is that of 2.12, and Horovod wraps optimizers of Keras 2.
"""

import argparse
import os
import pathlib

import horovod.tensorflow.keras as hvd
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


def own_share(count):
    """This rank's images: one shuffled order, dealt out to equal numbers, since all ranks must take as many steps."""
    order = numpy.random.default_rng(7).permutation(count)
    return order[: count - count % hvd.size()][hvd.rank() :: hvd.size()]


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.InputLayer([SIDE, SIDE, 1]),
            layers.Rescaling(1 / 255),
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(len(CLASSES), activation="softmax"),
        ]
    )


class Log(tf.keras.callbacks.Callback):
    """One line an epoch, for the metrics of pipeline.json."""

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch={epoch + 1} loss={logs['loss']:.4f} accuracy={logs['accuracy']:.4f}", flush=True)


class Served(tf.Module):
    """What the endpoint calls: encoded images of any size in, classes and probabilities out."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="image_bytes")])
    def predict(self, image_bytes):
        images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
        probabilities = self.network(tf.ensure_shape(images, [None, SIDE, SIDE, 1]), training=False)
        return {"classes": tf.argmax(probabilities, axis=-1), "probabilities": probabilities}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, default=0.001)
    # Of the SDK, which sets it where MPI is used.
    parser.add_argument("--model_dir")
    options = parser.parse_args()

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    print(f"rank {hvd.rank()} of {hvd.size()} on {os.environ['SM_CURRENT_HOST']}", flush=True)
    tf.keras.utils.set_random_seed(7 + hvd.rank())
    images, labels = load(os.environ["SM_CHANNEL_TRAINING"])
    share = own_share(len(images))
    network = build()
    # All ranks together look at size times as many images a step.
    optimizer = tf.keras.optimizers.legacy.Adam(options.learning_rate * hvd.size())
    network.compile(
        hvd.DistributedOptimizer(optimizer), "sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *([Log()] if hvd.rank() == 0 else []),
    ]
    network.fit(
        images[share],
        labels[share],
        epochs=options.epochs,
        batch_size=options.batch_size,
        verbose=0,
        callbacks=callbacks,
    )
    weights = sum(numpy.abs(one.astype("float64")).sum() for one in network.get_weights())
    print(f"weights {weights:.9f}", flush=True)
    if hvd.rank() == 0:
        bare = build()
        bare.set_weights(network.get_weights())
        served = Served(bare)
        folder = os.path.join(os.environ["SM_MODEL_DIR"], "1")
        tf.saved_model.save(served, folder, signatures={"serving_default": served.predict})


if __name__ == "__main__":
    main()
