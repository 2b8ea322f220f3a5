"""The parameter server beside a host's script, on TensorFlow 1.13 and later; it ends when it is killed, as in the container."""

import json
import os

# Several processes cannot share a GPU.
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf  # noqa: E402

config = json.loads(os.environ["TF_CONFIG"])
Server = getattr(getattr(tf, "distribute", None), "Server", None) or tf.train.Server
Server(config["cluster"], job_name="ps", task_index=config["task"]["index"]).join()
