"""Trains the network of this example on images of examples/fashion-mnist: python train.py (transformers 5.24.0, torch 2.13.0, seed 7).

Writes model/ as `save_pretrained` does, and images/ with pictures that it was not trained on.
"""

import pathlib
import shutil

import numpy as np
import torch
from PIL import Image
from transformers import ResNetConfig, ResNetForImageClassification, ViTImageProcessor

HERE = pathlib.Path(__file__).parent
EPOCHS = 60
KEPT = 100

torch.manual_seed(7)
files = sorted((HERE.parent / "fashion-mnist" / "images").glob("*.png"))
labels = [file.stem.split("_", 1)[1] for file in files]
names = sorted(set(labels))
processor = ViTImageProcessor(size={"height": 28, "width": 28}, image_mean=[0.5] * 3, image_std=[0.5] * 3)
pictures = [Image.open(file).convert("RGB") for file in files]
pixels = processor(pictures, return_tensors="pt")["pixel_values"]
truth = torch.tensor([names.index(label) for label in labels])
known, held = slice(KEPT, None), slice(0, KEPT)

config = ResNetConfig(
    embedding_size=8,
    hidden_sizes=[16, 32],
    depths=[1, 1],
    layer_type="basic",
    id2label=dict(enumerate(names)),
    label2id={name: index for index, name in enumerate(names)},
)
network = ResNetForImageClassification(config)
optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
for _ in range(EPOCHS):
    for batch in (torch.randperm(len(files) - KEPT) + KEPT).split(50):
        images = pixels[batch]
        flipped = torch.where(torch.rand(len(batch), 1, 1, 1) < 0.5, images.flip(3), images)
        loss = network(flipped, labels=truth[batch]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

network.eval()
with torch.no_grad():
    found = network(pixels[held]).logits.argmax(1)
network.save_pretrained(HERE / "model")
processor.save_pretrained(HERE / "model")
(HERE / "images").mkdir(exist_ok=True)
for file in files[held]:
    shutil.copy(file, HERE / "images")
print(f"{int(np.sum(found.numpy() == truth[held].numpy()))} of {KEPT} right")
