"""Ranks of Horovod train one Keras model: each with its own rows, gradients averaged, weights from the first rank."""

import os

import horovod.tensorflow.keras as hvd
import numpy
import tensorflow as tf

hvd.init()
print(
    "rank %d of %d, local %d of %d, cross %d of %d, on %s"
    % (
        *(hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size(), hvd.cross_rank(), hvd.cross_size()),
        os.environ["SM_CURRENT_HOST"],
    )
)
tf.random.set_seed(hvd.rank())
random = numpy.random.default_rng(hvd.rank())
rows = random.random((64, 4), "float32")
wanted = rows.sum(1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu", input_shape=(4,)), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.02 * hvd.size())), "mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
history = model.fit(rows, wanted, batch_size=16, epochs=10, verbose=0, callbacks=callbacks).history["loss"]
print("loss fell", history[-1] < history[0] / 2)
print("weights %.9f" % sum(numpy.abs(weight).sum() for weight in model.get_weights()))
if hvd.rank() == 0:
    model.save(os.path.join(os.environ["SM_MODEL_DIR"], "1"))
