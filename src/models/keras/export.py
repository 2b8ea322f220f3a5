"""Exports a Keras model as a SavedModel in the Python that made it: export.py MODEL SAMPLE FOLDER.

Writes 1/, which answers drawn inputs as the model does, and facts.json with the library's version.
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras
import numpy as np
import tensorflow as tf

MOST_DIFFERENT = 1e-5
ROWS = 4
file, _, folder = sys.argv[1:]
model = keras.models.load_model(file, compile=False)
out = str(pathlib.Path(folder, "1"))
model.export(out, format="tf_saved_model", verbose=False)
saved = tf.saved_model.load(out)
draw = np.random.default_rng(0)
inputs = [
    tf.cast(draw.uniform(0, 4, [ROWS, *(side or 32 for side in one.shape[1:])]), one.dtype)
    for one in model.inputs
    if one.dtype != "string"
]
if len(inputs) == len(model.inputs):
    answers = zip(tf.nest.flatten(model(inputs[0] if len(inputs) == 1 else inputs)), tf.nest.flatten(saved.serve(*inputs)))
    furthest = max(float(np.max(np.abs(np.subtract(one, other)))) for one, other in answers)
    if not furthest <= MOST_DIFFERENT:
        sys.exit(f"the SavedModel that Keras exports answers otherwise than the model, by {furthest:.2g}")
    note = f"largest difference to the model on {ROWS} drawn inputs: {furthest:.0e}"
else:
    note = "its inputs are texts, and were not compared"


def layers_of(network):
    for layer in network.layers:
        yield type(layer).__name__
        if hasattr(layer, "layers"):
            yield from layers_of(layer)


facts = {
    "library": f"Keras {keras.__version__}",
    "note": f"exported by TensorFlow {tf.__version__}; {note}",
    "python": sys.executable,
    "scaling": [name for name in layers_of(model) if name in ("Rescaling", "Normalization")],
}
pathlib.Path(folder, "facts.json").write_text(json.dumps(facts))
