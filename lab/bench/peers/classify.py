"""A peer's side of lab/bench/peers.ts: classifies the images of a folder, and prints what the best of some rounds took.

    python classify.py FOLDER MODEL SCALE daft|ray

Files are read, decoded, and sent through the model in batches on all processors; SCALE is what a level of 0..255 is multiplied by.
"""

import atexit
import io
import json
import os
import shutil
import sys
import tempfile
import time

import numpy as np

FOLDER, MODEL, SCALE, PEER = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
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


def with_ray():
    import ray

    if not ray.is_initialized():
        # On loopback, with objects in files: a machine's own address and its /dev/shm may not be for us. Sockets have short paths, and a
        # node of a busy machine starts slowly.
        os.environ["RAY_raylet_start_wait_time_s"] = "300"
        # Its workers would let everything else on the machine go first.
        os.environ["RAY_worker_niceness"] = "0"
        folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        ray.init(
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=512 * 2**20,
            _node_ip_address="127.0.0.1",
            _plasma_directory=folder,
            _temp_dir=folder,
        )
        ray.data.DataContext.get_current().enable_progress_bars = False

    class OfBatch(Classify):
        def __call__(self, batch):
            return {"path": batch["path"], "scores": self.scores(batch["bytes"])}

    files = ray.data.read_binary_files(FOLDER, include_paths=True)
    # An actor takes a processor, and reading needs another.
    answered = files.map_batches(OfBatch, batch_size=BATCH, concurrency=max(1, os.cpu_count() - 1))
    return {row["path"]: row["scores"] for row in answered.iter_rows()}


def tree(pid):
    """Seconds of processor of a process and of all below it, ended ones among them."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        below = []
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as children:
                below += children.read().split()
    except FileNotFoundError:
        return 0.0  # It has ended meanwhile, and its parent counts it.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(tree(child) for child in below)


best = {"cpuSeconds": float("inf")}
for _ in range(ROUNDS):
    started, before = time.perf_counter(), tree(os.getpid())
    if len({"daft": with_daft, "ray": with_ray}[PEER]()) == 0:
        raise SystemExit(f"{FOLDER} has no images")
    cost = {"seconds": time.perf_counter() - started, "cpuSeconds": tree(os.getpid()) - before}
    best = min(best, cost, key=lambda one: one["cpuSeconds"])
print(json.dumps(best))
