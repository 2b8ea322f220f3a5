"""Runs a SavedModel under TensorFlow as TensorFlow Serving does: a session, and the signatures' tensors by name."""

import concurrent.futures
import json
import os
import sys

import inferdrop_channel

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

# Element types that requests can hold; half-precision numbers travel as their sixteen bits.
_NAMES = {
    tf.float32: "float32",
    tf.float64: "float64",
    tf.float16: "float16",
    tf.int8: "int8",
    tf.uint8: "uint8",
    tf.int16: "int16",
    tf.uint16: "uint16",
    tf.int32: "int32",
    tf.uint32: "uint32",
    tf.int64: "int64",
    tf.uint64: "uint64",
    tf.bool: "bool",
    tf.string: "string",
}


class Model:
    """A loaded SavedModel."""

    def __init__(self, folder, threads):
        self._graph = tf.Graph()
        config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        self._session = tf.compat.v1.Session(graph=self._graph, config=config)
        with self._graph.as_default():
            meta = tf.compat.v1.saved_model.loader.load(self._session, [tf.saved_model.SERVING], folder)
        self._definitions = {
            name: definition
            for name, definition in meta.signature_def.items()
            if not name.startswith("__saved_model_")
        }
        self._calls = {}

    def signatures(self):
        return [
            {
                "name": name,
                "methodName": definition.method_name,
                "inputs": _specs(definition.inputs),
                "outputs": _specs(definition.outputs),
            }
            for name, definition in sorted(self._definitions.items())
        ]

    def run(self, signature, feeds):
        call, inputs, outputs = self._call(signature)
        results = call(*(feeds[name] for name in inputs))
        return dict(zip(outputs, results))

    def _call(self, signature):
        if signature not in self._calls:
            definition = self._definitions[signature]
            inputs, outputs = sorted(definition.inputs), sorted(definition.outputs)
            call = self._session.make_callable(
                [definition.outputs[name].name for name in outputs],
                feed_list=[definition.inputs[name].name for name in inputs],
            )
            self._calls[signature] = call, inputs, outputs
        return self._calls[signature]


def _specs(infos):
    return [
        {
            "name": name,
            "dtype": _NAMES.get(tf.dtypes.as_dtype(info.dtype), tf.dtypes.as_dtype(info.dtype).name),
            "shape": None if info.tensor_shape.unknown_rank else [axis.size for axis in info.tensor_shape.dim],
        }
        for name, info in sorted(infos.items())
    ]


def unpack(described, body):
    """NumPy arrays of the feeds, which lie end to end in the body."""
    arrays, position = {}, 0
    for feed in described:
        shape = feed["shape"]
        if feed["dtype"] == "string":
            items = np.empty(len(feed["lengths"]), object)
            for index, length in enumerate(feed["lengths"]):
                items[index] = bytes(body[position : position + length])
                position += length
            arrays[feed["name"]] = items.reshape(shape)
        else:
            dtype = np.dtype(feed["dtype"])
            count = int(np.prod(shape, dtype=np.int64))
            arrays[feed["name"]] = np.frombuffer(body, dtype, count, position).reshape(shape)
            position += count * dtype.itemsize
    return arrays


def pack(outputs):
    """Descriptions of arrays, and their bytes."""
    described, parts = [], []
    for name, value in outputs.items():
        array = np.asarray(value)
        if array.dtype == object or array.dtype.kind in "SU":
            items = [item if isinstance(item, bytes) else str(item).encode() for item in array.reshape(-1).tolist()]
            described.append(
                {"name": name, "dtype": "string", "shape": array.shape, "lengths": [len(item) for item in items]}
            )
            parts.extend(items)
        else:
            described.append({"name": name, "dtype": array.dtype.name, "shape": array.shape})
            parts.append(np.ascontiguousarray(array).tobytes())
    return described, parts


def main():
    settings = json.loads(sys.argv[1])
    frames = inferdrop_channel.Channel()
    try:
        model = Model(settings["versionDir"], settings["threads"])
        # As the other containers say it: see packages/laptop/sagemaker/README.md.
        print(f"serving runtime: TensorFlow {tf.__version__}", file=sys.stderr)
        frames.send({"kind": "loaded", "signatures": model.signatures()})
    except BaseException as error:
        frames.send({"kind": "refused", "message": f"TensorFlow cannot load the model: {_told(error)}"})
        os._exit(1)

    def answer(header, body):
        try:
            described, parts = pack(model.run(header["signature"], unpack(header["feeds"], body)))
            frames.send({"kind": "result", "id": header["id"], "outputs": described}, *parts)
        except Exception as error:
            invalid = isinstance(error, (tf.errors.InvalidArgumentError, tf.errors.OutOfRangeError, ValueError))
            frames.send({"kind": "failed", "id": header["id"], "invalid": invalid, "message": _told(error)})

    with concurrent.futures.ThreadPoolExecutor(settings["threads"]) as threads:
        while True:
            threads.submit(answer, *frames.receive())


def _told(error):
    """The line that says what is wrong: around it TensorFlow writes where in the graph and in whose Python."""
    lines = [line for line in (getattr(error, "message", None) or str(error)).split("\n") if line.strip()]
    for line, next_line in zip(lines, lines[1:]):
        if "[[{{node" in next_line:
            return line.strip()[:1000]
    return lines[0][:1000] if lines else type(error).__name__


if __name__ == "__main__":
    main()
