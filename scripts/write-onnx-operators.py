"""Writes src/frameworks/onnx/operators.json: the operators that onnxruntime computes on processors, by domain, each with the first opset of which it does (1 unless given).

Needs the onnxruntime of packages/savedmodel/engine/package.json and the onnx that lab/oracle/onnx/requirements.txt names.
"""

import json
import pathlib

import onnx
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

# Computed without a kernel: a constant becomes a weight when the model is loaded.
operators = {"": {"Constant": 1}, "ai.onnx.ml": {}, "com.microsoft": {}}


def add(domain, name, version):
    known = operators.get(domain)
    if known is not None:
        known[name] = min(version, known.get(name, version))


for kernel in runtime.get_all_opkernel_def():
    if kernel.provider == "CPUExecutionProvider":
        add(kernel.domain, kernel.op_name, kernel.version_range[0])
# Those that ONNX defines by other operators need no kernel.
for schema in onnx.defs.get_all_schemas_with_history():
    if schema.has_function or schema.has_context_dependent_function:
        add(schema.domain, schema.name, schema.since_version)


def word(name, version):
    return name if version == 1 else f"{name}:{version}"


target = pathlib.Path(__file__).parent.parent / "src/frameworks/onnx/operators.json"
lines = {domain: " ".join(word(*one) for one in sorted(known.items())) for domain, known in operators.items()}
target.write_text(json.dumps(lines, indent=2) + "\n")
