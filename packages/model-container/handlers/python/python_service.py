"""Runs code/inference.py as the Python service of SageMaker's TensorFlow container does, one request at a time."""
import collections
import importlib.util
import io
import json
import logging
import re
import sys
import traceback

logging.basicConfig(level=logging.INFO, stream=sys.stderr)
log = logging.getLogger("python_service")

_CONTEXT_FIELDS = (
    "model_name",
    "model_version",
    "method",
    "rest_uri",
    "grpc_port",
    "channel",
    "custom_attributes",
    "request_content_type",
    "accept_header",
    "content_length",
)
_SERVE = 0
# What may stand in a header of HTTP (RFC 9110, 5.5).
_FIELD_VALUE = re.compile(r"[\t\x20-\x7e]{0,8192}")
_handler = _input_handler = _output_handler = None
_reply = None
_http = None
_Context = None
_contexts = {}
_pending = {}


def load(script_path, has_timeout, reply, http):
    """Imports the script, which has `handler` or the pair. Answers will go to `reply(id, status, body, content_type)`.

    `http` is what stands for the `requests` package: `to_bytes(data)` and `to_response(status, content, url)`.
    """
    global _handler, _input_handler, _output_handler, _Context, _reply, _http
    _reply, _http = reply, http
    _Context = collections.namedtuple("Context", _CONTEXT_FIELDS + (("timeout",) if has_timeout else ()))
    spec = importlib.util.spec_from_file_location("inference", script_path)
    inference = importlib.util.module_from_spec(spec)
    sys.modules["inference"] = inference
    spec.loader.exec_module(inference)
    if hasattr(inference, "handler"):
        _handler = inference.handler
    elif hasattr(inference, "input_handler") and hasattr(inference, "output_handler"):
        _input_handler, _output_handler = inference.input_handler, inference.output_handler
    else:
        raise NotImplementedError("Handlers are not implemented correctly in user script.")


def explain(error):
    """Kind of a failure to load, the missing module if that was the cause, and the text."""
    traceback.print_exception(error, file=sys.stderr)
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return json.dumps([type(error).__name__, missing, str(error)])


def invoke(request_id, body, context):
    """Starts one request: `handler` answers it, `input_handler` gives the body that TensorFlow Serving is asked with."""
    try:
        context = _to_context(context, len(body))
        if _handler:
            _answer(request_id, _handler(io.BytesIO(body), context))
        else:
            processed = _input_handler(io.BytesIO(body), context)
            _pending[request_id] = context
            _reply(request_id, _SERVE, processed if isinstance(processed, str) else _to_wire(_http.to_bytes(processed)), None)
    except Exception as error:
        _fail(request_id, error)


def serve_output(request_id, status, content):
    """Goes on with a request after TensorFlow Serving has answered."""
    context = _pending.pop(request_id)
    try:
        response = _http.to_response(status, content.encode("utf-8"), context.rest_uri)
        _answer(request_id, _output_handler(response, context))
    except Exception as error:
        _fail(request_id, error)


def forget(request_id):
    """TensorFlow Serving refused the request, and the image answers by itself."""
    del _pending[request_id]


def _to_context(text, content_length):
    fields = _contexts.get(text)
    if fields is None:
        if len(_contexts) >= 1000:
            _contexts.clear()
        fields = _contexts[text] = tuple(json.loads(text))
    return _Context(*fields[:9], content_length, *fields[9:])


def _answer(request_id, result):
    body, content_type = result
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"a handler must return text or bytes as the body, got {type(body).__name__}")
    if content_type is not None and not (isinstance(content_type, str) and _FIELD_VALUE.fullmatch(content_type)):
        raise TypeError(f"a handler must return a content type of printable ASCII, got {content_type!r}")
    _reply(request_id, 200, body if isinstance(body, str) else _to_wire(bytes(body)), content_type)


def _fail(request_id, error):
    log.error("exception handling request: %s\n%s", error, traceback.format_exc())
    _reply(request_id, 500, json.dumps({"error": str(error)}), None)


def _to_wire(body):
    """Text if the bytes are UTF-8: it crosses to JavaScript much faster and comes back as the same bytes."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body
