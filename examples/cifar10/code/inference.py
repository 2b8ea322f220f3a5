"""Runs inside the TensorFlow Serving container: an encoded image in, the network's ten probabilities out."""

import io
import json

import numpy as np
from PIL import Image

IMAGE_TYPES = ("application/x-image", "image/png", "image/jpeg")
SIDE = 32


def input_handler(data, context):
    """The body of the request to the model: one instance of 32 x 32 x 3 numbers, 0..1."""
    if context.request_content_type not in IMAGE_TYPES:
        raise ValueError(
            "content type must be one of {}, is {}".format(", ".join(IMAGE_TYPES), context.request_content_type)
        )
    image = Image.open(io.BytesIO(data.read())).convert("RGB")
    if image.size != (SIDE, SIDE):
        image = image.resize((SIDE, SIDE), Image.BILINEAR)
    pixels = np.asarray(image, np.float32) / 255
    return json.dumps({"instances": pixels[np.newaxis].tolist()})


def output_handler(response, context):
    """The model's answer and its content type, handed to SageMaker unchanged."""
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    return response.content, context.accept_header
