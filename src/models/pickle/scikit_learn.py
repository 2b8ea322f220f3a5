"""Converts a model of scikit-learn to ONNX in the Python that made it: scikit_learn.py MODEL SAMPLE FOLDER.

Writes float32.onnx and float64.onnx, as far as skl2onnx can, and facts.json with the library's own answers to up to 200 rows.
"""

import pathlib
import sys
from importlib.metadata import version

import joblib
import numpy as np
from sampled import rows_for, write_facts
from skl2onnx import to_onnx
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

file, sample, folder = sys.argv[1:]
model = joblib.load(file)
width = model.n_features_in_
columns = [str(name) for name in getattr(model, "feature_names_in_", [])]
rows, is_sample = rows_for(sample, width, columns, takes_missing=False)
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
        pathlib.Path(folder, f"{name}.onnx").write_bytes(converted.SerializeToString())
    except Exception as error:
        failed.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")
if len(failed) == 2:
    sys.exit(f"skl2onnx {version('skl2onnx')} does not convert it: {failed[0]}")
write_facts(
    folder,
    rows,
    answers,
    library=f"scikit-learn {version('scikit-learn')}",
    step=f"converted by skl2onnx {version('skl2onnx')}",
    columns=columns,
    classes=[str(one) for one in model.classes_] if is_classifier else [],
    method=method,
    isSample=is_sample,
)
