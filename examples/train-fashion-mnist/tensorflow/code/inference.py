"""Runs inside the TensorFlow Serving container, before and after the model.

SageMaker posts each image as it lies in S3. The model's REST API speaks JSON, in which bytes are written as base64
under the key "b64".
"""

import base64
import json

IMAGE_TYPES = ("application/x-image", "image/png", "image/jpeg")


def input_handler(data, context):
    """The body of the request to the model: one instance, the encoded image."""
    if context.request_content_type not in IMAGE_TYPES:
        raise ValueError(
            "content type must be one of {}, is {}".format(", ".join(IMAGE_TYPES), context.request_content_type)
        )
    encoded = base64.b64encode(data.read()).decode("ascii")
    return json.dumps({"instances": [{"b64": encoded}]})


def output_handler(response, context):
    """The model's answer and its content type, handed to SageMaker unchanged."""
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    return response.content, context.accept_header
