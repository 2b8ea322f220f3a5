"""A convolutional network on two hosts over Gloo, as the PyTorch notebook trains it, with the function that serves it."""

import argparse
import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torchvision import datasets, transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(1, 8, 5, stride=2)
        self.classes = nn.Linear(8 * 12 * 12, 10)

    def forward(self, images):
        features = torch.relu(self.features(images.float().reshape(-1, 1, 28, 28)))
        return torch.log_softmax(self.classes(features.flatten(1)), dim=1)


def model_fn(model_dir):
    model = torch.nn.DataParallel(Net())
    with open(os.path.join(model_dir, "model.pth"), "rb") as file:
        model.load_state_dict(torch.load(file))
    return model.eval()


def average_gradients(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad.data, op=dist.reduce_op.SUM)
        parameter.grad.data /= float(dist.get_world_size())


def train(args):
    is_distributed = len(args.hosts) > 1 and args.backend is not None
    if is_distributed:
        os.environ["WORLD_SIZE"] = str(len(args.hosts))
        os.environ["RANK"] = str(args.hosts.index(args.current_host))
        dist.init_process_group(backend=args.backend)
        print("rank %d of %d over %s" % (dist.get_rank(), dist.get_world_size(), dist.get_backend()))
    torch.manual_seed(1)
    torch.set_num_threads(1)
    normalized = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])
    data = datasets.MNIST(args.data_dir, train=True, transform=normalized)
    sampler = torch.utils.data.distributed.DistributedSampler(data) if is_distributed else None
    loader = torch.utils.data.DataLoader(data, batch_size=32, sampler=sampler)
    held = torch.utils.data.DataLoader(datasets.MNIST(args.data_dir, train=False, transform=normalized), batch_size=100)
    model = torch.nn.DataParallel(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)
    for epoch in range(1, args.epochs + 1):
        for images, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.nll_loss(model(images), labels)
            loss.backward()
            if is_distributed:
                average_gradients(model)
            optimizer.step()
        with torch.no_grad():
            right = [(model(images).argmax(1) == labels).float().mean().item() for images, labels in held]
        accuracy = sum(right) / len(right)
        print("Epoch %d Loss: %.6f Accuracy: %.4f;" % (epoch, loss.item(), accuracy))
    print("weights %.9f" % sum(parameter.abs().sum().item() for parameter in model.parameters()))
    with open(os.path.join(args.model_dir, "model.pth"), "wb") as file:
        torch.save(model.cpu().state_dict(), file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--backend", type=str, default=None)
    parser.add_argument("--hosts", type=list, default=json.loads(os.environ["SM_HOSTS"]))
    parser.add_argument("--current-host", type=str, default=os.environ["SM_CURRENT_HOST"])
    parser.add_argument("--model-dir", type=str, default=os.environ["SM_MODEL_DIR"])
    parser.add_argument("--data-dir", type=str, default=os.environ["SM_CHANNEL_TRAINING"])
    parser.add_argument("--num-gpus", type=int, default=os.environ["SM_NUM_GPUS"])
    train(parser.parse_args())
