"""Bundles of inputs and of answers, as the handlers read and write them that inferdrop adds to archives."""

import base64
import json
import math
import time

TAR = "application/x-tar"
ANSWERS = "application/jsonl"
# Inputs that are also asked alone before the answers of many together count.
PROOFS = 8
_TOLERANCE = 1e-4
_BLOCK = 512


def is_bundle(content_type):
    return (content_type or "").split(";")[0].strip().lower() == TAR


def read(bundle):
    """What is said of the inputs, and their bytes by their place."""
    files = list(_files_of(bundle))
    if not files:
        raise ValueError("the tar is empty")
    return json.loads(files[0][1].decode("utf-8")), {int(name): body for name, body in files[1:]}


def _files_of(bundle):
    """The files of a tar as inferdrop writes it, all with short names: `tarfile` takes longer than the model for a small image."""
    at = 0
    while at + _BLOCK <= len(bundle) and bundle[at]:
        name = bundle[at : at + 100].rstrip(b"\0").decode("ascii")
        size = int(bundle[at + 124 : at + 136].rstrip(b"\0 "), 8)
        at += _BLOCK
        if at + size > len(bundle):
            raise ValueError("the tar ends within " + name)
        yield name, bundle[at : at + size]
        at += -(-size // _BLOCK) * _BLOCK


def answer(body):
    """The part of a line for an answer of the archive's own handler."""
    if isinstance(body, str):
        return {"output": body}
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("a handler must return text or bytes as the body, got %s" % type(body).__name__)
    try:
        return {"output": bytes(body).decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(bytes(body)).decode("ascii")}


def refusal(status, message):
    """The part of a line for an input without an answer."""
    return {"error": {"status": status, "message": message}}


def write(count, outcomes, began, note=None, most_bytes=None, is_doubted=False):
    """The bundle of answers: a head, and a line for each of the inputs. `began` is `time.time()` of its beginning, `is_doubted` whether
    answers of earlier bundles may not be those of each input alone."""
    lines = []
    failed = []
    left = math.inf if most_bytes is None else most_bytes - 64 * (count + 16)
    for at in range(count):
        outcome = outcomes.get(at) or refusal(404, "it was not there when the bundle was made")
        line = json.dumps(dict(outcome, key="%06d" % at))
        if len(line) > left:
            outcome = refusal(413, "its answer has %d bytes, and those of a bundle %d at the most" % (len(line), most_bytes))
            line = json.dumps(dict(outcome, key="%06d" % at))
        left -= len(line)
        if "error" in outcome:
            failed.append([at, outcome["error"]["status"]])
        lines.append(line)
    head = {"inputs": count, "failed": failed, "ms": int((time.time() - began) * 1000), "memoryMB": None}
    if note is not None:
        head["notes"] = [note]
    if is_doubted:
        head["isDoubted"] = True
    return "\n".join([json.dumps(head)] + lines) + "\n"


def checked(places, is_proved, turn):
    """Places of a bundle that are also asked alone: several from all over it, and later on one, another one each `turn`."""
    if is_proved:
        return [places[turn % len(places)]]
    return places[:: max(1, len(places) // PROOFS)][:PROOFS]


def fade(value):
    """A value near zero in place of each number. Answers that depend on the scale of other inputs differ for it alone and beside those."""
    if isinstance(value, list):
        return [fade(one) for one in value]
    if isinstance(value, dict):
        return {name: fade(one) for name, one in value.items()}
    if isinstance(value, float):
        return value / 1000
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value / 1000)
    return value


def is_close(one, other):
    """Whether two answers are the same but for rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(is_close(a, b) for a, b in zip(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_close(one[name], other[name]) for name in one)
    if isinstance(one, float) or isinstance(other, float):
        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
            return False
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return one == other or abs(one - other) <= _TOLERANCE * max(1.0, abs(one))
    return type(one) is type(other) and one == other
