"""Answers many inputs that come in one tar. inferdrop adds this file to archives for PyTorch whose inputs it sends in bundles.

The archive's own script lies beside it, unchanged. Its input_fn and output_fn are called once for each input, its predict_fn once for those
whose tensors fit together, as long as it answers each of them as it does alone. A transform_fn is called once for each input.
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

# Why inputs are asked alone; None where they are asked together. A worker of the container keeps it.
_alone = None
# Whether bundles were asked together before a difference was found.
_is_doubted = False
# Forms of data whose answers together were those of each alone.
_proved = set()
_turn = 0

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
    return _answer_bundle(model, bytes(data), accept, context), inferdrop_bundle.ANSWERS


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
        """The context that a request with this input alone would have had."""
        if self.context is None or not self.context.request_processor:
            return self.context
        request = self.context.request_processor[0]
        own = {"content-type": self.content_type, "content-length": str(len(body))}
        headers = {name: own.get(str(name).lower(), value) for name, value in request.get_request_properties().items()}
        alone = copy.copy(self.context)
        alone.request_processor = [type(request)(headers)]
        return alone

    def attempt(self, at, work):
        """The value of a step for one input; None where it failed, which costs no other input its answer."""
        try:
            return work()
        except Exception as error:
            log.exception("input %d", at)
            if isinstance(error, BaseInferenceToolkitError):
                self.outcomes[at] = inferdrop_bundle.refusal(error.status_code, error.message)
            else:
                self.outcomes[at] = inferdrop_bundle.refusal(500, str(error))
            return None

    def settle(self, at, work):
        self.attempt(at, lambda: self.outcomes.__setitem__(at, self.line_of(at, work())))

    def line_of(self, at, result):
        body = _to_text_or_bytes(result[0] if isinstance(result, tuple) else result)
        status = _status_of(self.contexts[at])
        if status >= 400:
            raise GenericInferenceToolkitError(status, str(body))
        return inferdrop_bundle.answer(body)

    def request(self, at):
        """The first arguments of the script's functions: text where the toolkit decodes it, and the content type."""
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


def _answer_bundle(model, tar, accept, context):
    began = time.time()
    about, members = inferdrop_bundle.read(tar)
    bundle = _Bundle(model, members, about["contentType"], accept, context)
    if _transform:
        for at in members:
            bundle.settle(at, lambda: _call("transform_fn", (model,) + bundle.request(at) + (accept,), bundle.contexts[at]))
    else:
        _answer_in_steps(bundle)
    most_bytes = int(os.environ.get("TS_MAX_RESPONSE_SIZE") or 6553500)
    return inferdrop_bundle.write(about["inputs"], bundle.outcomes, began, _alone, most_bytes, _is_doubted)


def _answer_in_steps(bundle):
    groups = {}
    for at in bundle.members:
        data = bundle.attempt(at, lambda: _call("input_fn", bundle.request(at), bundle.contexts[at]))
        if at not in bundle.outcomes:
            form = _form_of(data)
            groups.setdefault(at if form is None else form, {})[at] = data
    if len(groups) > 1:
        log.info("predict_fn is called for %d groups of inputs, whose data have different forms", len(groups))
    for form, data in groups.items():
        for at, prediction in _predict_all(bundle, form, data).items():
            bundle.settle(at, lambda: _call("output_fn", (prediction, bundle.accept), bundle.contexts[at]))


def _predict(bundle, data, context):
    return _call("predict_fn", (data, bundle.model), context)


def _predict_each(bundle, data):
    """Predictions by place, each of an input alone; none for one that fails, whose error is kept."""
    predictions = {}
    for at, own in data.items():
        prediction = bundle.attempt(at, lambda: _predict(bundle, own, bundle.contexts[at]))
        if at not in bundle.outcomes:
            predictions[at] = prediction
    return predictions


def _predict_all(bundle, form, data):
    """Predictions by place: of all together, where they are those of each alone."""
    if _alone is not None or len(data) == 1:
        return _predict_each(bundle, data)
    try:
        together = _predict_together(bundle, data)
        why = _difference(bundle, form, data, together)
    except Exception as error:
        together = None
        why = "its predict_fn does not take several (%s: %s)" % (type(error).__name__, error)
    if why is None:
        _proved.add(form)
        return together
    alone = _predict_each(bundle, data)
    # Where an input fails alone, too, it is at fault, and not its company; once proved, a bundle that fails is an exception.
    if together is not None or (form not in _proved and len(alone) == len(data)):
        _ask_alone(why, form in _proved)
    return alone


def _ask_alone(why, late):
    global _alone, _is_doubted
    _alone = "inputs of a bundle are asked one by one, since " + why
    _is_doubted = late
    log.warning(_alone)


def _predict_together(bundle, data):
    """Predictions by place from one call. @raises ValueError where the call gave something else than a row for each."""
    context = bundle.context_of(b"")
    joint = _predict(bundle, _join(list(data.values())), context)
    if _status_of(context) >= 400:
        raise ValueError("it set the status %d" % _status_of(context))
    parts = _split(joint, [_rows(own) for own in data.values()])
    if parts is None:
        raise ValueError("its answer has not a row for each")
    return dict(zip(data, parts))


def _difference(bundle, form, data, together):
    """Why the answers together are not those of each alone; None where no difference is found."""
    global _turn
    _turn += 1
    places = list(data)
    for at in inferdrop_bundle.checked(places, form in _proved, _turn):
        # Of a copy, which predict_fn may change.
        if not _is_same(lambda: _predict(bundle, _join([data[at]]), bundle.context_of(b"")), together[at]):
            return "this model answers an input together with others not as it answers it alone"
    if form in _proved:
        return None
    # An input that is almost nothing, beside others.
    faded = _fade(data[places[0]])
    beside = dict([(places[0], faded)] + [(at, data[at]) for at in places[1 : inferdrop_bundle.PROOFS]])
    try:
        joint = _predict_together(bundle, beside)[places[0]]
    except Exception:
        return None
    if not _is_same(lambda: _predict(bundle, faded, bundle.context_of(b"")), joint):
        return "this model answers a faint input together with others not as it answers it alone"
    return None


def _is_same(ask, together):
    try:
        return inferdrop_bundle.is_close(_plain(ask()), _plain(together))
    except Exception:
        log.exception("an input alone")
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


def _split(joint, sizes):
    """The part of each input of a joint prediction; None where it cannot be told."""
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
