"""Converts the archive of CIFAR-10 to files for a pipeline, for train.py, and for training scripts.

    python prepare.py cifar-10-binary.tar.gz cifar10

Writes `png/<split>/<number>_<class>.png`, `tfrecords/<split>/<split>.tfrecords` (one plane after the other, as in SageMaker's
example) and `npy/<split>-images.npy` with `<split>-labels.npy`. Needs TensorFlow.
"""

import json
import os
import pathlib
import sys
import tarfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

CLASSES = json.loads((pathlib.Path(__file__).parent / "pipeline.json").read_text())["labels"]["classes"]
SPLITS = {
    "train": [f"data_batch_{number}.bin" for number in range(1, 5)],
    "validation": ["data_batch_5.bin"],
    "eval": ["test_batch.bin"],
}
RECORD = 1 + 3 * 32 * 32


def to_record(planes, label):
    """The image as bytes, and its label."""
    image = tf.train.Feature(bytes_list=tf.train.BytesList(value=[planes.tobytes()]))
    number = tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))
    example = tf.train.Example(features=tf.train.Features(feature={"image": image, "label": number}))
    return example.SerializeToString()


def main(archive, folder):
    folder = pathlib.Path(folder)
    with tarfile.open(archive) as tar:
        members = {pathlib.PurePosixPath(member.name).name: member for member in tar.getmembers()}
        for split, batches in SPLITS.items():
            for place in (folder / "png" / split, folder / "tfrecords" / split, folder / "npy"):
                place.mkdir(parents=True, exist_ok=True)
            rows = b"".join(tar.extractfile(members[name]).read() for name in batches)
            records = np.frombuffer(rows, np.uint8).reshape(-1, RECORD)
            labels, planes = records[:, 0].astype(np.int64), records[:, 1:]
            images = planes.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
            np.save(folder / "npy" / f"{split}-images.npy", np.ascontiguousarray(images))
            np.save(folder / "npy" / f"{split}-labels.npy", labels)
            with tf.io.TFRecordWriter(str(folder / "tfrecords" / split / f"{split}.tfrecords")) as writer:
                for number, label in enumerate(labels):
                    writer.write(to_record(planes[number], label))
                    png = folder / "png" / split / f"{number:05}_{CLASSES[label]}.png"
                    png.write_bytes(tf.io.encode_png(images[number]).numpy())
            print(f"{split}: {len(labels):,} images")


if __name__ == "__main__":
    main(*sys.argv[1:])
