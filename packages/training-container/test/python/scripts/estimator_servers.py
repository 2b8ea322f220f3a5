"""Two hosts, one global step on the parameter servers: the TensorFlow 1 way."""

import argparse

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
parser = argparse.ArgumentParser()
parser.add_argument("--model_dir")
arguments = parser.parse_args()


class Counter(v1.train.SessionRunHook):
    own = 0

    def after_run(self, run_context, run_values):
        Counter.own += 1


def model_fn(features, labels, mode):
    weights = v1.get_variable("weights", [4, 2])
    loss = tf.reduce_mean(v1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.matmul(features, weights)))
    step = v1.train.GradientDescentOptimizer(0.1).minimize(loss, v1.train.get_global_step())
    return v1.estimator.EstimatorSpec(mode, loss=loss, train_op=step, training_hooks=[Counter()])


def data():
    x = np.random.default_rng(1).normal(size=(200, 4)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, (x[:, 0] > 0).astype("int32"))).repeat().batch(20)


estimator = v1.estimator.Estimator(model_fn, arguments.model_dir, v1.estimator.RunConfig(save_checkpoints_steps=300))
v1.estimator.train_and_evaluate(
    estimator,
    v1.estimator.TrainSpec(data, max_steps=600),
    v1.estimator.EvalSpec(lambda: data().take(1), steps=1, start_delay_secs=0, throttle_secs=0),
)
print("own steps", Counter.own)
