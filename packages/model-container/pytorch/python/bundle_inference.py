"""Script for requests that hold many inputs, in a tar or as lines. inferdrop adds this file to a PyTorch archive when a run sends its inputs in bundles.

The archive's own script lies next to it, unchanged. Its predict_fn is called once for inputs with tensors that fit together, as long as each
is answered as on its own; otherwise each input is a request of its own, as it is for a transform_fn.
"""

import copy
import importlib
import io
import json
import logging
import os
import time
from inspect import signature

import inferdrop_bundle
import torch
from sagemaker_inference import content_types
from sagemaker_inference.errors import BaseInferenceToolkitError, GenericInferenceToolkitError
from sagemaker_pytorch_serving_container.default_pytorch_inference_handler import DefaultPytorchInferenceHandler

log = logging.getLogger("inferdrop")

_HERE = os.path.dirname(os.path.abspath(__file__))
_STEPS = ("input_fn", "predict_fn", "output_fn")

# A worker of the container keeps it.
_proof = inferdrop_bundle.Proof()
_own = importlib.import_module("inferdrop_served") if os.path.exists(os.path.join(_HERE, "inferdrop_served.py")) else None
_default = DefaultPytorchInferenceHandler()
# How many arguments a function takes, by its name: to ask costs more than a small image's answer.
_takes = {}
_transform = getattr(_own, "transform_fn", None)
if _transform and any(getattr(_own, name, None) for name in _STEPS):
    # The toolkit's own words.
    raise ValueError(
        "Cannot use transform_fn implementation in conjunction with input_fn, predict_fn, and/or output_fn implementation"
    )
if _transform:
    log.info("transform_fn is called once for each input of a bundle")


def _function(name):
    return getattr(_own, name, None) or getattr(_default, "default_" + name)


def __getattr__(name):
    """Everything else that the archive's script has: further functions that the toolkit calls, and classes that a pickled model names."""
    if _own is None or name in _STEPS or name.startswith("__"):
        raise AttributeError(name)
    return getattr(_own, name)


def model_fn(model_dir, context=None):
    return _call("model_fn", (model_dir,), context)


def transform_fn(model, data, content_type, accept, context=None):
    if not inferdrop_bundle.is_bundle(content_type):
        return _answer(model, data, content_type, accept, context)
    return _answer_bundle(model, bytes(data), content_type, accept, context), inferdrop_bundle.ANSWERS


def _call(name, arguments, context):
    """Calls a function as the toolkit does: with the context if it takes one argument more. Toolkits before that have no context."""
    function = _function(name)
    takes = _takes.get(name)
    if takes is None:
        takes = _takes[name] = len(signature(function).parameters)
    if context is None or takes == len(arguments):
        return function(*arguments)
    if takes == len(arguments) + 1:
        return function(*(arguments + (context,)))
    raise TypeError("{} takes {} arguments but {} were given.".format(function.__name__, takes, len(arguments)))


def _answer(model, data, content_type, accept, context):
    """What the toolkit would do with a request for the archive's own script."""
    if _transform:
        return _call("transform_fn", (model, data, content_type, accept), context)
    data = _call("input_fn", (data, content_type), context)
    prediction = _call("predict_fn", (data, model), context)
    return _call("output_fn", (prediction, accept), context)


class _Bundle:
    """The inputs of one request, and what has become of them."""

    def __init__(self, model, members, content_type, accept, context):
        self.model = model
        self.members = members
        self.content_type = content_type
        self.accept = accept
        self.context = context
        self.contexts = {at: self.context_of(body) for at, body in members.items()}
        self.outcomes = {}

    def context_of(self, body):
        """The context that a request with only this input would have had."""
        if self.context is None or not self.context.request_processor:
            return self.context
        request = self.context.request_processor[0]
        own = {"content-type": self.content_type, "content-length": str(len(body))}
        headers = {name: own.get(str(name).lower(), value) for name, value in request.get_request_properties().items()}
        alone = copy.copy(self.context)
        alone.request_processor = [type(request)(headers)]
        return alone

    def outcome_of(self, at, work):
        """The outcome of an input; its failure costs no other one its answer."""
        try:
            result = work()
            body = _to_text_or_bytes(result[0] if isinstance(result, tuple) else result)
            status = _status_of(self.contexts[at])
            if status >= 400:
                raise GenericInferenceToolkitError(status, str(body))
            return inferdrop_bundle.answer(body)
        except Exception as error:
            return self.refusal(at, error)

    def refusal(self, at, error):
        log.error("input %d", at, exc_info=error)
        if isinstance(error, BaseInferenceToolkitError):
            return inferdrop_bundle.refusal(error.status_code, error.message)
        return inferdrop_bundle.refusal(500, str(error))

    def data_of(self, at):
        return _call("input_fn", self.request(at), self.contexts[at])

    def finish(self, at, prediction):
        return self.outcome_of(at, lambda: _call("output_fn", (prediction, self.accept), self.contexts[at]))

    def renew(self, at):
        self.contexts[at] = self.context_of(self.members[at])

    def answer_alone(self, at):
        self.renew(at)
        own = self.request(at) + (self.accept, self.contexts[at])
        self.outcomes[at] = self.outcome_of(at, lambda: _answer(self.model, *own))

    def request(self, at):
        """The first arguments of the script's functions: text if the toolkit decodes it, and the content type."""
        body = self.members[at]
        is_text = self.content_type in content_types.UTF8_TYPES
        return body.decode("utf-8") if is_text else bytearray(body), self.content_type


