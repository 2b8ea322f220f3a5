"""Handler for requests that hold many inputs, in a tar or as lines. inferdrop adds this file to an archive when a run sends its inputs in bundles.

The archive's own handler lies next to it, unchanged. If it is a pair, the bodies that it makes for TensorFlow Serving are sent together,
as long as each input is answered as on its own; otherwise each input is a request of its own.
"""

import importlib.util
import io
import json
import logging
import os
import re
import sys
import time

import requests

log = logging.getLogger("inferdrop")

_HERE = os.path.dirname(os.path.abspath(__file__))
# Without any of these an archive has no code, and the image's proxy converts its requests.
_CONVERTS = not any(os.path.exists(os.path.join(_HERE, name)) for name in ("inferdrop_served.py", "requirements.txt", "lib"))


def _load(name):
    """The module of a file next to this one; None if there is none."""
    path = os.path.join(_HERE, name + ".py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


inferdrop_bundle = _load("inferdrop_bundle")
_proof = inferdrop_bundle.Proof()


def _load_own():
    module = _load("inferdrop_served")
    if module is None or hasattr(module, "handler") or (hasattr(module, "input_handler") and hasattr(module, "output_handler")):
        return module
    raise NotImplementedError("Handlers are not implemented correctly in user script.")


class _Refused(Exception):
    """An input that TensorFlow Serving, or the image before it, has refused."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def _refusal(response):
    return _Refused(response.status_code, response.content.decode("utf-8", "replace"))


class _Default:
    """Requests as the image sends them on if an archive has no handler."""

    @staticmethod
    def input_handler(data, context):
        body = data.read()
        return _convert(context.request_content_type, body.decode("utf-8", "replace"), hasattr(context, "timeout")) if _CONVERTS else body

    @staticmethod
    def output_handler(response, context):
        if response.status_code >= 400:
            raise _refusal(response)
        return response.content, context.accept_header


# White space of JavaScript, in which the image's proxy converts requests: Python counts other characters.
_BLANKS = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
_S = "[" + _BLANKS + "]*"
_IS_WHOLE = re.compile('"(instances|inputs|examples)"' + _S + ":")
_IS_LINES = re.compile("[}\\]]" + _S + "[\\[{]")
_IS_ROWS = re.compile(_S + "\\[" + _S + "\\[")
_IS_NUMBER_OR_QUOTE = re.compile(_S + '["0-9.Ee+-]')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _convert(content_type, body, is_current):
    """The body for TensorFlow Serving, with the quirks of the image's proxy. Images since TensorFlow 2.20 have their own."""
    kind = (content_type or "").split(";")[0].strip(_BLANKS).lower() if is_current else content_type
    if kind in ("application/json", "application/jsonlines", "application/jsons"):
        if _IS_WHOLE.search(body):
            return body
        if _IS_LINES.search(body):
            lines, rows = _rows_of(body)
            return '{"instances":%s}' % (",".join(rows) if lines == 1 else "[%s]" % ",".join(rows))
        return '{"instances":%s}' % (body if _IS_ROWS.match(body) else "[%s]" % body)
    if kind == "text/csv":
        quotes = _IS_NUMBER_OR_QUOTE.match(body) is None
        rows = [_row_by_field(row) if is_current else _row_by_first_field(row, quotes) for row in _rows_of(body)[1]]
        return '{"instances":[%s]}' % ",".join(rows)
    raise _Refused(415, '{"error":%s"Unsupported Media Type: %s"}' % ("" if is_current else " ", content_type or "Unknown"))


def _rows_of(body):
    """How many lines there are, and those that are not blank."""
    lines = [line.strip(_BLANKS) for line in body.strip(_BLANKS).split("\n")]
    return len(lines), [line for line in lines if line]


def _row_by_first_field(line, quotes):
    """The older images decide by the first field of the whole body whether values are quoted, and split text once."""
    row = '"%s"' % line.replace('"', '\\"', 1).replace(",", '","', 1) if quotes else line
    return "[%s]" % row if "," in line else row


def _row_by_field(line):
    fields = [""]
    is_quoted = False
    at = 0
    while at < len(line):
        char = line[at]
        if char == '"' and is_quoted and line[at + 1 : at + 2] == '"':
            fields[-1] += '"'
            at += 1
        elif char == '"':
            is_quoted = not is_quoted
        elif char == "," and not is_quoted:
            fields.append("")
        else:
            fields[-1] += char
        at += 1
    cells = [field.strip(_BLANKS) if _NUMBER.fullmatch(field.strip(_BLANKS)) else json.dumps(field, ensure_ascii=False) for field in fields]
    return "[%s]" % ",".join(cells) if len(cells) > 1 else cells[0]


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
    if isinstance(response, Exception):
        raise response
    # Images since TensorFlow 2.20 (their context has a time-out) do not call output_handler with a refusal.
    if hasattr(context, "timeout") and response.status_code >= 400:
        raise _refusal(response)
    return _own.output_handler(response, context)


class _Bundle:
    """The inputs of one request, and what has become of them."""

    def __init__(self, members, content_type, context):
        self.members = members
        self.uri = context.rest_uri
        self.contexts = {
            at: context._replace(request_content_type=content_type, content_length=len(body)) for at, body in members.items()
        }
        self.outcomes = {}

    def outcome_of(self, at, work):
        """The outcome of an input; its failure costs no other one its answer."""
        try:
            body, _ = work()
            return inferdrop_bundle.answer(body)
        except Exception as error:
            return self.refusal(at, error)

    def refusal(self, at, error):
        log.error("input %d: %s", at, error)
        return inferdrop_bundle.refusal(getattr(error, "status", 500), str(error))

    def body_of(self, at):
        return _own.input_handler(io.BytesIO(self.members[at]), self.contexts[at])

    def finish(self, at, response):
        return self.outcome_of(at, lambda: _output(response, self.contexts[at]))

    def answer_alone(self, at):
        self.outcomes[at] = self.outcome_of(at, lambda: _answer(io.BytesIO(self.members[at]), self.contexts[at]))


def _answer_bundle(body, context):
    began = time.time()
    about, members = inferdrop_bundle.read(body, context.request_content_type)
    bundle = _Bundle(members, about["contentType"], context)
    is_joint = _proof.settle(bundle, None if hasattr(_own, "handler") else _answer_together)
    return inferdrop_bundle.write(about["inputs"], bundle.outcomes, began, _proof, is_joint)


def _answer_together(bundle):
    """Answers the inputs that fit together, in as few requests as that takes. Whether there are any."""
    sent = {}
    groups = {}
    for at in bundle.members:
        try:
            sent[at] = bundle.body_of(at)
        except Exception as error:
            bundle.outcomes[at] = bundle.refusal(at, error)
            continue
        instances, rest = _instances_of(sent[at])
        if instances is not None:
            groups.setdefault(rest, []).append((at, instances))
    joint = {rest: parts for rest, parts in groups.items() if len(parts) > 1}
    if not joint and len(sent) >= inferdrop_bundle.PROOFS:
        _proof.fail(inferdrop_bundle.APART, False)
    answers = {}
    for rest, parts in joint.items():
        answers.update(_ask_together(parts, rest, sent, bundle.uri))
    for at, response in answers.items():
        bundle.outcomes[at] = bundle.finish(at, response)
    for rest, parts in joint.items():
        why = _difference(bundle, parts, rest, sent, answers)
        if why is not None:
            _proof.fail(why, why != inferdrop_bundle.RANDOM_SCRIPT)
            break
        _proof.forms.add(rest)
    return len(joint) > 0


def _difference(bundle, parts, rest, sent, together):
    """Why the answers differ together and on their own, as far as some inputs show it; None if no difference is found."""
    last = list(bundle.members)[-1]
    for at in _proof.checked(rest, [at for at, _ in parts]):
        if _predictions_of(together[at]) is None:
            # It was refused on its own.
            continue
        why = inferdrop_bundle.difference(
            ask=lambda: _ask_anew(bundle, at),
            disturb=lambda: _ask_anew(bundle, last),
            is_alike=_are_equal,
            together=together[at],
            finish=lambda: bundle.finish(at, together[at]),
            outcome=bundle.outcomes[at],
        )
        if why is not None:
            return why
    first, instances = parts[0]
    faded = inferdrop_bundle.fade(instances)
    if rest in _proof.forms or faded == instances:
        return None
    # An input that is almost nothing, together with others.
    asked = dict(sent)
    asked[first] = json.dumps(dict(json.loads(rest), instances=faded))
    alone = _post(bundle.uri, asked[first])
    beside = dict(_ask_together([(first, faded)] + parts[1 : inferdrop_bundle.PROOFS], rest, asked, bundle.uri))
    if _predictions_of(alone) is None or _predictions_of(beside[first]) is None or _are_equal(alone, beside[first]):
        return None
    return inferdrop_bundle.FAINT


def _ask_anew(bundle, at):
    try:
        response = _post(bundle.uri, bundle.body_of(at))
        # Asked again, since a failure that passes says nothing of the model.
        return response if _predictions_of(response) is not None else _post(bundle.uri, bundle.body_of(at))
    except Exception as error:
        return error


def _ask_together(parts, rest, sent, uri):
    """Answers by input. Halves are sent if the whole is refused, so that one input costs no other its answer."""
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
    """The instances of a request in rows, and its other fields as text; None if it has another form."""
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
