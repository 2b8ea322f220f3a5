"""Writes small graphs, and for each the expression that a session runs after TensorFlow has optimized it: Mul(0.333333343, x).

    python expressions.py FILE

With ../../test/fixtures/expressions.gz this writes what the repository holds.
"""

import gzip
import json
import os
import pathlib
import struct
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow.core.protobuf import saved_model_pb2  # noqa: E402
from tensorflow.python.framework import tensor_util  # noqa: E402

v1, m, raw = tf.compat.v1, tf.math, tf.raw_ops
MONOTONIC = "Acosh Asin Asinh Atan Atanh Ceil Erf Exp Expm1 Floor Log Log1p Rint Sigmoid Sign Sinh Sqrt Tanh Acos Erfc Neg Rsqrt Reciprocal Cos Abs Square"
FEATURES = "Elu Relu Relu6 Selu Softsign Softplus"


def function(name):
    return lambda x: getattr(raw, name)(features=x) if name in FEATURES else getattr(raw, name)(x=x)


FORMS = {
    "x / 3": lambda x: x / 3.0,
    "x / 3 * 2": lambda x: x / 3.0 * 2.0,
    "x * 3 / 2": lambda x: x * 3.0 / 2.0,
    "3 / x * 2": lambda x: 3.0 / x * 2.0,
    "x / [1 2 4 5]": lambda x: x / [1.0, 2.0, 4.0, 5.0],
    "x - 1 + 2": lambda x: x - 1.0 + 2.0,
    "1 - x + 2": lambda x: 1.0 - x + 2.0,
    "x + 1 + 2": lambda x: x + 1.0 + 2.0,
    "2 - (x + 1)": lambda x: 2.0 - (x + 1.0),
    "2 - (1 - x)": lambda x: 2.0 - (1.0 - x),
    "x - 1 - 2": lambda x: x - 1.0 - 2.0,
    "1 + (x + sin)": lambda x: 1.0 + (x + tf.sin(x)),
    "1 - (x + sin)": lambda x: 1.0 - (x + tf.sin(x)),
    "(x - sin) + 1": lambda x: (x - tf.sin(x)) + 1.0,
    "(x * sin) * 2": lambda x: (x * tf.sin(x)) * 2.0,
    "x * 1e30 * 1e-30": lambda x: x * 1e30 * 1e-30,
    "x / 1e20 * 1e-20": lambda x: x / 1e20 * 1e-20,
    "log softmax": lambda x: m.log(tf.nn.softmax(x)),
    "log softmax, both": lambda x: (lambda p: (m.log(p), p))(tf.nn.softmax(x)),
    "log(x + 1)": lambda x: m.log(x + 1.0),
    "log(1 + x)": lambda x: m.log(1.0 + x),
    "log(x + 1) + (x + 1)": lambda x: (lambda y: m.log(y) * y)(x + 1.0),
    "exp - 1": lambda x: tf.exp(x) - 1.0,
    "not <": lambda x: tf.logical_not(x < 1.0),
    "not <=": lambda x: tf.logical_not(x <= 1.0),
    "not >": lambda x: tf.logical_not(x > 1.0),
    "not >=": lambda x: tf.logical_not(x >= 1.0),
    "not ==": lambda x: tf.logical_not(raw.Equal(x=x, y=1.0)),
    "not !=": lambda x: tf.logical_not(raw.NotEqual(x=x, y=1.0)),
    "< and not <": lambda x: (lambda y: (y, tf.logical_not(y)))(x < 1.0),
    "x + x": lambda x: x + x,
    "x / sqrt": lambda x: x / tf.sqrt(x + 1.0),
    "sqrt twice": lambda x: (lambda y: (x / y, y))(tf.sqrt(x + 1.0)),
    "- -": lambda x: -(-x) + tf.sin(x),
    "1/(1/x)": lambda x: m.reciprocal(m.reciprocal(x)) + tf.sin(x),
    "x + exp + sin": lambda x: x + tf.exp(x) + tf.sin(x),
    "x + x + x": lambda x: x + x + x,
    "sum of four": lambda x: (x + tf.exp(x)) + (tf.sin(x) + tf.cos(x)),
    "0 - x": lambda x: 0.0 - x,
    "1 / x": lambda x: 1.0 / x,
    "x * 1": lambda x: x * 1.0 + tf.sin(x),
    "x + 0": lambda x: x + 0.0 + tf.sin(x),
    "x * 0": lambda x: x * 0.0,
    "two users": lambda x: (lambda y: (y + 2.0, y))(x - 1.0),
    "class and scores": lambda x: (lambda p: (tf.argmax(p, 1), p))(tf.sigmoid(x)),
    "class and largest": lambda x: (lambda p: (tf.argmax(p, 1), tf.reduce_max(p, 1)))(tf.sigmoid(x)),
    "class of relu of biased": lambda x: tf.argmax(tf.nn.relu(tf.nn.bias_add(x, [1.0, 2.0, 3.0, 4.0])), 1),
    "class of softmax": lambda x: tf.argmax(tf.nn.softmax(x), 1),
    "class of a scaled sigmoid": lambda x: tf.argmax(tf.sigmoid(x / 3.0), 1),
    "class behind identity": lambda x: tf.argmax(tf.identity(tf.sigmoid(tf.stop_gradient(x))), 1),
    "smallest of neg": lambda x: tf.reduce_min(-x, 1),
    "square of a difference": lambda x: tf.square(x - 3.0),
    "divided integers": lambda x: tf.cast(x, tf.int32) // 3 * 2,
    "floor division": lambda x: tf.cast(x, tf.int32) // 3 + tf.cast(x // 3.0, tf.int32),
    "1e20 - (x + 6 + 6 + 1e20)": lambda x: 1e20 - (((x + 6.0) + 6.0) + 1e20),
    "x + 1 + 2 + 4 - 8": lambda x: ((x + 1.0) + 2.0) + 4.0 - 8.0,
    "x / 3 / 7 twice, and x / 3": lambda x: (lambda y: (y / 7.0 + y / 7.0, y))(x / 3.0),
    "x + 1 and x + 1": lambda x: (lambda y: y + y)(x + 1.0),
    "-(x + 12)": lambda x: -(x + 12.0),
    "0 - (x + 12)": lambda x: 0.0 - (x + 12.0),
    "1 / (3 / x)": lambda x: 1.0 / (3.0 / x),
    "0 + (x + 12)": lambda x: 0.0 + (x - 12.0),
    "7 - -(1 - x)": lambda x: 7.0 - (-(1.0 - x)),
    "2 + -x + 1": lambda x: (2.0 + -x) + 1.0,
    "-x + sin + 1": lambda x: (-x + tf.sin(x)) + 1.0,
    "pow 3 / 3": lambda x: tf.pow(x, 3.0) / 3.0,
    "(x * sin) * [1 2 4 5] of a known shape": lambda x: (lambda y: (y * tf.sin(y)) * [1.0, 2.0, 4.0, 5.0])(tf.reshape(x, [2, 4])),
    "(x * sin) * [1 2] of a known shape": lambda x: (lambda y: (y * tf.sin(y)) * [1.0, 2.0])(tf.reshape(x, [4, 2])),
    "(x - sin) - [1 2 4 5] of a known shape": lambda x: (lambda y: (y - tf.sin(y)) - [1.0, 2.0, 4.0, 5.0])(tf.reshape(x, [2, 4])),
    "(x - sin) - [1 2] of a known shape": lambda x: (lambda y: (y - tf.sin(y)) - [1.0, 2.0])(tf.reshape(x, [4, 2])),
    "x * 0.1 / 0.001 * [1e-6 1 3 -1] of a known shape": lambda x: tf.reshape(x, [2, 4]) * 0.1 / 0.001 * [1e-6, 1.0, 3.0, -1.0],
    "x * 0.1 / 0.001 * 1e-6 of a known shape": lambda x: tf.reshape(x, [2, 4]) * 0.1 / 0.001 * 1e-6,
    "sums of one and of two axes of a known shape": lambda x: (lambda y: (y + tf.reduce_sum(y, 0)) + (tf.sin(y) + tf.reduce_max(y, 0)))(tf.reshape(x, [2, 4])),
    "no nan": lambda x: m.divide_no_nan(x, 3.0),
    "xdivy": lambda x: m.xdivy(x, 3.0),
    **{f"pow {p}": (lambda p: lambda x: tf.pow(x, p))(p) for p in (2.0, 3.0, 0.5, -0.5, -1.0, 1.0, 0.0, 4.0)},
    "pow of several": lambda x: tf.pow(x, [2.0, 2.0, 2.0, 2.0]) * tf.pow(x, [2.0, 3.0, 2.0, 2.0]),
    **{f"class of {name}": (lambda f: lambda x: tf.argmax(f(x), 1))(function(name)) for name in f"{MONOTONIC} {FEATURES}".split()},
    **{f"largest of {name}": (lambda f: lambda x: tf.reduce_max(f(x), 1))(function(name)) for name in "Log Sqrt Neg Rsqrt Sigmoid Relu Cos".split()},
    **{f"least class of {name}": (lambda f: lambda x: tf.argmin(f(x), 1))(function(name)) for name in "Tanh Neg Reciprocal".split()},
}
OF_KNOWN_SHAPE = "of a known shape"
FRONTS = {"": lambda x: x, " behind reshape": lambda x: tf.reshape(x, [-1, 4])}


