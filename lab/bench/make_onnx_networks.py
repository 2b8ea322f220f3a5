"""Writes the networks that lab/bench/predict-shard.ts and peers.ts measure: model.onnx, pipeline.json and images of each.

    python lab/bench/make_onnx_networks.py FOLDER

`cifar10` is the network of examples/cifar10 (1,250,858 parameters) and `resnet50` the one of its name, both with random weights of a fixed
seed. Needs the packages of lab/oracle/onnx. `inferdrop model pack --onnx` packs them.
"""

import json
import pathlib
import sys

import numpy as np
import torch
from PIL import Image

nn = torch.nn


def cifar10():
    def block(inputs, filters):
        return (
            *(nn.Conv2d(inputs, filters, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(filters, filters, 3), nn.ReLU(), nn.MaxPool2d(2)),
        )

    return nn.Sequential(
        *block(3, 32), *block(32, 64), nn.Flatten(), nn.Linear(2304, 512), nn.ReLU(), nn.Linear(512, 10), nn.Softmax(1)
    )


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            *(nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()),
            *(nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()),
            *(nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width)),
        )
        same = stride == 1 and inputs == 4 * width
        self.skip = nn.Identity() if same else nn.Sequential(nn.Conv2d(inputs, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, images):
        return torch.relu(self.body(images) + self.skip(images))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, stride if block == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000), nn.Softmax(1))


def write(folder, network, side, classes, count):
    folder.mkdir(parents=True)
    program = torch.onnx.export(
        network.eval(), (torch.zeros(2, 3, side, side),), dynamic_shapes=({0: torch.export.Dim("batch")},), dynamo=True, verbose=False
    )
    program.save(folder / "model.onnx", external_data=False)
    pipeline = {
        "model": {
            **{"framework": "onnx", "frameworkVersion": "2.6.0", "networkIsolation": False},
            "images": {"scale": 1 / 255, "mean": 0, "std": 1, "resize": "stretch"},
        },
        "labels": {"classes": [f"class {index}" for index in range(classes)]},
    }
    (folder / "pipeline.json").write_text(json.dumps(pipeline))
    # Blurred noise: neighbouring pixels are alike, as in photographs.
    (folder / "images").mkdir()
    coarse = np.random.default_rng(3).integers(0, 256, (count, 8, 8, 3), dtype=np.uint8)
    for index, image in enumerate(coarse):
        Image.fromarray(image).resize((side, side), Image.BICUBIC).save(folder / "images" / f"{index:04}.png")


def main():
    torch.manual_seed(11)
    folder = pathlib.Path(sys.argv[1])
    write(folder / "cifar10", cifar10(), 32, 10, 1000)
    write(folder / "resnet50", resnet50(), 224, 1000, 32)


if __name__ == "__main__":
    main()
