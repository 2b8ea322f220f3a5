"""A case: one operation in a tiny graph, its inputs, and what TensorFlow answers. Many cases are one file."""

import base64
import gzip
import json
import struct

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

# A case is traced once, which is what it warns of.
tf.get_logger().setLevel("ERROR")
v1 = tf.compat.v1
raw = tf.raw_ops


class Input:
    """One input of the operation. `fed` decides whether requests give it or the model holds it as a constant; None draws that."""

    def __init__(self, value, fed=None):
        self.value = np.asarray(value)
        self.fed = fed


def fed(value):
    return Input(value, True)


def held(value):
    return Input(value, False)


class Case:
    """`build` takes tensors and gives a tensor or several. `instead` computes the same where TensorFlow has no kernel on processors.
    Floats may differ by `tolerance` times the larger of `scale` and the expected value. `error`: why the run must end, where
    TensorFlow's answer is not defined. `renamed`: the node's operation and what a saved model has in its place, without inputs but
    the first two."""

    def __init__(self, build, *inputs, instead=None, scale=1.0, tolerance=None, error=None, renamed=None):
        self.build = build
        # What the graph does, where only building it tells.
        self.words = ""
        self.instead = instead or build
        # Whether a session can run it.
        self.runs = instead is None and renamed is None
        self.inputs = [given if isinstance(given, Input) else Input(given) for given in inputs]
        self.scale = scale
        self.tolerance = tolerance
        self.error = error
        self.renamed = renamed
        # The numbers that occur on the way, in double precision, for a case of its own that knows them.
        self.on_the_way = None
        # Types of what it gives, once TensorFlow has answered.
        self.types = []


