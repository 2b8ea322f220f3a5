"""Prepares image files for the network as images.json next to this file says. PyTorch's container calls input_fn, and does the rest itself."""

import io
import json
import os

import numpy as np
import torch
from PIL import Image

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "images.json")) as file:
    IMAGES = json.load(file)
FILTER = Image.BICUBIC if IMAGES.get("resample") == "bicubic" else Image.BILINEAR


def input_fn(body, content_type):
    if not content_type.startswith(("image/", "application/x-image")):
        raise ValueError("content type must be application/x-image, is {}".format(content_type))
    image = fitted(Image.open(io.BytesIO(body)).convert("RGB"), IMAGES["height"], IMAGES["width"])
    if IMAGES["channels"] == 1:
        levels = np.asarray(image.convert("L"))[..., np.newaxis]
    else:
        levels = np.asarray(image)[..., :: -1 if IMAGES["order"] == "BGR" else 1]
    pixels = levels.astype(np.float32) * np.float32(IMAGES["scale"])
    pixels = (pixels - np.asarray(IMAGES["mean"], np.float32)) / np.asarray(IMAGES["std"], np.float32)
    return torch.from_numpy(np.ascontiguousarray(pixels.transpose(2, 0, 1)[np.newaxis]))


def fitted(image, height, width):
    """The image stretched to a size, or the middle of one with a shorter side of `resize`."""
    resize, short = IMAGES["resize"], min(image.size)
    if resize == "stretch":
        size = (width, height)
    else:
        size = tuple(resize if side == short else resize * side // short for side in image.size)
    image = image if image.size == size else image.resize(size, FILTER)
    left, top = (round((own - wanted) / 2) for own, wanted in zip(size, (width, height)))
    return image.crop((left, top, left + width, top + height))
