"""Runs code/inference.py as the Python service of SageMaker's TensorFlow container does, one request at a time."""
import collections
import importlib.util
import io
import json
import logging
import sys
import traceback

import requests

logging.basicConfig(level=logging.INFO, stream=sys.stderr)
log = logging.getLogger("python_service")

_CONTEXT_FIELDS = (
    "model_name, model_version, method, rest_uri, grpc_port, channel, "
    "custom_attributes, request_content_type, accept_header, content_length"
)
_handler = _input_handler = _output_handler = None
_Context = None
_pending = {}


def load(script_path, has_timeout):
    """Imports the script. Returns which kind of handlers it has: `handler` or `pair`."""
    global _handler, _input_handler, _output_handler, _Context
    _Context = collections.namedtuple("Context", _CONTEXT_FIELDS + (", timeout" if has_timeout else ""))
    spec = importlib.util.spec_from_file_location("inference", script_path)
    inference = importlib.util.module_from_spec(spec)
    sys.modules["inference"] = inference
    spec.loader.exec_module(inference)
    if hasattr(inference, "handler"):
        _handler = inference.handler
        return "handler"
    if hasattr(inference, "input_handler") and hasattr(inference, "output_handler"):
        _input_handler, _output_handler = inference.input_handler, inference.output_handler
        return "pair"
    raise NotImplementedError("Handlers are not implemented correctly in user script.")


def explain_load_failure():
    """The exception that `load` raised: its kind, the missing module if that was the cause, and its text."""
    error = sys.exc_info()[1] or sys.last_value
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return [type(error).__name__, missing, str(error)]


def _failed(error):
    log.error("exception handling request: %s\n%s", error, traceback.format_exc())
    return (500, json.dumps({"error": str(error)}).encode("utf-8"), None)


def _answered(result):
    body, content_type = result
    if isinstance(body, str):
        body = body.encode("utf-8")
    elif not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"a handler must return text or bytes as the body, got {type(body).__name__}")
    return (200, bytes(body), content_type)


def handle(body, context):
    try:
        return _answered(_handler(io.BytesIO(body), _Context(*context)))
    except Exception as error:
        return _failed(error)


def handle_input(request_id, body, context):
    """Returns `(0, request body for TensorFlow Serving, None)`, or the answer if the handler failed."""
    try:
        context = _Context(*context)
        processed = requests._to_bytes(_input_handler(io.BytesIO(body), context), None)
        _pending[request_id] = context
        return (0, processed, None)
    except Exception as error:
        return _failed(error)


def handle_output(request_id, status, content):
    context = _pending.pop(request_id)
    try:
        return _answered(_output_handler(requests.Response(status, content, context.rest_uri), context))
    except Exception as error:
        return _failed(error)
