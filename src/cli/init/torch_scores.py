"""Scores of a TorchScript network for prepared images: python torch_scores.py MODEL HEIGHT WIDTH

Prints the channels and the number of scores, then a line of scores for each image of float32 that the standard input holds.
"""

import sys

import numpy as np
import torch

MODEL, HEIGHT, WIDTH = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
network = torch.jit.load(MODEL, map_location="cpu").eval()
# A convolution's weights have its channels; frozen networks have no weights.
channels = next((weights.shape[1] for weights in network.parameters() if weights.dim() == 4), 3)


def scores(pixels):
    with torch.inference_mode():
        answer = network(torch.from_numpy(pixels))
    if not isinstance(answer, torch.Tensor):
        raise SystemExit("the network answers a {}, and one tensor of scores is wanted".format(type(answer).__name__))
    return answer.reshape(-1).tolist()


print(channels, len(scores(np.zeros([1, channels, HEIGHT, WIDTH], np.float32))), flush=True)
while data := sys.stdin.buffer.read(4 * channels * HEIGHT * WIDTH):
    print(*scores(np.frombuffer(data, np.float32).reshape(1, channels, HEIGHT, WIDTH).copy()), flush=True)
