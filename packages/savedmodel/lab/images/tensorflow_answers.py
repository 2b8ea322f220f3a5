"""TensorFlow's answer, a line of JSON, to each line [image in base64, operation, attributes] of its input."""

import base64
import hashlib
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402


def answer(data, op, attributes):
    if "dtype" in attributes:
        attributes["dtype"] = getattr(tf, attributes["dtype"])
    try:
        pixels = getattr(tf.raw_ops, op)(contents=data, **attributes).numpy()
    except (tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError) as error:
        return f"error: {error.message}"
    return f"{pixels.dtype} {'x'.join(map(str, pixels.shape))} {hashlib.sha256(pixels.tobytes()).hexdigest()[:16]}"


for line in sys.stdin:
    data, op, attributes = json.loads(line)
    print(json.dumps(answer(base64.b64decode(data), op, attributes)), flush=True)
