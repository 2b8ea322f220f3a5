"""A peer's side of the bench of engine lambda: classifies the images of a folder, and prints how many have answers.

    python classify.py daft|ray FOLDER [ANSWERS]

Files are read, decoded, and sent through the model in batches on all processors. FOLDER is as shard/subject.ts prepares it.
"""

import atexit
import io
import json
import os
import shutil
import sys
import tempfile

import numpy as np

PEER, FOLDER, ANSWERS = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None
FILES, MODEL = f"{FOLDER}/files", f"{FOLDER}/model/model.onnx"
with open(f"{FOLDER}/scale") as file:
    SCALE = float(file.read())
BATCH = 64


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

    files = daft.from_glob_path(f"{FILES}/*")
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

    files = ray.data.read_binary_files(FILES, include_paths=True)
    # An actor takes a processor, and reading needs another.
    answered = files.map_batches(OfBatch, batch_size=BATCH, concurrency=max(1, os.cpu_count() - 1))
    return {row["path"]: row["scores"] for row in answered.iter_rows()}


found = {"daft": with_daft, "ray": with_ray}[PEER]()
if ANSWERS:
    with open(ANSWERS, "w") as file:
        json.dump([[float(score) for score in found[path]] for path in sorted(found)], file)
print(json.dumps({"answers": len(found)}))
