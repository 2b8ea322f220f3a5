"""Images as the network sees them, in training as in serving."""

import numpy
import torch
from PIL import Image

from network import SIDE


def read(file):
    """An encoded image of any size, a path or a file, as gray pixels, 1 x 28 x 28, 0..1."""
    image = Image.open(file).convert("L")
    if image.size != (SIDE, SIDE):
        image = image.resize((SIDE, SIDE), Image.BILINEAR)
    return torch.from_numpy(numpy.asarray(image, numpy.float32)[None] / 255)
