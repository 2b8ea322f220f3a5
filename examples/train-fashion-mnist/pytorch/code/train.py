"""Trains one network on all hosts together; the class of an image stands in its name, <number>_<class>.png.

Arguments are the hyperparameters of pipeline.json; the images lie below SM_CHANNEL_TRAINING, the model goes below SM_MODEL_DIR. The
container names the hosts in SM_HOSTS, and the first one in MASTER_ADDR and MASTER_PORT, where the others find it.
"""

import argparse
import json
import os
import pathlib

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

import images
from network import CLASSES, Network


def load(folder):
    files = sorted(pathlib.Path(folder).rglob("*.png"))
    labels = [CLASSES.index(file.stem.split("_", 1)[1]) for file in files]
    return torch.stack([images.read(file) for file in files]), torch.tensor(labels)


def own_share(count, epoch, rank, hosts):
    """This host's images of an epoch: the same shuffled order on all hosts, dealt out to equal numbers."""
    order = torch.randperm(count, generator=torch.Generator().manual_seed(epoch))
    return order[: count - count % hosts][rank::hosts]


def train(network, pixels, labels, options):
    """DistributedDataParallel gives all hosts the first one's weights, and averages their gradients before each step."""
    rank, hosts = dist.get_rank(), dist.get_world_size()
    together = DistributedDataParallel(network)
    optimizer = torch.optim.Adam(network.parameters(), options.learning_rate)
    for epoch in range(options.epochs):
        share = own_share(len(pixels), epoch, rank, hosts)
        loss_sum, right = 0.0, 0
        for batch in share.split(options.batch_size):
            logits = together(pixels[batch])
            loss = cross_entropy(logits, labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * len(batch)
            right += (logits.argmax(1) == labels[batch]).sum().item()
        # One line an epoch and host, for the metrics of pipeline.json.
        print(
            f"epoch={epoch + 1} loss={loss_sum / len(share):.4f} accuracy={right / len(share):.4f}", flush=True
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--backend", default="gloo")
    options = parser.parse_args()

    hosts = json.loads(os.environ["SM_HOSTS"])
    rank = hosts.index(os.environ["SM_CURRENT_HOST"])
    dist.init_process_group(options.backend, rank=rank, world_size=len(hosts))
    torch.manual_seed(7)
    pixels, labels = load(os.environ["SM_CHANNEL_TRAINING"])
    print(f"host {rank + 1} of {len(hosts)} over {dist.get_backend()}, {len(pixels)} images", flush=True)
    network = Network()
    train(network, pixels, labels, options)
    weights = torch.nn.utils.parameters_to_vector(network.parameters())
    print(f"weights {weights.double().abs().sum().item():.9f}", flush=True)
    if rank == 0:
        torch.save(network.state_dict(), os.path.join(os.environ["SM_MODEL_DIR"], "model.pth"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
