"""Runs code/inference.py in a Python process of its own, with the packages that it asks for.

The container's gunicorn runs handlers in greenlets: one at a time, and another one while this one waits for an answer of
the model server. Here a thread for each request, and a baton that only one holds, do the same.
"""

import concurrent.futures
import functools
import json
import os
import sys
import threading
import time

import inferdrop_channel
import inferdrop_isolation
import inferdrop_model_folder
import requests

import python_service

_AT_ONCE = 100


class RealRequests:
    """What `python_service` needs of the `requests` package."""

    @staticmethod
    def to_bytes(data):
        body = requests.Request("POST", "http://localhost/", data=data).prepare().body
        if hasattr(body, "read"):
            body = body.read()
        elif body is not None and not isinstance(body, (str, bytes)):
            body = b"".join(body)
        return body.encode("utf-8") if isinstance(body, str) else bytes(body or b"")

    @staticmethod
    def to_response(status, content, url):
        response = requests.Response()
        response.status_code = status
        response.reason = requests.status_codes._codes.get(status, ("",))[0].replace("_", " ").title()
        response.url = url
        response.headers.update({"Content-Type": "application/json", "Content-Length": str(len(content))})
        response._content = content
        response._content_consumed = True
        return response


class Baton:
    """Held while a handler computes, put down while it waits."""

    def __init__(self, tell):
        self._lock = threading.Lock()
        self._mine = threading.local()
        self._tell = tell

    def __enter__(self):
        self._lock.acquire()
        self._mine.held = True

    def __exit__(self, *_):
        self._mine.held = False
        self._lock.release()

    def put_down_during(self, function):
        """Wraps a function that waits; other requests go on meanwhile, and it does not count as computing."""

        @functools.wraps(function)
        def waiting(*args, **kwargs):
            if not getattr(self._mine, "held", False):
                return function(*args, **kwargs)
            self._mine.held = False
            self._lock.release()
            self._tell({"kind": "waits"})
            try:
                return function(*args, **kwargs)
            finally:
                self._lock.acquire()
                self._mine.held = True
                self._tell({"kind": "computes"})

        return waiting


def main():
    settings = json.loads(sys.argv[1])
    if sys.version_info.minor != settings["pythonMinor"]:
        print(f"Python 3.{sys.version_info.minor} here, 3.{settings['pythonMinor']} in the image", file=sys.stderr)
    frames = inferdrop_channel.Channel()
    code = os.path.join(settings["modelDir"], "code")
    sys.path[:0] = [code, os.path.join(code, "lib")]
    inferdrop_model_folder.show(settings["modelDir"])
    inferdrop_isolation.reach_only(settings["reachablePorts"])
    baton = Baton(frames.send)
    requests.adapters.HTTPAdapter.send = baton.put_down_during(requests.adapters.HTTPAdapter.send)
    time.sleep = baton.put_down_during(time.sleep)

    def reply(request_id, status, body, content_type):
        header = {"kind": "serve", "id": request_id}
        if status:
            header = {"kind": "answer", "id": request_id, "status": status, "contentType": content_type}
        frames.send(header, body.encode("utf-8") if isinstance(body, str) else body)

    try:
        python_service.load(os.path.join(code, "inference.py"), settings["hasTimeout"], reply, RealRequests)
    except BaseException as error:
        kind, missing, text = json.loads(python_service.explain(error))
        reason = f": {kind}: {text}"
        if missing:
            reason = f" imports {missing}, which is not installed: name its package in code/requirements.txt"
        frames.send({"kind": "refused", "reason": "code/inference.py" + reason})
        os._exit(1)
    frames.send({"kind": "ready"})

    def run(function, *args):
        with baton:
            function(*args)

    with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as threads:
        while True:
            header, body = frames.receive()
            kind, request_id = header["kind"], header["id"]
            if kind == "invoke":
                threads.submit(run, python_service.invoke, request_id, body, header["context"])
            elif kind == "served":
                threads.submit(run, python_service.serve_output, request_id, header["status"], body.decode("utf-8"))
            else:
                threads.submit(run, python_service.forget, request_id)


if __name__ == "__main__":
    main()