def number(value):
    value = np.asarray(value).reshape(-1)
    return " ".join("%.9g" % one if value.dtype.kind == "f" else str(one) for one in value[:4])


COMMUTING = {"Add", "AddN", "Mul"}


def expression(nodes, ref):
    name, _, index = ref.partition(":")
    node = nodes[name]
    if node.op == "Const":
        return number(tensor_util.MakeNdarray(node.attr["value"].tensor))
    if node.op in ("_Arg", "Placeholder", "_Recv", "_HostRecv"):
        return "x"
    inputs = [expression(nodes, one) for one in node.input if not one.startswith("^")]
    if node.op in ("Identity", "StopGradient"):
        return inputs[0]
    op = {"AddV2": "Add", "Inv": "Reciprocal"}.get(node.op, node.op)
    inputs = sorted(inputs) if op in COMMUTING else inputs
    return f"{op}{index and ':' + index}({', '.join(inputs)})"


def run(graph, x, outputs):
    """What the session has run for the outputs."""
    data = v1.RunMetadata()
    options = v1.RunOptions(output_partition_graphs=True)
    with v1.Session(graph=graph) as session:
        session.run(outputs, {x: np.ones((2, 4), "f4")}, options=options, run_metadata=data)
    nodes = {node.name: node for partition in data.partition_graphs for node in partition.node}
    return [expression(nodes, output.op.name) for output in outputs]


