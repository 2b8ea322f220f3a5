"""Saves models of the zoo, lets TensorFlow answer, and lets ../zoo.ts convert them and compare.

    python zoo/run.py FOLDER [--node PATH] [--seed N] [--drawn 1] [--large] [--model NAME]…

Weights and inputs are random with fixed seeds. A model's folder is removed once it agrees. Needs TensorFlow 2.21 and Keras 3.
"""

import argparse
import base64
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

from model import NotComparable  # noqa: E402

#: Weights are chosen by what this processor answers; where more than this many find none, the zoo proves too little.
MOST_SKIPPED = 3
HERE = pathlib.Path(__file__).parent
#: Modules beside this one that hold a table MODELS: name → Model.
KINDS = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("model", "run"))


def described(array):
    array = np.asarray(array)
    if array.dtype.kind in "OSU":
        texts = [text if isinstance(text, bytes) else str(text).encode() for text in array.reshape(-1)]
        return {"dtype": "string", "shape": array.shape, "data": [base64.b64encode(text).decode() for text in texts]}
    return {"dtype": str(array.dtype), "shape": array.shape, "data": base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()}


def answer(folder, inputs):
    """The inputs by name, of which a list has the only one, and the answer of a session, which is what TensorFlow Serving runs."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        signature = tf.compat.v1.saved_model.load(session, ["serve"], str(folder)).signature_def["serving_default"]
        if isinstance(inputs, list):
            ((name, values),) = zip(signature.inputs, inputs, strict=True)
            inputs = {name: values}
        outputs = {name: output.name for name, output in signature.outputs.items()}
        return inputs, session.run(outputs, {signature.inputs[name].name: value for name, value in inputs.items()})


def saved(model, folder):
    """Saves a model next to its inputs and TensorFlow's answer to them."""
    shutil.rmtree(folder, ignore_errors=True)
    keras.utils.set_random_seed(1)
    inputs = model.save(folder)
    if model.refused:
        (folder / "case.json").write_text(json.dumps({"refused": model.refused}))
        return
    inputs, outputs = answer(folder, inputs)
    case = {
        "tolerance": model.tolerance,
        "own": model.own,
        "inputs": {key: described(value) for key, value in inputs.items()},
        "outputs": {key: described(value) for key, value in outputs.items()},
    }
    (folder / "case.json").write_text(json.dumps(case))


def judge(folders, node):
    subprocess.run([node, str(HERE.parent / "zoo.ts"), *map(str, folders)], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--node", default="node")
    parser.add_argument("--model", action="append")
    parser.add_argument("--seed", default="1", help="draws some of the networks that are many")
    parser.add_argument("--drawn", type=int, default=1, help="how many of them")
    parser.add_argument("--weekly", action="store_true", help="also models that the gate has no time for")
    parser.add_argument("--large", action="store_true", help="also models that take a minute or gigabytes")
    options = parser.parse_args()
    models = {name: model for kind in KINDS for name, model in importlib.import_module(kind).MODELS.items()}
    drawn = sorted((name for name, model in models.items() if model.drawn), key=lambda name: zlib.crc32(f"{options.seed} {name}".encode()))[: options.drawn]
    small, large, skipped = [], [], []
    for name, model in models.items():
        asked = name in drawn or not (model.drawn or model.large or model.weekly) or (model.large and options.large) or (model.weekly and options.weekly)
        if not (name in options.model if options.model else asked):
            continue
        folder = options.folder / name
        try:
            saved(model, folder)
        except NotComparable as reason:
            print(f"{name}: not compared: {reason}", flush=True)
            skipped.append(name)
            continue
        if model.drawn or model.large:
            # A process of its own tells its memory.
            judge([folder], options.node)
            large.append(folder)
        else:
            small.append(folder)
    judge(small, options.node)
    failed = [folder.name for folder in [*small, *large] if folder.exists()]
    print(f"zoo: {', '.join(failed)} differ" if failed else f"zoo: all agree, {len(skipped)} were not compared", flush=True)
    sys.exit(len(failed) > 0 or len(skipped) > MOST_SKIPPED)


if __name__ == "__main__":
    main()
