"""Trains one network on all hosts with parameter servers; the class of an image stands in its name, <number>_<class>.png.

Arguments are the hyperparameters of pipeline.json; the images lie below SM_CHANNEL_TRAINING, the model goes below SM_MODEL_DIR.

Where there are several hosts, SageMaker's container starts a parameter server on each and says in TF_CONFIG where everything is. The
network's variables lie on these servers. The first host, the `master`, hands out steps; every host, the master too, is a worker that takes
them: it reads the variables, computes gradients for its next images, and has the servers add them up. Workers do not wait for each other.
"""

import argparse
import json
import math
import os
import pathlib
import socket
import time

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


def start_worker(cluster, index):
    """Serves this process as a worker, on the port that TF_CONFIG gives its host. A worker waits for its images on a thread."""
    config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=max(4, os.cpu_count()))
    return tf.distribute.Server(cluster, job_name="worker", task_index=index, protocol="grpc", config=config)


def connect(cluster, master):
    """The strategy of the host that hands out the steps; the others reach it at the master's name, on a port of its own."""
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    chief = "{}:{}".format(master.rsplit(":", 1)[0], port)
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec({**cluster.as_dict(), "chief": [chief]}), task_type="chief", task_id=0, rpc_layer="grpc"
    )
    return tf.distribute.ParameterServerStrategy(resolver)


def wait_for_end_of(master):
    """The master's port is open while it trains; this is how the container, too, knows when to end its parameter server."""
    host, port = master.rsplit(":", 1)

    def is_open():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
            return True
        except OSError:
            return False

    while not is_open():
        time.sleep(1)
    while is_open():
        time.sleep(1)


def train(images, labels, strategy, options):
    """Returns the weights. An epoch is as many steps as it takes to see every image once, whichever worker takes them."""
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        network = build()
        optimizer = keras.optimizers.Adam()
        optimizer.build(network.trainable_variables)
        # The servers add; the optimizer's own count is read and written back, which two workers may do at once.
        taken = tf.Variable(0, trainable=False, dtype=tf.int64, aggregation=tf.VariableAggregation.SUM)

    def batches():
        pairs = tf.data.Dataset.from_tensor_slices((images, labels))
        return pairs.shuffle(len(images)).repeat().batch(options.batch_size)

    def learn(images, labels):
        with tf.GradientTape() as tape:
            probabilities = network(images, training=True)
            loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, probabilities))
        gradients = tape.gradient(loss, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables))
        right = tf.cast(tf.equal(tf.argmax(probabilities, axis=1), labels), tf.float32)
        return loss, tf.reduce_mean(right)

    @tf.function
    def step(iterator):
        taken.assign_add(1)
        return strategy.run(learn, next(iterator))

    iterator = iter(coordinator.create_per_worker_dataset(batches))
    for epoch in range(options.epochs):
        steps = math.ceil(len(images) / options.batch_size)
        results = [coordinator.schedule(step, args=(iterator,)) for _ in range(steps)]
        coordinator.join()
        loss, accuracy = numpy.mean([result.fetch() for result in results], axis=0)
        # One line an epoch, for the metrics of pipeline.json.
        print(f"epoch={epoch + 1} loss={loss:.4f} accuracy={accuracy:.4f}", flush=True)
    places = sorted({variable.value.device for variable in network.trainable_variables})
    print(f"{taken.numpy()} steps into the variables on {' '.join(places)}", flush=True)
    return network.get_weights()


def export(weights, folder):
    """A SavedModel of a network with these weights, whose signature takes encoded images of any size."""
    network = build()
    network.set_weights(weights)

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
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=32)
    # SageMaker adds the place of checkpoints where the estimator has one.
    parser.add_argument("--model_dir")
    options, _ = parser.parse_known_args()

    hosts = json.loads(os.environ["SM_HOSTS"])
    if len(hosts) < 2:
        raise SystemExit("SageMaker starts parameter servers for 2 hosts or more: set training.instances.count of pipeline.json")
    index = hosts.index(os.environ["SM_CURRENT_HOST"])
    addresses = json.loads(os.environ["TF_CONFIG"])["cluster"]
    [master] = addresses["master"]
    cluster = tf.train.ClusterSpec({"worker": [master, *addresses["worker"]], "ps": addresses["ps"]})
    server = start_worker(cluster, index)
    print(f"host {index + 1} of {len(hosts)} is the worker {server.target}", flush=True)
    if index > 0:
        return wait_for_end_of(master)

    strategy = connect(cluster, master)
    keras.utils.set_random_seed(7)
    images, labels = load(os.environ["SM_CHANNEL_TRAINING"])
    print(f"{len(images)} images", flush=True)
    weights = train(images, labels, strategy, options)
    export(weights, os.path.join(os.environ["SM_MODEL_DIR"], "1"))


if __name__ == "__main__":
    main()
