"""The `requests` package as far as handlers use it, for code/inference.py scripts that run without a Python installation.

Calls reach the container's own TensorFlow Serving REST API: the interpreter's process has no other way out, and any other host is refused.
"""
import json as _json
from urllib.parse import urlencode as _urlencode, urlsplit as _urlsplit

__version__ = "2.32.0"

_transport = None
_rest_port = None
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class RequestException(IOError):
    def __init__(self, *args, **kwargs):
        self.response = kwargs.pop("response", None)
        self.request = kwargs.pop("request", None)
        super().__init__(*args, **kwargs)


class ConnectionError(RequestException):
    pass


class HTTPError(RequestException):
    pass


class Timeout(RequestException):
    pass


class JSONDecodeError(RequestException, ValueError):
    pass


class _Exceptions:
    RequestException = RequestException
    ConnectionError = ConnectionError
    HTTPError = HTTPError
    Timeout = Timeout
    ReadTimeout = Timeout
    ConnectTimeout = Timeout
    JSONDecodeError = JSONDecodeError


exceptions = _Exceptions()


class _Codes:
    ok = 200
    bad_request = 400
    not_found = 404
    internal_server_error = 500


codes = _Codes()

_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 500: "Internal Server Error", 503: "Service Unavailable"}


class CaseInsensitiveDict(dict):
    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __contains__(self, key):
        return super().__contains__(key.lower())

    def get(self, key, default=None):
        return super().get(key.lower(), default)


class Response:
    def __init__(self, status_code, content, url, content_type="application/json"):
        self.status_code = status_code
        self.content = content
        self.url = url
        self.reason = _REASONS.get(status_code, "")
        self.headers = CaseInsensitiveDict({"content-type": content_type, "content-length": str(len(content))})
        self.encoding = "utf-8"
        self.apparent_encoding = "utf-8"
        self.history = []

    @property
    def ok(self):
        return self.status_code < 400

    @property
    def text(self):
        return self.content.decode("utf-8", "replace")

    def json(self, **kwargs):
        try:
            return _json.loads(self.content, **kwargs)
        except ValueError as error:
            raise JSONDecodeError(str(error)) from None

    def iter_content(self, chunk_size=1, decode_unicode=False):
        size = chunk_size or len(self.content) or 1
        for start in range(0, len(self.content), size):
            yield self.content[start : start + size]

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        for line in self.content.splitlines():
            yield line.decode("utf-8") if decode_unicode else line

    def raise_for_status(self):
        if self.status_code >= 400:
            kind = "Client" if self.status_code < 500 else "Server"
            message = f"{self.status_code} {kind} Error: {self.reason} for url: {self.url}"
            raise HTTPError(message, response=self)

    def close(self):
        pass

    def __bool__(self):
        return self.ok

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __repr__(self):
        return f"<Response [{self.status_code}]>"


def _to_bytes(data, json):
    if json is not None:
        return _json.dumps(json).encode("utf-8")
    if data is None:
        return b""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    if isinstance(data, str):
        return data.encode("utf-8")
    if hasattr(data, "read"):
        return _to_bytes(data.read(), None)
    if isinstance(data, dict) or (isinstance(data, (list, tuple)) and all(isinstance(pair, (list, tuple)) for pair in data)):
        return _urlencode(data, doseq=True).encode("utf-8")
    return b"".join(_to_bytes(chunk, None) for chunk in data)


def to_bytes(data):
    """The body that a request with this data has."""
    return _to_bytes(data, None)


def to_response(status, content, url):
    """An answer that the model server has given."""
    return Response(status, content, url)


def request(method, url, params=None, data=None, json=None, headers=None, timeout=None, **kwargs):
    parts = _urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise RequestException(f"Invalid URL {url!r}: only http is known here")
    if parts.hostname not in _LOOPBACK or parts.port != _rest_port or parts.scheme != "http":
        raise ConnectionError(
            f"{method.upper()} {url}: a handler that runs without a Python installation reaches only the container's own "
            f"REST API, http://localhost:{_rest_port}; run with `--handlers python` for other hosts"
        )
    path = parts.path or "/"
    if params:
        path += "?" + (params if isinstance(params, str) else _urlencode(params, doseq=True))
    status, content = _transport(method.upper(), path, _to_bytes(data, json))
    return Response(status, content, url)


def get(url, params=None, **kwargs):
    return request("GET", url, params=params, **kwargs)


def post(url, data=None, json=None, **kwargs):
    return request("POST", url, data=data, json=json, **kwargs)


def put(url, data=None, **kwargs):
    return request("PUT", url, data=data, **kwargs)


def delete(url, **kwargs):
    return request("DELETE", url, **kwargs)


def head(url, **kwargs):
    return request("HEAD", url, **kwargs)


class Session:
    def __init__(self):
        self.headers = CaseInsensitiveDict()
        self.params = {}
        self.verify = True

    def request(self, method, url, **kwargs):
        return request(method, url, **kwargs)

    def get(self, url, **kwargs):
        return get(url, **kwargs)

    def post(self, url, data=None, json=None, **kwargs):
        return post(url, data=data, json=json, **kwargs)

    def put(self, url, data=None, **kwargs):
        return put(url, data=data, **kwargs)

    def mount(self, prefix, adapter):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def session():
    return Session()


class _Adapters:
    class HTTPAdapter:
        def __init__(self, *args, **kwargs):
            pass


adapters = _Adapters()