def main():
    saved = saved_model_pb2.SavedModel(saved_model_schema_version=1)
    meta = saved.meta_graphs.add()
    meta.meta_info_def.tags.append("serve")
    cases, whole = [], v1.GraphDef()
    forms = [(label + front, form, FRONTS[front]) for front in FRONTS for label, form in FORMS.items() if not (front and OF_KNOWN_SHAPE in label)]
    for index, (label, form, front) in enumerate(forms):
        with tf.Graph().as_default() as graph:
            for count in range(4):
                tf.no_op(f"c{index}/more{count}")
            with tf.name_scope(f"c{index}"):
                x = v1.placeholder(tf.float32, [None, 4], "x")
                tensors = form(front(x))
                outputs = [tf.identity(y, f"y{i}") for i, y in enumerate(tensors if isinstance(tensors, tuple) else (tensors,))]
            signature = meta.signature_def[f"c{index}"]
            signature.method_name = "tensorflow/serving/predict"
            signature.inputs["x"].CopyFrom(v1.saved_model.build_tensor_info(x))
            for i, y in enumerate(outputs):
                signature.outputs[f"y{i}"].CopyFrom(v1.saved_model.build_tensor_info(y))
            cases.append({"name": f"c{index}", "label": label, "runs": run(graph, x, outputs)})
            whole.MergeFrom(graph.as_graph_def())
    meta.graph_def.CopyFrom(whole)
    model = saved.SerializeToString(deterministic=True)
    text = json.dumps({"tensorflow": tf.__version__, "cases": cases}, separators=(",", ":")).encode()
    body = struct.pack("<II", len(text), len(model)) + text + model
    pathlib.Path(sys.argv[1]).write_bytes(gzip.compress(body, 9, mtime=0))
    print(f"{len(cases)} expressions")


if __name__ == "__main__":
    main()
