"""A container of real TensorFlow, as small as it can be: HTTP, code/inference.py and the SavedModel in one Python process.

    python lab/bench/tensorflow_server.py MODEL_DIR

Prints its port. The peer of lab/bench/transform.ts; needs TensorFlow.
"""

import base64
import collections
import http.server
import io
import json
import os
import pathlib
import sys
import threading

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow as tf

MODEL = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(MODEL / "code"))
import inference

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
serve = tf.saved_model.load(str(next(MODEL.glob("**/saved_model.pb")).parent)).signatures["serving_default"]
Context = collections.namedtuple("Context", "request_content_type accept_header")
Response = collections.namedtuple("Response", "status_code content")
one_at_a_time = threading.Lock()


def predict(body):
    """Row requests of encoded images, and answers, as TensorFlow Serving has them."""
    images = [base64.b64decode(instance["b64"]) for instance in json.loads(body)["instances"]]
    columns = {name: value.numpy().tolist() for name, value in serve(image_bytes=tf.constant(images)).items()}
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    return Response(200, json.dumps({"predictions": rows}).encode())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        context = Context(self.headers["Content-Type"], self.headers["Accept"])
        with one_at_a_time:
            request = inference.input_handler(io.BytesIO(body), context)
            content, content_type = inference.output_handler(predict(request), context)
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    # As many connections as a client opens at once.
    request_queue_size = 1024
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
