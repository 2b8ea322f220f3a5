"""Sends each image file to the model as it is: its signature decodes it. In JSON, bytes are base64 under the key "b64"."""

import base64
import json


def input_handler(data, context):
    if not context.request_content_type.startswith(("image/", "application/x-image")):
        raise ValueError("content type must be application/x-image, is {}".format(context.request_content_type))
    return json.dumps({"instances": [{"b64": base64.b64encode(data.read()).decode("ascii")}]})


def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    return response.content, context.accept_header
