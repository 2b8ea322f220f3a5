"""A small Keras model over a channel in Pipe mode; the first host saves it."""

import os

import tensorflow as tf
from sagemaker_tensorflow import PipeModeDataset

dataset = PipeModeDataset("train", record_format="RecordIO")


def parse(record):
    parts = tf.strings.to_number(tf.strings.split(record))
    return tf.one_hot(tf.cast(parts[0], tf.int32), 10), tf.cast(parts[0], tf.int64)


counts = [sum(1 for _ in dataset), sum(1 for _ in dataset), sum(1 for _ in dataset.repeat(2))]
print("records", counts)
model = tf.keras.Sequential([tf.keras.layers.Input((10,)), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset.map(parse).batch(50), verbose=2)
if os.environ["SM_CURRENT_HOST"] == "algo-1":
    tf.saved_model.save(model, os.path.join(os.environ["SM_MODEL_DIR"], "1"))
