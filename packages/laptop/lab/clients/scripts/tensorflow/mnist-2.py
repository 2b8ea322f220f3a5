"""A Keras model as the TensorFlow notebook trains and saves it: by Keras 2, in a folder for TensorFlow Serving, by the first host."""

import argparse
import json
import os

import numpy
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--model_dir", type=str)
parser.add_argument("--sm-model-dir", type=str, default=os.environ["SM_MODEL_DIR"])
parser.add_argument("--train", type=str, default=os.environ["SM_CHANNEL_TRAINING"])
parser.add_argument("--hosts", type=list, default=json.loads(os.environ["SM_HOSTS"]))
parser.add_argument("--current-host", type=str, default=os.environ["SM_CURRENT_HOST"])
args, unknown = parser.parse_known_args()

task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task")
print("TensorFlow", tf.__version__, "model_dir", args.model_dir, "task", task)
tf.keras.utils.set_random_seed(1)
data = numpy.load(os.path.join(args.train, "train_data.npy"))
labels = numpy.load(os.path.join(args.train, "train_labels.npy"))
model = tf.keras.Sequential(
    [
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(32, activation=tf.nn.relu),
        tf.keras.layers.Dropout(0.1),
        tf.keras.layers.Dense(10, activation=tf.nn.softmax),
    ]
)
model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data[100:], labels[100:], epochs=8, batch_size=32, verbose=0)
loss, accuracy = model.evaluate(data[:100], labels[:100], verbose=0)
print("val_loss: %.4f val_accuracy: %.4f;" % (loss, accuracy))
if args.current_host == args.hosts[0]:
    model.save(os.path.join(args.sm_model_dir, "000000001"), "my_model.h5")
