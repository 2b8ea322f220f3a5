"""Runs inside the PyTorch container: the four functions that SageMaker's toolkit calls for each request."""

import io
import json
import os

import numpy as np
import torch
from PIL import Image

from network import Network

IMAGE_TYPES = ("application/x-image", "image/png", "image/jpeg")
SIDE = 28


def model_fn(model_dir):
    """The network with the weights of model.pth, once for each worker."""
    network = Network()
    path = os.path.join(model_dir, "model.pth")
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return network.eval()


def input_fn(body, content_type):
    """An encoded image of any size as one batch of gray pixels, 0..1."""
    if content_type not in IMAGE_TYPES:
        raise ValueError("content type must be one of {}, is {}".format(", ".join(IMAGE_TYPES), content_type))
    image = Image.open(io.BytesIO(body)).convert("L")
    if image.size != (SIDE, SIDE):
        image = image.resize((SIDE, SIDE), Image.BILINEAR)
    return torch.from_numpy(np.asarray(image, np.float32)[None, None] / 255)


def predict_fn(images, network):
    with torch.inference_mode():
        return network(images).softmax(dim=1)


def output_fn(probabilities, accept):
    """One row of class probabilities an image, in the form that TensorFlow Serving uses, too."""
    if accept != "application/json":
        raise ValueError("accept must be application/json, is {}".format(accept))
    return json.dumps({"predictions": probabilities.tolist()}), accept
