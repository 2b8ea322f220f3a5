"""Answers many inputs that come in one tar. inferdrop adds this file to archives whose inputs it sends in bundles.

The archive's own handler lies beside it, unchanged, and is called once for each input. Where it is a pair, the bodies that it makes for
TensorFlow Serving are asked together.
"""

import importlib.util
import io
import json
import logging
import os
import sys
import time

import requests

log = logging.getLogger("inferdrop")

_HERE = os.path.dirname(os.path.abspath(__file__))

# Why inputs are asked alone; None where they are asked together. A process of the container keeps it.
_alone = None
# Whether bundles were asked together before a difference was found.
_is_doubted = False
_is_proved = False
_turn = 0


def _load(name):
    """The module of a file beside this one; None where there is none."""
    path = os.path.join(_HERE, name + ".py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


inferdrop_bundle = _load("inferdrop_bundle")


def _load_own():
    module = _load("inferdrop_served")
    if module is None or hasattr(module, "handler") or (hasattr(module, "input_handler") and hasattr(module, "output_handler")):
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
    if not inferdrop_bundle.is_bundle(context.request_content_type):
        return _answer(data, context)
    return _answer_bundle(data.read(), context), inferdrop_bundle.ANSWERS


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
    about, members = inferdrop_bundle.read(bundle)
    contexts = {
        at: context._replace(request_content_type=about["contentType"], content_length=len(body))
        for at, body in members.items()
    }
    outcomes = {}

    def fail(at, error):
        log.error("input %d: %s", at, error)
        outcomes[at] = inferdrop_bundle.refusal(getattr(error, "status", 500), str(error))

    def settle(at, work):
        try:
            body, _ = work()
            outcomes[at] = inferdrop_bundle.answer(body)
        except Exception as error:
            fail(at, error)

    if hasattr(_own, "handler"):
        for at, body in members.items():
            settle(at, lambda: _own.handler(io.BytesIO(body), contexts[at]))
    else:
        sent = {}
        for at, body in members.items():
            try:
                sent[at] = _own.input_handler(io.BytesIO(body), contexts[at])
            except Exception as error:
                fail(at, error)
        for at, response in _ask_all(sent, context.rest_uri):
            if isinstance(response, Exception):
                fail(at, response)
            else:
                settle(at, lambda: _output(response, contexts[at]))
    return inferdrop_bundle.write(about["inputs"], outcomes, began, _alone, is_doubted=_is_doubted)


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
    global _alone, _is_doubted, _is_proved
    together = dict(_ask_together(parts, rest, sent, uri))
    if not _is_alike(parts, rest, sent, uri, together):
        _alone = (
            "inputs of a bundle are asked one by one, since this model answers an input together with others "
            "not as it answers it alone"
        )
        _is_doubted = _is_proved
        log.warning(_alone)
        return [(other, _post(uri, sent[other])) for other, _ in parts]
    _is_proved = True
    return together.items()


def _is_alike(parts, rest, sent, uri, together):
    """Whether the answers together are those of each alone, as far as some inputs show it."""
    global _turn
    _turn += 1
    places = [at for at, _ in parts]
    for at in inferdrop_bundle.checked(places, _is_proved, _turn):
        if not _are_equal(_post(uri, sent[at]), together[at]):
            return False
    first, instances = parts[0]
    faded = inferdrop_bundle.fade(instances)
    if _is_proved or faded == instances:
        return True
    # An input that is almost nothing, beside others.
    asked = dict(sent)
    asked[first] = json.dumps(dict(json.loads(rest), instances=faded))
    alone = _post(uri, asked[first])
    beside = dict(_ask_together([(first, faded)] + parts[1 : inferdrop_bundle.PROOFS], rest, asked, uri))
    return _predictions_of(alone) is None or _are_equal(alone, beside[first])


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
        rest = json.loads(text)
    except (TypeError, ValueError):
        return None, None
    if not isinstance(rest, dict) or "inputs" in rest:
        return None, None
    instances = rest.pop("instances", None)
    if not isinstance(instances, list) or not instances:
        return None, None
    return instances, json.dumps(rest, sort_keys=True) if rest else "{}"


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
    return inferdrop_bundle.is_close(one, other)
