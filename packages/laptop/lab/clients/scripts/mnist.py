"""Softmax regression on two hosts as the PyTorch notebook's script does it: each host has half of the rows, gradients are averaged at
MASTER_ADDR and MASTER_PORT, rank and world size follow from SM_HOSTS. In numpy, so that it needs no framework."""

import argparse
import json
import os
import time
from multiprocessing.connection import Client, Listener

import numpy

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--backend", type=str, default=None)
parser.add_argument("--hosts", type=json.loads, default=json.loads(os.environ["SM_HOSTS"]))
parser.add_argument("--current-host", default=os.environ["SM_CURRENT_HOST"])
parser.add_argument("--model-dir", default=os.environ["SM_MODEL_DIR"])
parser.add_argument("--data-dir", default=os.environ["SM_CHANNEL_TRAINING"])
args = parser.parse_args()
rank, size = args.hosts.index(args.current_host), len(args.hosts)
place = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))


def meet():
    """The connection between the first host and the second."""
    if size == 1:
        return None
    if rank == 0:
        return Listener(place).accept()
    for _ in range(200):
        try:
            return Client(place)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise TimeoutError("no first host at %s" % (place,))


peer = meet()


def averaged(gradient):
    if peer is None:
        return gradient
    peer.send(gradient)
    return (gradient + peer.recv()) / size


rows = numpy.load(os.path.join(args.data_dir, "rows.npy"))
labels = numpy.load(os.path.join(args.data_dir, "labels.npy"))
own, wanted = rows[rank::size], numpy.eye(labels.max() + 1)[labels[rank::size]]
weights = numpy.zeros((rows.shape[1], wanted.shape[1]))
for epoch in range(1, args.epochs + 1):
    for _ in range(40):
        scores = numpy.exp(own @ weights)
        gradient = own.T @ (scores / scores.sum(1, keepdims=True) - wanted) / len(own)
        weights -= 0.5 * averaged(gradient)
    print("epoch %d; accuracy: %.4f;" % (epoch, numpy.mean((rows @ weights).argmax(1) == labels)))
print("backend %s, %d hosts, weights %.9f" % (args.backend, size, numpy.abs(weights).sum()))
numpy.save(os.path.join(args.model_dir, "model.npy"), weights)
