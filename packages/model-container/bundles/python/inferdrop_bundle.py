"""Bundles of inputs and of answers, as the handlers read and write them that inferdrop adds to archives."""

import base64
import json
import logging
import math
import time

log = logging.getLogger("inferdrop")

TAR = "application/x-tar"
# Records of a table, one JSON string a line, since a record may hold line breaks; null for one that is gone.
RECORDS = "application/vnd.inferdrop.records"
ANSWERS = "application/jsonl"
# Inputs that are also sent on their own before the answers of a whole bundle count.
PROOFS = 8
_TOLERANCE = 1e-4
APART = "no two of them fit together"
MODEL = "this model answers an input differently together with others than on its own"
FAINT = "this model answers a faint input differently together with others than on its own"
RANDOM = "this model answers the same input differently each time"
SCRIPT = "the archive's script answers an input differently together with others than on its own"
RANDOM_SCRIPT = "the archive's script answers the same input differently each time it is called"
_BLOCK = 512


def _type_of(content_type):
    return (content_type or "").split(";")[0].strip().lower()


def is_bundle(content_type):
    return _type_of(content_type) in (TAR, RECORDS)


def read(bundle, content_type):
    """What is said of the inputs, and their bytes by their place."""
    if _type_of(content_type) == RECORDS:
        about, *records = [json.loads(line) for line in bundle.decode("utf-8").split("\n") if line]
        return about, {at: record.encode("utf-8") for at, record in enumerate(records) if record is not None}
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


def write(count, outcomes, began, proof, is_joint, most_bytes=None):
    """The bundle of answers: a head, and a line for each of the inputs. `began` is `time.time()` of its beginning, `is_joint` whether any
    of the answers was made together with others."""
    lines = []
    failed = []
    left = math.inf if most_bytes is None else most_bytes - 64 * (count + 16)
    for at in range(count):
        outcome = outcomes.get(at) or refusal(404, "it was not there when the bundle was made")
        line = json.dumps(dict(outcome, key="%06d" % at))
        if len(line) > left:
            outcome = refusal(413, "its answer has %d bytes, and a bundle's answers may have at most %d" % (len(line), most_bytes))
            line = json.dumps(dict(outcome, key="%06d" % at))
        left -= len(line)
        if "error" in outcome:
            failed.append([at, outcome["error"]["status"]])
        lines.append(line)
    head = {"inputs": count, "failed": failed, "ms": int((time.time() - began) * 1000), "memoryMB": None}
    head.update({"isJoint": is_joint, "differs": proof.differs})
    if proof.alone is not None:
        head["notes"] = [proof.alone]
    return "\n".join([json.dumps(head)] + lines) + "\n"


class Proof:
    """The findings of a container process: whether inputs get the same answers together as on their own."""

    def __init__(self):
        # Why inputs are sent one by one; None if they are sent together.
        self.alone = None
        # Whether some answers differed together and on their own. Other processes may give such answers without noticing.
        self.differs = False
        # Forms of inputs that got the same answers together as on their own.
        self.forms = set()
        self._turn = 0

    def checked(self, form, places):
        """Places of a bundle to also send on their own: several from its first to its last, and later only one, a different one each time."""
        self._turn += 1
        if form in self.forms:
            return [places[self._turn % len(places)]]
        count = min(PROOFS, len(places))
        return [places[at * (len(places) - 1) // max(1, count - 1)] for at in range(count)]

    def settle(self, bundle, answer_together):
        """Answers all inputs of a bundle: by `answer_together`, as long as nothing is known against it; otherwise, and for the rest, one by one.
        Returns whether any of the answers was made together with others. `answer_together` is None if the script takes one input a call."""
        is_joint = self.alone is None and answer_together is not None and answer_together(bundle)
        if self.alone is not None:
            is_joint = False
            bundle.outcomes = {}
        for at in bundle.members:
            if at not in bundle.outcomes:
                bundle.answer_alone(at)
        return is_joint

    def fail(self, why, differs):
        self.alone = "inputs of a bundle are sent one by one, since " + why
        self.differs = self.differs or differs
        log.warning(self.alone)


def difference(ask, disturb, is_alike, together, finish, outcome):
    """Why an input gets another answer together with others than on its own; None if no difference shows.

    `ask` begins a request with only this input up to the model's answer, which `is_alike` compares with `together`. `finish` has the script
    make the outcome of `together`, which was `outcome` in the bundle. `disturb` begins the request of another input.
    """
    alone = ask()
    if not is_alike(alone, together):
        return MODEL if is_alike(alone, ask()) else RANDOM
    once = finish()
    if is_same(once, outcome):
        return None
    # Another input in between has made the difference, or only the time.
    ask()
    disturb()
    beside = finish()
    ask()
    if not is_same(once, finish()):
        return RANDOM_SCRIPT
    return None if is_same(once, beside) else SCRIPT


def is_same(one, other):
    """Whether two outcomes are the same; of refusals only the status, since messages may name places in memory."""
    if "error" in one and "error" in other:
        return one["error"]["status"] == other["error"]["status"]
    return one == other


def fade(value):
    """A value near zero instead of each number. Answers that depend on the scale of other inputs then differ on their own and together."""
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
        if math.isinf(one) or math.isinf(other):
            return one == other
        return abs(one - other) <= _TOLERANCE * max(1.0, abs(one))
    return type(one) is type(other) and one == other
