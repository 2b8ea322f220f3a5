"""Writes src/model/onnx/operators.json: the operators that onnxruntime computes on processors, by domain.

Needs the onnxruntime of packages/savedmodel/engine/package.json and the onnx that lab/oracle/onnx/requirements.txt names.
"""

import json
import pathlib

import onnx
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

DOMAINS = ("", "ai.onnx.ml", "com.microsoft")

operators = {domain: set() for domain in DOMAINS}
for kernel in runtime.get_all_opkernel_def():
    if kernel.domain in DOMAINS and kernel.provider == "CPUExecutionProvider":
        operators[kernel.domain].add(kernel.op_name)
# Those that ONNX defines by other operators need no kernel.
for schema in onnx.defs.get_all_schemas_with_history():
    if schema.domain in DOMAINS and (schema.has_function or schema.has_context_dependent_function):
        operators[schema.domain].add(schema.name)

target = pathlib.Path(__file__).parent.parent / "src/model/onnx/operators.json"
lines = {domain: " ".join(sorted(names)) for domain, names in operators.items()}
target.write_text(json.dumps(lines, indent=2) + "\n")
