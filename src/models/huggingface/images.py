"""Converts an image classifier of Hugging Face to ONNX in the Python that made it: images.py MODEL SAMPLE FOLDER.

Writes model.onnx, which answers probabilities, and facts.json with the library's own answers to up to 20 image files.
"""

import json
import pathlib
import sys
from importlib.metadata import version

import numpy as np
import torch
from PIL import Image
from transformers import AutoImageProcessor, AutoModelForImageClassification

MOST_FILES = 20
source, sample, folder = sys.argv[1:]
model = AutoModelForImageClassification.from_pretrained(source, local_files_only=True, trust_remote_code=False).eval()
processor = AutoImageProcessor.from_pretrained(source, local_files_only=True, trust_remote_code=False, use_fast=False)


def drawn_files():
    """Soft shapes in files of three sizes, if there is no sample."""
    draw = np.random.default_rng(0)
    files = []
    for at, (width, height) in enumerate([(320, 240), (200, 300), (256, 256)]):
        levels = draw.integers(0, 256, (6, 6, 3), dtype=np.uint8)
        files.append(str(pathlib.Path(sample).with_name(f"drawn-{at}.png")))
        Image.fromarray(levels).resize((width, height), Image.Resampling.BICUBIC).save(files[-1])
    return files


class Probabilities(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model

    def forward(self, pixels):
        return torch.softmax(self.model(pixel_values=pixels).logits, dim=-1)


def pixels_of(file):
    with Image.open(file) as image:
        return processor(images=image.convert("RGB"), return_tensors="pt")["pixel_values"]


given = json.loads(pathlib.Path(sample).read_text())["files"][:MOST_FILES]
files = given or drawn_files()
network = Probabilities().eval()
with torch.no_grad():
    answers = [network(pixels_of(file))[0].tolist() for file in files]
    torch.onnx.export(
        network,
        (pixels_of(files[0]),),
        str(pathlib.Path(folder, "model.onnx")),
        input_names=["pixels"],
        output_names=["probabilities"],
        dynamic_axes={"pixels": {0: "N"}, "probabilities": {0: "N"}},
        opset_version=17,
        dynamo=False,
    )
facts = {
    "library": f"transformers {version('transformers')}",
    "step": f"converted by PyTorch {version('torch')}",
    "columns": [],
    "classes": [],
    "method": "the model",
    "isSample": len(given) > 0,
    "rows": files,
    "answers": answers,
}
pathlib.Path(folder, "facts.json").write_text(json.dumps(facts, allow_nan=False))
