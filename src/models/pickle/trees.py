"""Saves a pickled model of XGBoost, LightGBM or CatBoost in its library's own form: trees.py MODEL SAMPLE FOLDER.

Writes model.ubj, model.txt or model.cbm, which inferdrop converts, and facts.json with the library's own answers to up to 200 rows.
"""

import json
import os
import pickle
import sys
from importlib.metadata import version

import numpy as np
from sampled import rows_for, write_facts

file, sample, folder = sys.argv[1:]
try:
    import joblib

    model = joblib.load(file)
except ImportError:
    with open(file, "rb") as pickled:
        model = pickle.load(pickled)


class XGBoost:
    title, ending = "XGBoost", "ubj"

    def __init__(self):
        self.booster = model if hasattr(model, "save_config") else model.get_booster()
        self.columns = self.booster.feature_names or []
        self.width = self.booster.num_features()
        self.codes = [at for at, kind in enumerate(self.booster.feature_types or []) if kind == "c"]

    def predict(self, rows):
        import xgboost

        objective = json.loads(self.booster.save_config())["learner"]["objective"]["name"]
        if objective == "multi:softmax":
            self.booster.set_param("objective", "multi:softprob")
        best = self.booster.attr("best_iteration")
        data = xgboost.DMatrix(
            rows,
            feature_names=self.booster.feature_names,
            feature_types=self.booster.feature_types,
            enable_categorical=True,
        )
        return self.booster.predict(data, iteration_range=(0, 0 if best is None else int(best) + 1))


class LightGBM:
    title, ending = "LightGBM", "txt"

    def __init__(self):
        self.booster = getattr(model, "booster_", model)
        self.columns = self.booster.feature_name()
        self.width = self.booster.num_feature()
        self.codes = []

    def predict(self, rows):
        return self.booster.predict(rows)


class CatBoost:
    title, ending = "CatBoost", "cbm"

    def __init__(self):
        if model.get_cat_feature_indices():
            sys.exit("CatBoost computes its categories by hashes of their text: train it on numbers")
        self.booster = model
        self.columns = [str(name) for name in model.feature_names_]
        self.width = len(self.columns)
        self.codes = []

    def predict(self, rows):
        return self.booster.predict(rows, **({"prediction_type": "Probability"} if len(model.classes_) > 0 else {}))


library = {"xgboost": XGBoost, "lightgbm": LightGBM, "catboost": CatBoost}[type(model).__module__.split(".")[0]]()
library.booster.save_model(os.path.join(folder, f"model.{library.ending}"))
rows, is_sample = rows_for(sample, library.width, library.columns, takes_missing=True)
if not is_sample:
    rows[:, library.codes] = np.abs(np.round(rows[:, library.codes]))
classes = [str(one) for one in getattr(model, "classes_", [])]
write_facts(
    folder,
    rows,
    library.predict(rows),
    library=f"{library.title} {version(library.title.lower())}",
    step=f"saved by {library.title} {version(library.title.lower())}, converted here",
    columns=list(library.columns),
    # Numbers from 0 on are places, and no names.
    classes=[] if classes == [str(at) for at in range(len(classes))] else classes,
    method="predict",
    isSample=is_sample,
)
