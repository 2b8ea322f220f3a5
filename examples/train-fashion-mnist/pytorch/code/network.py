"""The network, shared by training and serving: a state_dict holds weights only, so both sides need its shape."""

import torch

SIDE = 28
CLASSES = "t-shirt trouser pullover dress coat sandal shirt sneaker bag ankle-boot".split()


class Network(torch.nn.Sequential):
    """Two convolutions, 57,000 parameters; pixels 0..1 of 28 x 28 in, ten logits out."""

    def __init__(self):
        super().__init__(
            torch.nn.Conv2d(1, 16, 3),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(2),
            torch.nn.Conv2d(16, 32, 3),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(2),
            torch.nn.Flatten(),
            torch.nn.Linear(32 * 5 * 5, 64),
            torch.nn.ReLU(),
            torch.nn.Linear(64, len(CLASSES)),
        )
