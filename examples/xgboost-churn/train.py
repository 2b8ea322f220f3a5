"""Trains the model of this example on a table that it draws itself: python train.py (xgboost 3.2, seed 7).

Customers of a made-up telephone company; nobody's data is in it. Writes model.ubj, and customers/ with rows that it was not trained on.
"""

import csv
import pathlib

import numpy as np
import xgboost

HERE = pathlib.Path(__file__).parent
FEATURES = ["months", "calls", "minutes abroad", "late bills", "complaints", "price"]
TRAINED, STOPPED_BY, DROPPED = 3_000, 600, 400

draw = np.random.default_rng(7)
count = TRAINED + STOPPED_BY + DROPPED
months = draw.integers(1, 96, count)
calls = draw.poisson(40, count)
abroad = np.round(draw.exponential(12, count), 1)
late = draw.binomial(6, 0.15, count)
complaints = draw.poisson(0.6, count)
price = np.round(draw.normal(32, 9, count).clip(8, 80), 2)
leaning = 0.9 * complaints + 0.5 * late + 0.05 * (price - 32) - 0.045 * (months - 20) - 0.01 * calls
left = 2.2 * leaning - 1.2 + draw.logistic(0, 0.6, count) > 0
rows = np.column_stack([months, calls, abroad, late, complaints, price]).astype(np.float32)
# A company knows not everything of everyone.
rows[draw.random(rows.shape) < 0.02] = np.nan

train, stop = (
    xgboost.DMatrix(rows[part], label=left[part], feature_names=FEATURES)
    for part in (slice(0, TRAINED), slice(TRAINED, TRAINED + STOPPED_BY))
)
model = xgboost.train(
    {"objective": "binary:logistic", "max_depth": 3, "eta": 0.15, "seed": 7},
    train,
    num_boost_round=300,
    evals=[(stop, "stop")],
    early_stopping_rounds=25,
    verbose_eval=False,
)
model.save_model(HERE / "model.ubj")

(HERE / "customers").mkdir(exist_ok=True)
with open(HERE / "customers" / "july.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    # The order of the columns is not the model's, which tells them by their titles.
    order = [5, 0, 4, 1, 2, 3]
    writer.writerow(["customer", *(FEATURES[at] for at in order), "churned"])
    for at in range(TRAINED + STOPPED_BY, count):
        cells = ["" if np.isnan(rows[at, cell]) else f"{rows[at, cell]:g}" for cell in order]
        writer.writerow([f"C{at:05}", *cells, "left" if left[at] else "stayed"])

held = xgboost.DMatrix(rows[-DROPPED:], feature_names=FEATURES)
right = (model.predict(held, iteration_range=(0, model.best_iteration + 1)) > 0.5) == left[-DROPPED:]
print(f"{right.sum()} of {DROPPED} right, {model.best_iteration + 1} of {model.num_boosted_rounds()} rounds")
