"""Daft's side of lab/bench/peers.ts: classifies the images of a folder, and prints what the best of some rounds took.

    python classify.py FOLDER MODEL SCALE

Files are read, decoded, and sent through the model in batches on all processors; SCALE is what a level of 0..255 is multiplied by.
"""

import io
import json
import os
import resource
import sys
import time

import numpy as np

FOLDER, MODEL, SCALE = sys.argv[1], sys.argv[2], float(sys.argv[3])
BATCH = 64
ROUNDS = 3


class Classify:
    """A model of its own in each worker, with one thread."""

    def __init__(self):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0]

    def scores(self, bodies):
        from PIL import Image

        mode = "L" if self.input.shape[1] == 1 else "RGB"
        pixels = np.stack([np.asarray(Image.open(io.BytesIO(body)).convert(mode), np.float32) for body in bodies])
        pixels = (pixels[:, np.newaxis] if mode == "L" else pixels.transpose(0, 3, 1, 2)) * np.float32(SCALE)
        return self.session.run(None, {self.input.name: np.ascontiguousarray(pixels)})[0]


def with_daft():
    import daft

    @daft.cls(max_concurrency=os.cpu_count())
    class OfBatch(Classify):
        @daft.method.batch(return_dtype=daft.DataType.list(daft.DataType.float32()), batch_size=BATCH)
        def __call__(self, bodies):
            return self.scores(bodies.to_pylist()).tolist()

    files = daft.from_glob_path(f"{FOLDER}/*.png")
    answered = files.select(files["path"], OfBatch()(files["path"].download()).alias("scores"))
    found = answered.to_pydict()
    return dict(zip(found["path"], found["scores"]))


def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


best = {"cpuSeconds": float("inf")}
for _ in range(ROUNDS):
    started, before = time.perf_counter(), cpu()
    if len(with_daft()) == 0:
        raise SystemExit(f"{FOLDER} has no images")
    cost = {"seconds": time.perf_counter() - started, "cpuSeconds": cpu() - before}
    best = min(best, cost, key=lambda one: one["cpuSeconds"])
print(json.dumps(best))
