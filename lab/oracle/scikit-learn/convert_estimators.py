"""Fits estimators of scikit-learn on drawn rows and converts each: convert_estimators.py SCRIPT FOLDER SEED.

SCRIPT is the product's own. Writes a folder for each estimator, with the models and the answers to compare, or with reason.txt.
"""

import json
import pathlib
import runpy
import sys
import warnings

import joblib
import numpy as np
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import all_estimators

warnings.simplefilter("ignore")
script, folder, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, str(pathlib.Path(script).parent))
rows, classes = make_classification(400, 6, n_informative=4, n_classes=3, random_state=seed)
names = np.array(["low", "middle", "high"])[classes]
numbers = rows @ np.arange(6) + classes
sample = folder / "sample.json"
sample.write_text(json.dumps({"titles": [], "rows": [[str(cell) for cell in row] for row in rows[:200]]}))


def fitted():
    for kind, truth in (("classifier", names), ("regressor", numbers)):
        for name, make in all_estimators(kind):
            for scaled in (False, True):
                try:
                    estimator = make()
                    if "random_state" in estimator.get_params():
                        estimator.set_params(random_state=seed)
                    model = make_pipeline(StandardScaler(), estimator) if scaled else estimator
                    yield f"{name}{' of scaled columns' if scaled else ''}", model.fit(rows, truth)
                except Exception:
                    # It needs other data, or other estimators.
                    continue


for name, model in fitted():
    out = folder / name
    out.mkdir()
    joblib.dump(model, folder / "model.joblib")
    sys.argv = [script, str(folder / "model.joblib"), str(sample), str(out)]
    try:
        runpy.run_path(script)
    except (Exception, SystemExit) as error:
        (out / "reason.txt").write_text(f"{error}".splitlines()[0])
