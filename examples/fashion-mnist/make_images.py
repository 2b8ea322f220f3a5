"""Writes the first 100 test images of each class as images/<number>_<class>.png, numbered as in the test set.

    python make_images.py [--data FOLDER]

Needs NumPy and Pillow.
"""

import argparse
import pathlib

import numpy as np
from PIL import Image

from fashion_mnist import CLASSES, DEBIAN, load

PER_CLASS = 100


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=DEBIAN)
    folder = pathlib.Path(__file__).parent / "images"
    folder.mkdir(exist_ok=True)

    images, labels = load("t10k", parser.parse_args().data)
    chosen = np.concatenate([np.flatnonzero(labels == label)[:PER_CLASS] for label in range(len(CLASSES))])
    for index in np.sort(chosen):
        name = f"{index:04}_{CLASSES[labels[index]]}.png"
        Image.fromarray(images[index, :, :, 0]).save(folder / name, optimize=True)
    print(f"{len(chosen)} images in {folder}")


if __name__ == "__main__":
    main()
