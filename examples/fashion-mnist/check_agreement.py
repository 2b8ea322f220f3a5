"""Shows that the laptop's engine and TensorFlow give the same class for every image of the example.

    python check_agreement.py

Needs TensorFlow, and the repository with its packages installed. Exits with 1 if a single class differs.
"""

import os
import pathlib
import sys
import tarfile
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent.parent / "packages" / "savedmodel" / "lab"))
import engine

from fashion_mnist import CLASSES


def main():
    files = sorted((HERE / "images").glob("*.png"))
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(HERE / "model.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        version = pathlib.Path(folder) / "fashion-mnist" / "1"
        serve = tf.saved_model.load(str(version)).signatures["serving_default"]
        theirs = serve(image_bytes=tf.constant([path.read_bytes() for path in files]))
        ours = engine.predict(version, {"image_bytes": files})

    expected = theirs["classes"].numpy()
    truth = np.array([CLASSES.index(path.stem.split("_")[1]) for path in files])
    same = int((ours["classes"] == expected).sum())
    difference = np.abs(ours["probabilities"] - theirs["probabilities"].numpy()).max()
    print(f"{same} of {len(files)} classes agree; largest difference of a probability {difference:.1e}")
    print(f"{(expected == truth).mean():.1%} right")
    return 0 if same == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
