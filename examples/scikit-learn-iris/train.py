"""Trains the model of this example on the irises that scikit-learn brings: python train.py (scikit-learn 1.9.1, seed 7).

Writes model.joblib, and flowers/ with rows that it was not trained on.
"""

import csv
import pathlib

import joblib
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = pathlib.Path(__file__).parent
iris = load_iris(as_frame=True)
names = iris.target.map(dict(enumerate(iris.target_names)))
train, dropped, known, truth = train_test_split(iris.data, names, test_size=60, random_state=7, stratify=names)
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(train, known)
joblib.dump(model, HERE / "model.joblib", compress=3)

(HERE / "flowers").mkdir(exist_ok=True)
with open(HERE / "flowers" / "irises.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*dropped.columns, "kind"])
    writer.writerows([*row, kind] for row, kind in zip(dropped.to_numpy().tolist(), truth))
print(f"{(model.predict(dropped) == truth).sum()} of {len(truth)} right")