def tensors(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def answer(case):
    """TensorFlow's answer operation by operation, its error as text, or None where it has no kernel. A session tells that of a chain."""
    if case.error or case.on_the_way:
        return case.error or []
    try:
        outputs = tensors(case.instead(*[tf.constant(given.value) for given in case.inputs]))
        case.types = [output.dtype for output in outputs]
        return [output.numpy() for output in outputs]
    except (tf.errors.OpError, ValueError, TypeError) as error:
        if isinstance(error, tf.errors.UnimplementedError) or "could not be found" in str(error).lower() or isinstance(error, tf.errors.NotFoundError):
            return None
        return str(error)[:200]


# Operations that TensorFlow rewrites, and those that it rewrites if one stands behind another: a graph without them runs as it is, which
# is quicker without a session.
REWRITTEN = set("RealDiv Div Xdivy Pow AddN LogicalNot Log Sqrt ArgMax ArgMin Max Min MaxPool MaxPoolV2 MaxPool3D".split())
REWRITTEN_TOGETHER = set("Add AddV2 Sub Mul Neg Reciprocal Exp".split())


class Runs:
    """Answers of a session, which is what TensorFlow Serving runs: it optimizes the graph first."""

    def __init__(self, graph_def):
        self.graph_def = graph_def
        self.functions = {function.signature.name: function for function in graph_def.library.function}
        self.nodes = {}
        for node in graph_def.node:
            self.nodes.setdefault(node.name.split("/")[0], []).append(node)

    def may_differ(self, name):
        """Whether a session may answer otherwise than operation by operation."""
        nodes = self.nodes[name]
        called = [node for function in self.called(nodes, {}).values() for node in function.node_def]
        operations = [node.op for node in [*nodes, *called]]
        return any(op in REWRITTEN for op in operations) or sum(op in REWRITTEN_TOGETHER for op in operations) > 1

    def called(self, nodes, found):
        for node in nodes:
            for value in node.attr.values():
                for name in [value.func.name, *(one.name for one in value.list.func)]:
                    if name in self.functions and name not in found:
                        found[name] = self.functions[name]
                        self.called(found[name].node_def, found)
        return found

    def imported(self, names, any_shape=False):
        """A graph of these cases, in which constants of one case aren't merged with another's. With `any_shape` requests choose the shapes."""
        own = v1.GraphDef(versions=self.graph_def.versions)
        for name in names:
            for node in self.nodes[name]:
                copy = own.node.add()
                copy.CopyFrom(node)
                copy.attr["_case"].s = name.encode()
                if any_shape and node.op == "Placeholder":
                    copy.attr["shape"].CopyFrom(v1.AttrValue(shape=tf.TensorShape(None).as_proto()))
        # TensorFlow leaves graphs of fewer than four nodes as they are, and a model has more.
        own.node.extend(v1.NodeDef(name=f"more{i}", op="NoOp") for i in range(4))
        own.library.function.extend(self.called(own.node, {}).values())
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(own, name="")
        return graph

    def answer(self, name, feeds, outputs, optimized=True):
        """Arrays, or the error as text."""
        try:
            return ask(self.imported([name]), [feeds], outputs, optimized)[0]
        except tf.errors.OpError as error:
            return str(error)[:200]

    def together(self, chains):
        """Answers of chains, given as their name, feeds and outputs: of all rows, of all without the optimizer, and of each row alone. One
        session runs them all, which takes a third of the time that a session each takes."""
        # A function's constants don't tell to which case they belong.
        apart = [chain for chain in chains if self.called(self.nodes[chain[0]], {})]
        groups = [[chain] for chain in apart] + [[chain for chain in chains if chain not in apart]]
        found = {}
        for group in groups:
            found.update(self.answers(group))
        return found

    def answers(self, chains):
        names, outputs = [name for name, _, _ in chains], [outputs for _, _, outputs in chains]
        feeds = {key: value for _, fed, _ in chains for key, value in fed.items()}
        rows = [{key: value[row : row + 1] for key, value in feeds.items()} for row in range(max(map(len, feeds.values()), default=0))]
        try:
            graph = self.imported(names, any_shape=True)
            (whole,), (plain,) = ask(graph, [feeds], outputs), ask(graph, [feeds], outputs, optimized=False)
            alone = ask(graph, rows, outputs)
        except tf.errors.OpError:
            if len(chains) == 1:
                return {names[0]: (self.answer(*chains[0]), self.answer(*chains[0], optimized=False), ["no row has an answer alone"])}
            return {name: answers for chain in chains for name, answers in self.answers([chain]).items()}
        return {name: (whole[at], plain[at], [row[at] for row in alone]) for at, name in enumerate(names)}


def ask(graph, requests, outputs, optimized=True):
    """A session's answer to each request."""
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = not optimized
    with v1.Session(graph=graph, config=config) as session:
        return [session.run(outputs, feeds) for feeds in requests]


def depends_on_place(expected, alone, tolerance):
    """Whether TensorFlow answers otherwise for a row alone: its kernels take numbers in groups of eight, and what is left one by one."""
    return any(differ([whole[row : row + 1] for whole in expected], own, tolerance) for row, own in enumerate(alone))


def differ(one, other, tolerance):
    """Whether answers differ by more than the tolerance of each number; errors are answers, too."""
    if isinstance(one, str) or isinstance(other, str):
        return one != other
    for a, b in zip(one, other):
        if a.dtype.kind != "f":
            if not np.array_equal(a, b):
                return True
        elif not np.allclose(a.astype("f8"), b.astype("f8"), rtol=tolerance, atol=2e-38, equal_nan=True):
            return True
    return False


# What float32 holds only as a number of fewer digits: TensorFlow takes it for zero, and onnxruntime does not.
LEAST = 2.0**-126


def meets_tiny(case):
    """Whether a number on the way is one that TensorFlow takes for zero."""
    wide = [tf.constant(given.value.astype("f8")) for given in case.inputs]
    return any(np.any((np.abs(number) < LEAST) & (number.numpy() != 0)) for number in case.on_the_way(*wide))


def placeholder(draw, value, name):
    """Declared with its shape, with the number of rows left open, with all sizes open, or with its rank open."""
    kind = draw.random.random()
    shape = list(value.shape) if kind < 0.4 else [None, *value.shape[1:]] if kind < 0.75 else [None] * value.ndim
    return v1.placeholder(tf.string if value.dtype == object else value.dtype, None if kind > 0.93 else shape[: value.ndim], name)


def add_to_graph(draw, name, case):
    """Builds the case in the current graph; gives fed arrays by name and the names of all tensors."""
    arguments, feeds, names = [], {}, {}
    # Now and then nothing is fed, and the converter computes the answer itself.
    share = 0.1 if draw.chance(0.15) else 0.75
    with tf.name_scope(name):
        for index, given in enumerate(case.inputs):
            value = given.value
            if not (draw.chance(share) if given.fed is None else given.fed):
                arguments.append(tf.constant(value))
                continue
            # A transposition is how a tensor comes to lie channels first in the converter.
            first = value.ndim == 4 and draw.chance(0.4)
            feeds[f"x{index}"] = np.ascontiguousarray(value.transpose(0, 3, 1, 2)) if first else value
            tensor = placeholder(draw, feeds[f"x{index}"], f"x{index}")
            names[f"x{index}"] = tensor
            arguments.append(raw.Transpose(x=tensor, perm=[0, 2, 3, 1]) if first else tensor)
        outputs = tensors(case.build(*arguments))
    return feeds, names, {f"y{index}": output for index, output in enumerate(outputs)}


def strip_defaults(draw, graph_def, operations):
    """As tf.saved_model.save leaves out the attributes that have their default values."""
    for node in graph_def.node:
        if draw.chance(0.5):
            continue
        for attribute in operations[node.op].attr:
            if attribute.HasField("default_value") and node.attr[attribute.name] == attribute.default_value:
                del node.attr[attribute.name]


def rename(graph_def, name, old, new):
    """A table of a resource is frozen to a constant before the converter sees it, and cases have no variables."""
    for node in graph_def.node:
        if node.op == old and node.name.startswith(f"{name}/"):
            del node.input[2:]
            node.op = new
            node.attr["dtype"].CopyFrom(node.attr.pop("Tparams"))
            del node.attr["Taxis"]


def write_cases(path, draw, drawn):
    """drawn: pairs of the operation's name and its case. Gives how many were written."""
    header, chunks = [], []
    saved = saved_model_pb2.SavedModel(saved_model_schema_version=1)
    meta = saved.meta_graphs.add()
    meta.meta_info_def.tags.append("serve")
    answered = [(operation, case, answer(case)) for operation, case in drawn]
    built = []
    with tf.Graph().as_default() as graph:
        for index, (operation, case, expected) in enumerate(answered):
            if expected is None:
                continue
            name = f"c{index}"
            try:
                feeds, inputs, outputs = add_to_graph(draw, name, case)
            except (ValueError, TypeError, tf.errors.OpError):
                continue  # no model can be saved that has this mistake
            signature = meta.signature_def[name]
            signature.method_name = "tensorflow/serving/predict"
            for target, given in ((signature.inputs, inputs), (signature.outputs, outputs)):
                for key, tensor in given.items():
                    target[key].CopyFrom(v1.saved_model.build_tensor_info(tensor))
            fed = {tensor.name: feeds[key] for key, tensor in inputs.items()}
            built.append((name, operation, case, expected, feeds, fed, [tensor.name for tensor in outputs.values()]))
        graph_def = graph.as_graph_def()
        operations = {operation.type: operation.op_def for operation in graph.get_operations()}
    strip_defaults(draw, graph_def, operations)
    runs = Runs(graph_def)
    chains = runs.together([(name, fed, outputs) for name, _, case, expected, _, fed, outputs in built if case.runs and case.on_the_way and not isinstance(expected, str)])
    for name, operation, case, expected, feeds, fed, outputs in built:
        entry = {"name": name, "op": f"{operation} {case.words}".strip(), "scale": case.scale, "inputs": [described(k, v, chunks) for k, v in feeds.items()]}
        if case.tolerance:
            entry["tolerance"] = case.tolerance
        if name in chains:
            expected, plain, alone = chains[name]
            if case.words and differ(expected, plain, case.tolerance):
                entry["optimized"] = True
            if not isinstance(expected, str) and (meets_tiny(case) or depends_on_place(expected, alone, case.tolerance)):
                entry["kernels"] = True
        elif not isinstance(expected, str) and case.runs and runs.may_differ(name):
            expected = runs.answer(name, fed, outputs)
        if isinstance(expected, str):
            entry["error"] = expected
        else:
            entry["outputs"] = [described(f"y{i}", value, chunks) for i, value in enumerate(expected)]
        header.append(entry)
    for index, (_, case, _) in enumerate(answered):
        if case.renamed:
            rename(graph_def, f"c{index}", *case.renamed)
    # No stripped_op_list, which lacks what only loops and branches hold.
    meta.graph_def.CopyFrom(graph_def)
    model = saved.SerializeToString(deterministic=True)
    text = json.dumps({"tensorflow": tf.__version__, "cases": header}, separators=(",", ":")).encode()
    body = struct.pack("<II", len(text), len(model)) + text + model + b"".join(chunks)
    path.write_bytes(gzip.compress(body, 9, mtime=0))
    return len(header)


def described(name, value, chunks):
    value = np.asarray(value)
    if value.dtype.kind in "OS":
        return [name, "string", list(value.shape), [base64.b64encode(text).decode() for text in value.reshape(-1)]]
    chunks.append(np.ascontiguousarray(value).tobytes())
    return [name, str(value.dtype), list(value.shape)]
