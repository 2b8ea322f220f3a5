"""Writes what TensorFlow's registry says of the operations that are converted: where their outputs are, and the attributes that decide
what they compute.

    python scripts/write-operation-definitions.py

Needs TensorFlow 2.21 and Node: the tables of packages/savedmodel name the operations.
"""

import json
import os
import pathlib
import subprocess

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402
from tensorflow.python.framework import op_def_registry  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "packages/savedmodel/savedmodel/operation-definitions.json"
NAMES = """
import { KNOWN_OPERATIONS } from '@inferdrop/savedmodel/internal/known-operations';
console.log(JSON.stringify(KNOWN_OPERATIONS));
"""


def plain(value):
    """A default value as JSON; a type is its number."""
    kind = value.WhichOneof("value")
    if kind == "list":
        return [plain_item(item) for field in ("s", "i", "f", "b", "type", "shape") for item in getattr(value.list, field)]
    return plain_item(getattr(value, kind))


def plain_item(item):
    if isinstance(item, bytes):
        return item.decode()
    if isinstance(item, (bool, int, float)):
        return item
    return None if item.unknown_rank else [dimension.size for dimension in item.dim]


def described(name):
    """Outputs as `name`, `name*N` for as many as the attribute N says, or has types. `stated`: attributes that the
    inputs determine, their types and number. Of the others, what stands for an absent one, if anything does."""
    definition = op_def_registry.get(name)
    if definition is None:
        raise SystemExit(f"TensorFlow {tf.__version__} has no operation {name}")
    bound = {getattr(argument, field) for argument in definition.input_arg for field in ("type_attr", "number_attr", "type_list_attr")}
    outputs = [argument.name + ("*" + (argument.number_attr or argument.type_list_attr) if argument.number_attr or argument.type_list_attr else "") for argument in definition.output_arg]
    free = [attribute for attribute in definition.attr if attribute.name not in bound]
    attributes = {attribute.name: {"absent": plain(attribute.default_value)} if attribute.HasField("default_value") else {} for attribute in free}
    stated = sorted(attribute.name for attribute in definition.attr if attribute.name in bound)
    return {"outputs": outputs, "stated": stated, "attributes": attributes}


def main():
    names = json.loads(subprocess.run(["node", "--input-type=module", "-e", NAMES], cwd=ROOT, capture_output=True, check=True, text=True).stdout)
    lines = [f"  {json.dumps(name)}: {json.dumps(described(name))}" for name in sorted(names)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
