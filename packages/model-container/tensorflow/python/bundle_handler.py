"""Answers many inputs that come in one tar. inferdrop adds this file to archives whose inputs it sends in bundles.

The archive's own handler lies beside it, unchanged, and is called once for each input. Where it is a pair, the bodies that it makes for
TensorFlow Serving are asked together.
"""

import base64
import importlib.util
import io
import json
import logging
import math
import os
import sys
import time

import requests

log = logging.getLogger("inferdrop")

_TAR = "application/x-tar"
_BLOCK = 512
_HERE = os.path.dirname(os.path.abspath(__file__))
# Inputs that are also asked alone before the answers of many together count.
_PROOFS = 8
_TOLERANCE = 1e-4

# Why inputs are asked alone; None where they are asked together. A process of the container keeps it.
_alone = None
_is_proved = False


def _load_own():
    path = os.path.join(_HERE, "inferdrop_served.py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location("inferdrop_served", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["inferdrop_served"] = module
    spec.loader.exec_module(module)
    if hasattr(module, "handler") or (hasattr(module, "input_handler") and hasattr(module, "output_handler")):
        return module
    raise NotImplementedError("Handlers are not implemented correctly in user script.")


class _Default:
    """Requests as they are, which the image sends on where an archive has no handler."""

    @staticmethod
    def input_handler(data, context):
        return data.read()

    @staticmethod
    def output_handler(response, context):
        if response.status_code >= 400:
            raise _Refused(response)
        return response.content, context.accept_header


class _Refused(Exception):
    """TensorFlow Serving has refused an input."""

    def __init__(self, response):
        super().__init__(response.content.decode("utf-8", "replace"))
        self.status = response.status_code


_own = _load_own() or _Default


def handler(data, context):
    if (context.request_content_type or "").split(";")[0].strip().lower() != _TAR:
        return _answer(data, context)
    return _answer_bundle(data.read(), context), "application/jsonl"


def _answer(data, context):
    """What the image would do with a request for the archive's own handler."""
    if hasattr(_own, "handler"):
        return _own.handler(data, context)
    sent = _own.input_handler(data, context)
    return _output(requests.post(context.rest_uri, data=sent), context)


def _output(response, context):
    # Images since TensorFlow 2.20, whose context has a time-out, do not call output_handler with a refusal.
    if hasattr(context, "timeout") and response.status_code >= 400:
        raise _Refused(response)
    return _own.output_handler(response, context)


def _answer_bundle(bundle, context):
    began = time.time()
    about, members = _read_bundle(bundle)
    count = about["inputs"]
    contexts = {
        at: context._replace(request_content_type=about["contentType"], content_length=len(body))
        for at, body in members.items()
    }
    outcomes = {}

    def settle(at, work):
        try:
            body, _ = work()
            outcomes[at] = _text_of(body)
        except Exception as error:
            log.error("input %d: %s", at, error)
            outcomes[at] = error

    if hasattr(_own, "handler"):
        for at, body in members.items():
            settle(at, lambda: _own.handler(io.BytesIO(body), contexts[at]))
    else:
        sent = {}
        for at, body in members.items():
            try:
                sent[at] = _own.input_handler(io.BytesIO(body), contexts[at])
            except Exception as error:
                log.error("input %d: %s", at, error)
                outcomes[at] = error
        for at, response in _ask_all(sent, context.rest_uri):
            if isinstance(response, Exception):
                outcomes[at] = response
            else:
                settle(at, lambda: _output(response, contexts[at]))
    return _write_bundle(count, outcomes, int((time.time() - began) * 1000))


def _read_bundle(bundle):
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


def _write_bundle(count, outcomes, ms):
    failed = []
    lines = []
    for at in range(count):
        outcome = outcomes.get(at, LookupError("it was not there when the bundle was made"))
        line = {"key": "%06d" % at}
        if isinstance(outcome, Exception):
            status = getattr(outcome, "status", 404 if at not in outcomes else 500)
            failed.append([at, status])
            line["error"] = {"status": status, "message": str(outcome)}
        else:
            line.update(outcome)
        lines.append(json.dumps(line))
    head = {"inputs": count, "failed": failed, "ms": ms, "memoryMB": None}
    if _alone is not None:
        head["notes"] = [_alone]
    return "\n".join([json.dumps(head)] + lines) + "\n"


def _text_of(answer):
    if isinstance(answer, str):
        return {"output": answer}
    if not isinstance(answer, (bytes, bytearray, memoryview)):
        message = "a handler must return text or bytes as the body, got %s" % type(answer).__name__
        raise TypeError(message)
    try:
        return {"output": bytes(answer).decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(bytes(answer)).decode("ascii")}


def _ask_all(sent, uri):
    """Answers of TensorFlow Serving to the body of each input: those that fit together in as few requests as that takes."""
    groups = {}
    for at, body in sent.items():
        instances, rest = (None, None) if _alone is not None else _instances_of(body)
        groups.setdefault(rest if instances is not None else at, []).append((at, instances))
    for rest, parts in groups.items():
        if not isinstance(rest, str) or len(parts) == 1:
            for at, _ in parts:
                yield at, _post(uri, sent[at])
        else:
            for answer in _ask_proved(parts, rest, sent, uri):
                yield answer


def _ask_proved(parts, rest, sent, uri):
    global _alone, _is_proved
    together = dict(_ask_together(parts, rest, sent, uri))
    if not _is_proved:
        step = max(1, len(parts) // _PROOFS)
        for at, _ in parts[::step][:_PROOFS]:
            alone = _post(uri, sent[at])
            if not _are_equal(alone, together[at]):
                _alone = (
                    "inputs of a bundle are asked one by one, since this model answers an input together with others "
                    "not as it answers it alone"
                )
                log.warning(_alone)
                return [(other, _post(uri, sent[other])) for other, _ in parts]
        _is_proved = True
    return together.items()


def _ask_together(parts, rest, sent, uri):
    """Answers by input. Halves are asked where the whole is refused, so that one input costs no other its answer."""
    if len(parts) == 1:
        return [(parts[0][0], _post(uri, sent[parts[0][0]]))]
    body = json.loads(rest)
    body["instances"] = [instance for _, instances in parts for instance in instances]
    response = _post(uri, json.dumps(body))
    predictions = _predictions_of(response)
    if predictions is None or len(predictions) != len(body["instances"]):
        half = len(parts) // 2
        return _ask_together(parts[:half], rest, sent, uri) + _ask_together(parts[half:], rest, sent, uri)
    shares = []
    begin = 0
    for at, instances in parts:
        end = begin + len(instances)
        shares.append((at, _with_content(response, json.dumps({"predictions": predictions[begin:end]}))))
        begin = end
    return shares


def _post(uri, body):
    try:
        return requests.post(uri, data=body)
    except Exception as error:
        return error


def _instances_of(body):
    """The instances of a request in rows, and its other fields as text; None where it has another form."""
    try:
        text = body if isinstance(body, str) else bytes(body).decode("utf-8")
        fields = json.loads(text)
    except (TypeError, ValueError):
        return None, None
    if not isinstance(fields, dict) or not isinstance(fields.get("instances"), list) or not fields["instances"]:
        return None, None
    if "inputs" in fields:
        return None, None
    rest = {name: value for name, value in fields.items() if name != "instances"}
    return fields["instances"], json.dumps(rest, sort_keys=True)


def _predictions_of(response):
    if isinstance(response, Exception) or response.status_code != 200:
        return None
    try:
        found = json.loads(response.content.decode("utf-8"))
    except ValueError:
        return None
    predictions = found.get("predictions") if isinstance(found, dict) else None
    return predictions if isinstance(predictions, list) else None


def _with_content(response, text):
    """The answer with another content, as if it were the answer to one input."""
    content = text.encode("utf-8")
    part = object.__new__(type(response))
    part.__dict__.update(response.__dict__)
    if hasattr(part, "_content"):
        part._content = content
    else:
        part.content = content
    part.headers = type(response.headers)(response.headers)
    part.headers["content-length"] = str(len(content))
    return part


def _are_equal(alone, together):
    one, other = _predictions_of(alone), _predictions_of(together)
    if one is None or other is None:
        return one is other and getattr(alone, "status_code", None) == getattr(together, "status_code", None)
    return _is_close(one, other)


def _is_close(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_is_close(a, b) for a, b in zip(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_close(one[name], other[name]) for name in one)
    if isinstance(one, float) or isinstance(other, float):
        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
            return False
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return one == other or abs(one - other) <= _TOLERANCE * max(1.0, abs(one))
    return one == other
