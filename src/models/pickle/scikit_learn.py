"""Converts a model of scikit-learn to ONNX in the Python that made it: scikit_learn.py MODEL SAMPLE FOLDER.

Writes float32.onnx and float64.onnx, as far as skl2onnx can, and facts.json with the library's own answers to up to 200 rows.
"""

import json
import pathlib
import sys
from importlib.metadata import version

import joblib
import numpy as np
from skl2onnx import to_onnx
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

MOST_ROWS = 200
file, sample, folder = sys.argv[1:]
out = pathlib.Path(folder)
model = joblib.load(file)
width = model.n_features_in_
columns = [str(name) for name in getattr(model, "feature_names_in_", [])]


def is_number(cell):
    try:
        return np.isfinite(float(cell))
    except ValueError:
        return False


def sample_rows():
    """Rows of the sample as the model takes them; drawn ones if there are none."""
    given = json.loads(pathlib.Path(sample).read_text())
    titles, cells = given["titles"], given["rows"][:MOST_ROWS]
    numbers = [at for at in range(min(map(len, cells), default=0)) if all(is_number(row[at]) for row in cells)]
    named = [titles.index(name) for name in columns if name in titles]
    places = named if named else numbers
    if len(places) == width and set(places) <= set(numbers):
        return np.array([[float(row[at]) for at in places] for row in cells]), True
    return np.random.default_rng(0).normal(size=(MOST_ROWS, width)), False


rows, is_sample = sample_rows()
is_classifier = hasattr(model, "classes_")
method = next(name for name in ("predict_proba", "decision_function", "predict") if hasattr(model, name))
if not is_classifier:
    method = "predict"
answers = np.asarray(getattr(model, method)(rows), dtype=float).reshape(len(rows), -1)
if is_classifier and answers.shape[1] == 1:
    answers = np.hstack([-answers, answers])
failed = []
for name, tensor in (("float32", FloatTensorType), ("float64", DoubleTensorType)):
    try:
        converted = to_onnx(
            model,
            initial_types=[("features", tensor([None, width]))],
            options={id(model): {"zipmap": False}} if is_classifier else None,
            target_opset={"": 17, "ai.onnx.ml": 3},
        )
        (out / f"{name}.onnx").write_bytes(converted.SerializeToString())
    except Exception as error:
        failed.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")
if len(failed) == 2:
    sys.exit(f"skl2onnx {version('skl2onnx')} does not convert it: {failed[0]}")
facts = {
    "library": f"scikit-learn {version('scikit-learn')}",
    "converter": f"skl2onnx {version('skl2onnx')}",
    "columns": columns,
    "classes": [str(one) for one in model.classes_] if is_classifier else [],
    "method": method,
    "isSample": is_sample,
    "rows": rows.tolist(),
    "answers": answers.tolist(),
}
(out / "facts.json").write_text(json.dumps(facts, allow_nan=False))
