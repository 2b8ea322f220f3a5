"""Writes packages/laptop/service-model/models/*.json out of botocore's published models (Apache-2.0).

    pip install botocore==<the version in packages/laptop/service-model/NOTICE>
    python3 scripts/write-service-models.py [<service>:<Operation> ...]

Without arguments the operations that the files name are written again; each argument adds one, and `-<service>:<Operation>`
takes one away. Documentation and all that says nothing of a value is left out.
"""

import json
import pathlib
import re
import sys

import botocore
from botocore.loaders import Loader

FOLDER = pathlib.Path(__file__).parent.parent / "packages" / "laptop" / "service-model"
# Folders of packages/laptop/ whose service botocore knows under another name.
BOTOCORE_NAMES = {"states": "stepfunctions", "apigateway": "apigatewayv2"}
# Those that packages/laptop speaks, the preferred first.
PROTOCOLS = ("json", "rest-json", "rest-xml", "query")
SHAPE_KEYS = ("type", "required", "min", "max", "pattern", "enum", "flattened", "payload", "document", "timestampFormat", "union")
REFERENCE_KEYS = ("shape", "location", "locationName", "queryName", "flattened", "xmlAttribute", "timestampFormat")


def kept(value, keys):
    return {key: value[key] for key in keys if key in value}


def to_shape(shape, names):
    small = kept(shape, SHAPE_KEYS)
    if "members" in shape:
        small["members"] = {names(name, member): kept(member, REFERENCE_KEYS) for name, member in shape["members"].items()}
    if "required" in shape:
        small["required"] = [names(name, shape["members"][name]) for name in shape["required"]]
    for part in ("member", "key", "value"):
        if part in shape:
            small[part] = kept(shape[part], REFERENCE_KEYS)
    return small


def json_name(name, member):
    """Members of a JSON body are known by their names on the wire; those of paths, queries and headers, forms and XML by their own."""
    return name if "location" in member else member.get("locationName", name)


def own_name(name, _member):
    return name


def references(shape):
    parts = [*shape.get("members", {}).values(), *(shape[part] for part in ("member", "key", "value") if part in shape)]
    return [part["shape"] for part in parts]


def to_operation(operation):
    small = {}
    for side in ("input", "output"):
        if side in operation:
            small[side] = kept(operation[side], ("shape", "resultWrapper", "locationName"))
    if operation["http"] != {"method": "POST", "requestUri": "/"}:
        small["http"] = kept(operation["http"], ("method", "requestUri"))
    if {"requestAlgorithmMember", "requestChecksumRequired"} & operation.get("httpChecksum", {}).keys():
        small["checksums"] = True
    return small


def write(service, operations):
    model = Loader().load_service_model(BOTOCORE_NAMES.get(service, service), "service-2")
    metadata = model["metadata"]
    protocol = next(name for name in PROTOCOLS if name in metadata.get("protocols", [metadata["protocol"]]))
    names = json_name if protocol.endswith("json") else own_name
    chosen = {name: to_operation(model["operations"][name]) for name in sorted(operations)}
    shapes = {}
    waiting = [small[side]["shape"] for small in chosen.values() for side in ("input", "output") if side in small]
    while waiting:
        name = waiting.pop()
        if name not in shapes:
            shapes[name] = to_shape(model["shapes"][name], names)
            waiting += references(model["shapes"][name])
    lines = lambda table: ",\n".join(f"{json.dumps(name)}:{json.dumps(table[name], separators=(',', ':'))}" for name in sorted(table))
    text = f'{{"protocol":"{protocol}",\n"operations":{{\n{lines(chosen)}\n}},\n"shapes":{{\n{lines(shapes)}\n}}}}\n'
    (FOLDER / "models" / f"{service}.json").write_text(text)


def main(arguments):
    wanted = {file.stem: set(json.loads(file.read_text())["operations"]) for file in (FOLDER / "models").glob("*.json")}
    for argument in arguments:
        sign, service, operation = re.fullmatch(r"(-?)([a-z0-9-]+):(\w+)", argument).groups()
        operations = wanted.setdefault(service, set())
        operations.discard(operation) if sign else operations.add(operation)
    for service, operations in wanted.items():
        write(service, operations)
    notice = FOLDER / "NOTICE"
    if notice.exists():
        notice.write_text(re.sub(r"botocore \d+\.\d+\.\d+", f"botocore {botocore.__version__}", notice.read_text()))


main(sys.argv[1:])
