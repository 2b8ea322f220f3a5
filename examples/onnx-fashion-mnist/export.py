"""Writes model.onnx: the network of ../pytorch-fashion-mnist with its weights in 8 bits.

    pip install torch onnx onnxscript numpy
    python export.py
    inferdrop model pack model.onnx -o model.tar.gz
"""

import io
import pathlib
import sys
import tarfile

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
PYTORCH = HERE.parent / "pytorch-fashion-mnist"
sys.path.insert(0, str(PYTORCH / "code"))

from network import Network  # noqa: E402


def trained():
    with tarfile.open(PYTORCH / "model.tar.gz") as archive:
        weights = io.BytesIO(archive.extractfile("model.pth").read())
    network = Network()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    return torch.nn.Sequential(network, torch.nn.Softmax(dim=1)).eval()


def narrow(model, least=1_000):
    """Each large weight as 8 bits and a scale: a quarter of the size."""
    graph = model.graph
    nodes = []
    for weight in [one for one in graph.initializer if int(np.prod(one.dims)) >= least]:
        values = numpy_helper.to_array(weight)
        scale = np.float32(np.abs(values).max() / 127)
        levels = np.round(values / scale).astype(np.int8)
        graph.initializer.remove(weight)
        graph.initializer.append(numpy_helper.from_array(levels, f"{weight.name}.levels"))
        graph.initializer.append(numpy_helper.from_array(scale, f"{weight.name}.scale"))
        nodes.append(
            helper.make_node("DequantizeLinear", [f"{weight.name}.levels", f"{weight.name}.scale"], [weight.name])
        )
    for node in reversed(nodes):
        graph.node.insert(0, node)
    del graph.value_info[:]


def main():
    program = torch.onnx.export(
        trained(),
        (torch.zeros(2, 1, 28, 28),),
        input_names=["pixels"],
        output_names=["probabilities"],
        dynamic_shapes=({0: torch.export.Dim("batch")},),
        opset_version=18,
        dynamo=True,
        verbose=False,
    )
    model = program.model_proto
    narrow(model)
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    onnx.checker.check_model(model)
    onnx.save(model, HERE / "model.onnx")


if __name__ == "__main__":
    main()