def _status_of(context):
    if context is None or not context.request_processor:
        return 200
    return context.request_processor[0].get_response_status_code() or 200


def _to_text_or_bytes(value):
    """The body of an answer, as TorchServe encodes what a handler gave."""
    if isinstance(value, (str, bytes, bytearray)):
        return value
    if isinstance(value, torch.Tensor):
        file = io.BytesIO()
        torch.save(value, file)
        return file.getvalue()
    return json.dumps(value, indent=2)


def _answer_bundle(model, body, content_type, accept, context):
    began = time.time()
    about, members = inferdrop_bundle.read(body, content_type)
    bundle = _Bundle(model, members, about["contentType"], accept, context)
    is_joint = _proof.settle(bundle, None if _transform else _answer_together)
    most_bytes = int(os.environ.get("TS_MAX_RESPONSE_SIZE") or 6553500)
    return inferdrop_bundle.write(about["inputs"], bundle.outcomes, began, _proof, is_joint, most_bytes)


def _answer_together(bundle):
    """Answers each group of inputs with data that fit together by one call of predict_fn. Returns whether there are any."""
    groups = {}
    for at in bundle.members:
        try:
            data = bundle.data_of(at)
        except Exception as error:
            bundle.outcomes[at] = bundle.refusal(at, error)
            continue
        form = _form_of(data)
        groups.setdefault(at if form is None else form, {})[at] = data
    if len(groups) > 1:
        log.info("predict_fn is called for %d groups of inputs, because their data have different forms", len(groups))
    if len(groups) >= inferdrop_bundle.PROOFS and all(len(data) == 1 for data in groups.values()):
        _proof.fail(inferdrop_bundle.APART, False)
    joint = {}
    refused = {}
    for form, data in groups.items():
        if len(data) > 1:
            try:
                joint[form] = _predict_together(bundle, data)
            except Exception as error:
                refused[form] = error
    # Copies, since an output_fn may change what it is given.
    checked = {form: {at: _copy(found[at]) for at in _proof.checked(form, list(found))} for form, found in joint.items()}
    for predictions in joint.values():
        for at, prediction in predictions.items():
            bundle.outcomes[at] = bundle.finish(at, prediction)
    for form, together in checked.items():
        why = _difference(bundle, form, groups[form], together)
        if why is not None:
            _proof.fail(why, why != inferdrop_bundle.RANDOM_SCRIPT)
            return True
        _proof.forms.add(form)
    for form, error in refused.items():
        _answer_refused(bundle, form, groups[form], error)
    return len(joint) > 0


def _answer_refused(bundle, form, data, error):
    """Sends inputs one by one that predict_fn has refused together."""
    for at in data:
        bundle.answer_alone(at)
    # If an input also fails on its own, it is at fault, and not its company; once proved, a bundle that fails is an exception.
    if form not in _proof.forms and not any("error" in bundle.outcomes[at] for at in data):
        _proof.fail("its predict_fn does not take several (%s: %s)" % (type(error).__name__, error), False)


def _predict(bundle, data, context):
    return _call("predict_fn", (data, bundle.model), context)


def _predict_together(bundle, data):
    """Predictions by place from one call. @raises ValueError if the call gave something else than a row for each."""
    context = bundle.context_of(b"")
    joint = _predict(bundle, _join(list(data.values())), context)
    if _status_of(context) >= 400:
        raise ValueError("it set the status %d" % _status_of(context))
    parts = _split(joint, [_rows(own) for own in data.values()])
    if parts is None:
        raise ValueError("its answer has not a row for each")
    return dict(zip(data, parts))


