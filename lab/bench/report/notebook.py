"""The peer: the notebook's own loop over the outputs, then scikit-learn's report and plot. Prints what it took."""

import json
import os
import re
import resource
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay, classification_report

folder, labels_file, picture = sys.argv[1:]
with open(labels_file) as f:
    labels = json.load(f)
started = resource.getrusage(resource.RUSAGE_SELF)

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

used = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "records": total,
            "correct": correct,
            "cpuSeconds": used.ru_utime + used.ru_stime - started.ru_utime - started.ru_stime,
            "withStartSeconds": used.ru_utime + used.ru_stime,
            "peakMB": used.ru_maxrss / 1024,
        }
    )
)
