"""A Keras model as the TensorFlow notebook trains it; the first host exports it for TensorFlow Serving."""

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
    [tf.keras.Input((784,)), tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(10, "softmax")]
)
model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data[100:], labels[100:], epochs=8, batch_size=32, verbose=0)
loss, accuracy = model.evaluate(data[:100], labels[:100], verbose=0)
print("val_loss: %.4f val_accuracy: %.4f;" % (loss, accuracy))
if args.current_host == args.hosts[0]:
    model.export(os.path.join(args.sm_model_dir, "000000001"))