def _difference(bundle, form, data, together):
    """Why the predictions differ together and on their own, as far as some inputs show it; None if no difference is found."""
    places = list(data)
    last = list(bundle.members)[-1]
    for at, prediction in together.items():
        why = inferdrop_bundle.difference(
            ask=lambda: _ask_anew(bundle, at),
            disturb=lambda: _ask_anew(bundle, last),
            is_alike=_are_equal,
            together=prediction,
            finish=lambda: bundle.finish(at, _copy(prediction)),
            outcome=bundle.outcomes[at],
        )
        if why is not None:
            return why
    if form in _proof.forms:
        return None
    # An input that is almost nothing, together with others.
    faded = _fade(data[places[0]])
    beside = dict([(places[0], faded)] + [(at, data[at]) for at in places[1 : inferdrop_bundle.PROOFS]])
    try:
        joint = _predict_together(bundle, beside)[places[0]]
        alone = _predict(bundle, faded, bundle.context_of(b""))
    except Exception:
        return None
    return None if _are_equal(alone, joint) else inferdrop_bundle.FAINT


def _ask_anew(bundle, at):
    """The prediction for an input as a request of its own; the error if there is none."""
    # Twice, since a failure that passes says nothing of the model.
    for _ in range(2):
        bundle.renew(at)
        try:
            return _predict(bundle, bundle.data_of(at), bundle.contexts[at])
        except Exception as error:
            log.exception("input %d alone", at)
            failure = error
    return failure


def _are_equal(one, other):
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other)
    try:
        return inferdrop_bundle.is_close(_plain(one), _plain(other))
    except Exception as error:
        log.warning("predictions cannot be compared: %s", error)
        return False


def _is_tensor(value):
    return type(value) is torch.Tensor and value.layout == torch.strided


def _is_array(value):
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _form_of(data):
    """Properties that data must share to be joined, or None: the shape of a row and the type of each tensor."""
    if _is_tensor(data) or _is_array(data):
        if len(data.shape) == 0 or data.shape[0] == 0:
            return None
        place = str(data.device) if _is_tensor(data) else "array"
        return place, str(data.dtype), tuple(data.shape[1:])
    if type(data) in (dict, tuple) and data:
        named = data.items() if type(data) is dict else enumerate(data)
        forms = tuple((name, _form_of(value)) for name, value in named)
        parts = list(data.values()) if type(data) is dict else list(data)
        if any(form is None for _, form in forms) or len({_rows(part) for part in parts}) != 1:
            return None
        return type(data).__name__, forms
    return None


def _rows(data):
    if type(data) is dict:
        return _rows(next(iter(data.values())))
    if type(data) is tuple:
        return _rows(data[0])
    return data.shape[0]


def _join(parts):
    first = parts[0]
    if type(first) is dict:
        return {name: _join([part[name] for part in parts]) for name in first}
    if type(first) is tuple:
        return tuple(_join([part[at] for part in parts]) for at in range(len(first)))
    if _is_tensor(first):
        return torch.cat(parts)
    import numpy

    return numpy.concatenate(parts)


def _copy(prediction):
    if _is_tensor(prediction) or _is_array(prediction):
        return _join([prediction]) if len(prediction.shape) > 0 else prediction
    if type(prediction) is dict:
        return {name: _copy(value) for name, value in prediction.items()}
    if type(prediction) in (list, tuple):
        return type(prediction)(_copy(value) for value in prediction)
    return prediction


def _split(joint, sizes):
    """The part of each input of a joint prediction; None if it cannot be told."""
    if _is_tensor(joint) or _is_array(joint):
        if len(joint.shape) == 0 or joint.shape[0] != sum(sizes):
            return None
        return _slices(joint, sizes)
    if type(joint) is dict and joint:
        parts = {name: _split(value, sizes) for name, value in joint.items()}
        if any(part is None for part in parts.values()):
            return None
        return [{name: part[at] for name, part in parts.items()} for at in range(len(sizes))]
    if type(joint) in (list, tuple) and joint:
        parts = [_split(value, sizes) for value in joint]
        has_parts = all(part is not None for part in parts)
        if has_parts == (len(joint) == sum(sizes)):
            return None
        if not has_parts:
            return _slices(joint, sizes)
        return [type(joint)(part[at] for part in parts) for at in range(len(sizes))]
    return None


def _slices(rows, sizes):
    slices = []
    begin = 0
    for size in sizes:
        slices.append(rows[begin : begin + size])
        begin += size
    return slices


def _fade(data):
    if type(data) is dict:
        return {name: _fade(value) for name, value in data.items()}
    if type(data) is tuple:
        return tuple(_fade(value) for value in data)
    kind = str(data.dtype)
    if "bool" in kind:
        return data
    return data / 1000 if "float" in kind else data // 1000


def _plain(value):
    """A prediction in lists, dicts and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
