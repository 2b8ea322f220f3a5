"""PipeModeDataset over the FIFOs of a channel, one an epoch."""

import json
import os
import time

from .records import FORMATS, read_records

_OPEN_SECONDS = 60


class PipeModeDatasetException(Exception):
    """The channel is not in Pipe mode."""


def next_pipe(channel, state_dir, pipe_dir):
    """Opens the FIFO of the next epoch; how far the channel is stands in a file, for all readers of the host."""
    os.makedirs(state_dir, exist_ok=True)
    state = os.path.join(state_dir, channel)
    epoch = 0
    if os.path.exists(state):
        with open(state) as file:
            epoch = int(file.read()) + 1
    path = os.path.join(pipe_dir, "%s_%d" % (channel, epoch))
    end = time.monotonic() + _OPEN_SECONDS
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise FileNotFoundError("no pipe for epoch %d of channel %s: %s" % (epoch, channel, path))
        time.sleep(0.02)
    with open(state, "w") as file:
        file.write(str(epoch))
    return open(path, "rb", buffering=1 << 16)


def PipeModeDataset(  # noqa: N802, the name is AWS's
    channel,
    record_format="RecordIO",
    state_dir="/opt/ml/pipe_state",
    pipe_dir="/opt/ml/input/data",
    config_dir="/opt/ml/input/config",
    max_corrupted_records_to_skip=0,
):
    """A tf.data.Dataset of the records' bytes; each turn of `repeat()` is the next epoch of the channel."""
    import tensorflow as tf

    if record_format not in FORMATS:
        raise ValueError("record_format must be one of %s, is %r" % (", ".join(FORMATS), record_format))
    if max_corrupted_records_to_skip:
        raise ValueError("max_corrupted_records_to_skip must be 0 on this computer, is %r" % max_corrupted_records_to_skip)
    with open(os.path.join(config_dir, "inputdataconfig.json")) as file:
        mode = json.load(file).get(channel, {}).get("TrainingInputMode", "")
    if mode.lower() != "pipe":
        raise PipeModeDatasetException("Channel %s is not a PipeMode channel" % channel)

    def records():
        with next_pipe(channel, state_dir, pipe_dir) as stream:
            yield from read_records(stream, record_format)

    return tf.data.Dataset.from_generator(records, tf.string, tf.TensorShape([]))
