"""The peer: the notebook's own loop over the outputs, then scikit-learn's report and plot. Prints what it has counted."""

import json
import os
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay, classification_report

folder, labels_file, picture = sys.argv[1:]
with open(labels_file) as f:
    labels = json.load(f)

total = 0
correct = 0
predicted = []
actual = []
for entry in os.scandir(folder):
    try:
        if entry.is_file() and entry.name.endswith("out"):
            with open(entry, "r") as f:
                jstr = json.load(f)
                results = [float("%.3f" % (item)) for sublist in jstr["predictions"] for item in sublist]
                class_index = np.argmax(np.array(results))
                predicted_label = labels[class_index]
                predicted.append(predicted_label)
                actual_label = re.search("([a-zA-Z]+).png.out", entry.name).group(1)
                actual.append(actual_label)
                is_correct = (predicted_label in entry.name) or False
                if is_correct:
                    correct += 1
                total += 1
    except Exception as e:
        print(e)
        continue

report = classification_report(actual, predicted, labels=labels, zero_division=0)
few = len(labels) <= 30
ConfusionMatrixDisplay.from_predictions(actual, predicted, labels=labels, normalize="true", include_values=few)
plt.savefig(picture)

print(json.dumps({"answers": total, "correct": correct}))
