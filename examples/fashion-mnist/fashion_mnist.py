"""Fashion-MNIST as NumPy arrays, read from the four IDX files that Zalando publishes."""

import gzip
import pathlib
import struct

import numpy as np

# Class i of the data set is CLASSES[i]. Letters and dashes only, so that a key pattern finds them in a file name.
CLASSES = (
    "t-shirt",
    "trouser",
    "pullover",
    "dress",
    "coat",
    "sandal",
    "shirt",
    "sneaker",
    "bag",
    "ankle-boot",
)

# Where Debian's package dataset-fashion-mnist puts the files.
DEBIAN = pathlib.Path("/usr/share/datasets/fashion-mnist")


def read_idx(path):
    """One IDX file of unsigned bytes as an array of its own shape."""
    with gzip.open(path, "rb") as file:
        zero, kind, rank = struct.unpack(">HBB", file.read(4))
        if zero != 0 or kind != 8:
            raise ValueError(f"{path}: not an IDX file of unsigned bytes")
        shape = struct.unpack(f">{rank}I", file.read(4 * rank))
        return np.frombuffer(file.read(), np.uint8).reshape(shape)


def load(split, folder=DEBIAN):
    """Images [n, 28, 28, 1] and labels [n] of the split: "train" (60,000) or "t10k" (10,000)."""
    images = read_idx(folder / f"{split}-images-idx3-ubyte.gz")
    labels = read_idx(folder / f"{split}-labels-idx1-ubyte.gz")
    return images[..., np.newaxis], labels.astype(np.int64)
