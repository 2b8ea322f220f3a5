"""The local engine for Python scripts that compare it with TensorFlow."""

import json
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
# The repository brings its own Node 24.
NODE = HERE.parents[2] / "node_modules" / ".bin" / "node"


def run(script, *arguments):
    """What one of the scripts beside this file prints, read as JSON."""
    command = [str(NODE) if NODE.exists() else "node", str(HERE / script), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def predict(version_dir, feeds, signature="serving_default"):
    """Outputs by name. A feed is a NumPy array, or a list of paths for a tensor of strings."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        request = {"signature": signature, "feeds": {}}
        for name, feed in feeds.items():
            if isinstance(feed, np.ndarray):
                feed.tofile(folder / f"{name}.in")
                request["feeds"][name] = {"dtype": str(feed.dtype), "shape": feed.shape, "file": f"{name}.in"}
            else:
                files = [str(path) for path in feed]
                request["feeds"][name] = {"dtype": "string", "shape": [len(files)], "files": files}
        (folder / "request.json").write_text(json.dumps(request))
        described = run("engine-predict.ts", version_dir, folder)
        return {
            name: np.fromfile(folder / f"{name}.out", output["dtype"]).reshape(output["shape"])
            for name, output in described.items()
        }
