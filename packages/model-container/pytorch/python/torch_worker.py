"""One worker of the PyTorch container: AWS's own toolkit, driven as TorchServe drives it, one request at a time."""

import io
import json
import logging
import os
import sys

import inferdrop_channel
import inferdrop_isolation
import inferdrop_model_folder


class RequestProcessor:
    """What TorchServe knows of one request and of its answer."""

    def __init__(self, headers):
        self._headers = headers
        self._status = 200
        self._phrase = None
        self._response_headers = {}

    def get_request_property(self, key):
        return self._headers.get(key)

    def get_request_properties(self):
        return self._headers

    def report_status(self, code, reason_phrase=None):
        self._status, self._phrase = code, reason_phrase

    def get_response_status_code(self):
        return self._status

    def get_response_status_phrase(self):
        return self._phrase

    def add_response_property(self, key, value):
        self._response_headers[key] = value

    def get_response_headers(self):
        return self._response_headers

    def get_response_header(self, key):
        return self._response_headers.get(key)


class Context:
    """TorchServe's context: one for the worker's life, with the request of the moment in it."""

    def __init__(self, model_dir):
        self.model_name = "model"
        self.manifest = {}
        self.metrics = None
        self.model_yaml_config = {}
        self.request_ids = None
        self.request_processor = None
        self.system_properties = {
            "model_dir": model_dir,
            "gpu_id": None,
            "batch_size": 1,
            "server_name": "MMS",
            "server_version": "0.12.0",
            "limit_max_image_pixels": True,
        }

    def get_request_id(self, idx=0):
        return None if self.request_ids is None else self.request_ids.get(idx)

    def get_request_header(self, idx, key):
        return self.request_processor[idx].get_request_property(key)

    def get_all_request_header(self, idx):
        return self.request_processor[idx].get_request_properties()

    def set_response_content_type(self, idx, value):
        self.set_response_header(idx, "content-type", value)

    def get_response_content_type(self, idx):
        return self.get_response_headers(idx).get("content-type")

    def get_response_headers(self, idx):
        return self.request_processor[idx].get_response_headers()

    def set_response_header(self, idx, key, value):
        self.request_processor[idx].add_response_property(key, value)

    def get_response_status(self, idx):
        processor = self.request_processor[idx]
        return processor.get_response_status_code(), processor.get_response_status_phrase()

    def set_response_status(self, code=200, phrase="", idx=0):
        if self.request_processor is not None and self.request_processor[idx] is not None:
            self.request_processor[idx].report_status(code, reason_phrase=phrase)

    def set_all_response_status(self, code=200, phrase=""):
        for processor in self.request_processor:
            processor.report_status(code, reason_phrase=phrase)


def to_bytes(value):
    """The body of an answer, as TorchServe encodes what a handler gave."""
    import torch

    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, torch.Tensor):
        file = io.BytesIO()
        torch.save(value, file)
        return file.getvalue()
    return json.dumps(value, indent=2).encode("utf-8")


class Failed(Exception):
    """An answer that TorchServe gives in place of the handler's."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def predict(service, context, request_id, headers, body):
    """Status, headers and body of the answer. Raises `Failed` as TorchServe's worker does."""
    context.request_ids = {0: request_id}
    context.request_processor = [RequestProcessor(headers)]
    try:
        answers = service.handle([{"body": bytearray(body)}], context)
    except MemoryError as error:
        logging.exception("System out of memory")
        raise Failed(507, "Out of resources") from error
    except Exception as error:
        logging.exception("Invoking custom service failed.")
        raise Failed(503, "Prediction failed") from error
    if not isinstance(answers, list):
        raise Failed(503, "Invalid model predict output")
    if len(answers) != 1:
        raise Failed(503, "number of batch response mismatched")
    try:
        content = to_bytes(answers[0])
    except TypeError as error:
        logging.warning("Unable to serialize model output.", exc_info=True)
        raise Failed(503, "Unsupported model output data type.") from error
    status, _ = context.get_response_status(0)
    return status or 200, context.get_response_headers(0), content


def load(settings):
    """The toolkit with the model in it."""
    model_dir = settings["modelDir"]
    sys.path.insert(0, os.path.join(model_dir, "code"))
    inferdrop_model_folder.show(model_dir)
    inferdrop_isolation.reach_only(settings["reachablePorts"])

    import torch

    torch.set_num_threads(settings["threads"])
    # As the other containers say it: see packages/laptop/sagemaker/README.md.
    print(f"serving runtime: PyTorch {torch.__version__}", file=sys.stderr)
    from sagemaker_pytorch_serving_container.handler_service import HandlerService

    service, context = HandlerService(), Context(model_dir)
    service.initialize(context)
    return service, context


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    frames = inferdrop_channel.Channel()
    try:
        service, context = load(json.loads(sys.argv[1]))
    except BaseException as error:
        logging.exception("The model cannot be loaded")
        frames.send({"kind": "refused", "reason": f"{type(error).__name__}: {error}"})
        os._exit(1)
    frames.send({"kind": "ready"})
    while True:
        header, body = frames.receive()
        try:
            status, headers, content = predict(service, context, header["requestId"], header["headers"], body)
            texts = {str(name): str(value) for name, value in headers.items()}
            frames.send({"kind": "answer", "id": header["id"], "status": int(status), "headers": texts}, content)
        except Failed as failure:
            answer = {"kind": "failed", "id": header["id"], "status": failure.code, "message": str(failure)}
            frames.send(answer)


if __name__ == "__main__":
    main()
