"""Trains the example's network on Fashion-MNIST and packs it as model.tar.gz.

    python train.py [--epochs 10] [--data FOLDER]

Needs PyTorch and NumPy; the CPU is enough. The seed is fixed, and the archive is reproducible: the same weights give the
same bytes.
"""

import argparse
import gzip
import io
import pathlib
import sys
import tarfile

import torch

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE / "code"), str(HERE.parent / "fashion-mnist")]

from fashion_mnist import DEBIAN, load
from network import Network

BATCH = 128


def tensors(split, folder):
    images, labels = load(split, folder)
    return torch.from_numpy(images.copy()).permute(0, 3, 1, 2).float() / 255, torch.from_numpy(labels)


def train(network, images, labels, epochs):
    """Mirrored copies at random are the only augmentation: a shoe may point either way."""
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * -(-len(images) // BATCH))
    for epoch in range(epochs):
        network.train()
        total = 0.0
        for chosen in torch.randperm(len(images)).split(BATCH):
            batch = images[chosen]
            mirrored = torch.rand(len(batch)) < 0.5
            batch[mirrored] = batch[mirrored].flip(-1)
            loss = torch.nn.functional.cross_entropy(network(batch), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1} of {epochs}: loss {total / len(images):.4f}", flush=True)


def accuracy(network, images, labels):
    network.eval()
    with torch.inference_mode():
        right = sum(
            (network(batch).argmax(1) == truth).sum().item()
            for batch, truth in zip(images.split(500), labels.split(500))
        )
    return right / len(images)


def pack(network, target):
    """model.tar.gz as the SageMaker container wants it: model.pth at the root beside code/inference.py."""
    weights = io.BytesIO()
    torch.save(network.state_dict(), weights)
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in (HERE / "code").glob("*.py")}
    files["model.pth"] = weights.getvalue()
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--data", type=pathlib.Path, default=DEBIAN)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "model.tar.gz")
    options = parser.parse_args()

    torch.manual_seed(7)
    network = Network()
    train(network, *tensors("train", options.data), options.epochs)
    right = accuracy(network, *tensors("t10k", options.data))
    pack(network, options.out)
    print(f"{right:.2%} of the 10,000 test images; {options.out}, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
