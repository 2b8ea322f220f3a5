"""Compares the decoders with TensorFlow's on random images of every format, intact, cut off and damaged.

    python compare_images.py NODE [--seed 1] [--jpegs 1200] [--others 80]
    python compare_images.py NODE --jpegs 150 --others 30 --write ../../test/fixtures/images.jsonl.gz

Draws images, decodes them by decode-images.ts and judges the answers; with --write, what `npm test` holds them against. Needs TensorFlow
2.21 and Pillow; cjpeg (libjpeg-turbo-progs) is used where it is installed.
"""

import argparse
import base64
import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from PIL import Image  # noqa: E402

from draw_images import FORMATS, JPEG_ENCODERS, Draw, cut, damaged  # noqa: E402

HERE = pathlib.Path(__file__).parent
JPEG_CALLS = [
    ("DecodeJpeg", {}),
    ("DecodeJpeg", {"dct_method": "INTEGER_ACCURATE"}),
    ("DecodeJpeg", {"channels": 3, "dct_method": "INTEGER_FAST"}),
    ("DecodeJpeg", {"channels": 1}),
    ("DecodeJpeg", {"ratio": 2}),
    ("DecodeJpeg", {"ratio": 4, "dct_method": "INTEGER_ACCURATE"}),
    ("DecodeJpeg", {"ratio": 8, "channels": 3}),
    ("DecodeJpeg", {"fancy_upscaling": False}),
    ("DecodeJpeg", {"acceptable_fraction": 0.3}),
    ("DecodeImage", {"expand_animations": False}),
    ("DecodeImage", {"dtype": "float32", "channels": 3}),
    ("DecodeImage", {"dtype": "uint16"}),
    ("DecodePng", {"channels": 4}),
]
RECOVERING = [
    ("DecodeJpeg", {"try_recover_truncated": True}),
    ("DecodeJpeg", {"try_recover_truncated": True, "channels": 3, "ratio": 4}),
    ("DecodeJpeg", {"try_recover_truncated": True, "dct_method": "INTEGER_ACCURATE", "fancy_upscaling": False}),
]
CALLS = [
    *[("DecodeImage", {"channels": channels}) for channels in (0, 1, 3, 4)],
    ("DecodeImage", {"expand_animations": False}),
    ("DecodeImage", {"dtype": "uint16"}),
    ("DecodeImage", {"dtype": "float32", "expand_animations": False}),
    ("DecodePng", {}),
    ("DecodePng", {"channels": 3, "dtype": "uint16"}),
    ("DecodePng", {"channels": 1, "dtype": "uint16"}),
    ("DecodeJpeg", {"channels": 3}),
    ("DecodeGif", {}),
    ("DecodeBmp", {}),
    ("DecodeBmp", {"channels": 3}),
    ("DecodeBmp", {"channels": 4}),
    ("DecodeWebP", {}),
    ("DecodeWebP", {"channels": 4}),
]
# A refusal of what TensorFlow would read over and over again; it cannot be asked, because with many files it never ends.
ENDLESS = "never complete"
# Refusals of what TensorFlow shows memory for that nothing was written to, or for which it writes outside of its own.
OVERFLOWING = "beyond its image"
UNDEFINED = ("amid frame", OVERFLOWING)
# Which sooner or later has this end.
FATAL = "error: TensorFlow's process ends"


def drawn(draw, jpegs, others, sharp):
    """(kind, bytes, calls) of each image."""
    encoders = list(JPEG_ENCODERS.items())
    intact = [(name, encode(draw)) for name, encode in (encoders[i % len(encoders)] for i in range(jpegs))]
    intact += sharp(draw, jpegs // 3)
    for name, data in intact:
        yield f"jpeg of {name}", data, JPEG_CALLS
    for _ in range(others):
        yield "jpeg, cut off", cut(draw, draw.one(*intact)[1]), JPEG_CALLS + RECOVERING
        yield "jpeg, damaged", damaged(draw, draw.one(*intact)[1]), JPEG_CALLS + RECOVERING
    for name, encode in FORMATS.items():
        for _ in range(others):
            data = encode(draw)
            yield name, data, CALLS
            yield f"{name}, damaged", draw.one(cut, damaged)(draw, data), CALLS


def sharp_encoder(node, folder):
    def encode(draw, count):
        requests = []
        for index in range(count):
            Image.fromarray(draw.picture()).save(folder / f"sharp-{index}.png")
            options = {
                "quality": draw.integer(1, 100),
                "mozjpeg": draw.chance(0.6),
                "chromaSubsampling": draw.one("4:4:4", "4:2:0"),
                "progressive": draw.chance(0.4),
                "gray": draw.chance(0.15),
            }
            requests.append({"source": f"sharp-{index}.png", "target": f"sharp-{index}.jpg", "options": options})
        (folder / "requests.json").write_text(json.dumps(requests))
        subprocess.run([node, str(HERE / "encode-with-sharp.ts"), str(folder)], check=True)
        kind = lambda options: "mozjpeg" if options["mozjpeg"] else "sharp"
        return [(kind(request["options"]), (folder / request["target"]).read_bytes()) for request in requests]

    return encode


class TensorFlow:
    """Answers from a process of its own: some damaged images end it."""

    def __init__(self):
        self.process = self.fatal = None

    def answer(self, data, call):
        top_down = data[:2] == b"BM" and data[25:26] >= b"\x80"
        if data is self.fatal or (top_down and call[1].get("dtype", "uint8") != "uint8"):
            return FATAL
        # What one image has written to may end the process amid another: that one is asked again.
        answer = self.ask(data, call) or self.ask(data, call)
        if not answer:
            self.fatal = data
        return answer or FATAL

    def ask(self, data, call):
        if self.process is None:
            command = [sys.executable, str(HERE / "tensorflow_answers.py")]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps([base64.b64encode(data).decode(), *call]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.process = None
        return line and json.loads(line)


def our_answers(node, folder, images):
    """A list for each image, of an answer to each of its calls."""
    for index, (_, data, _) in enumerate(images):
        (folder / f"{index:05}").write_bytes(data)
    (folder / "index.json").write_text(json.dumps([{"file": f"{i:05}", "calls": calls} for i, (_, _, calls) in enumerate(images)]))
    ours = subprocess.run([node, str(HERE / "decode-images.ts"), str(folder)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in ours.stdout.splitlines()]


def judge(options, folder):
    images = list(drawn(Draw(options.seed), options.jpegs, options.others, sharp_encoder(options.node, folder)))
    tensorflow, counts, wrong = TensorFlow(), collections.defaultdict(collections.Counter), []
    for index, ((kind, data, calls), answers) in enumerate(zip(images, our_answers(options.node, folder, images), strict=True)):
        for call, answer in zip(calls, answers, strict=True):
            verdict, expected = verdict_of(tensorflow, data, call, answer)
            counts[kind][verdict] += 1
            if verdict == "wrong":
                wrong.append(f"{index:05} {kind} {call}: {answer}, TensorFlow {expected}")
        counts[kind]["files"] += 1
    for kind, count in counts.items():
        print(f"{kind:20}", ", ".join(f"{name} {count[name]}" for name in ("files", "equal", "both refuse", "refused", "TensorFlow ends", "wrong")))
    print("\n".join(wrong[:60]))
    print(f"seed {options.seed}: {sum(c['files'] for c in counts.values())} files, {len(wrong)} wrong answers")
    return not wrong


def verdict_of(tensorflow, data, call, answer):
    if ENDLESS in answer or OVERFLOWING in answer:
        return "refused", ""
    expected = tensorflow.answer(data, call)
    if expected == FATAL:
        return "TensorFlow ends", expected
    failed = answer.startswith("error"), expected.startswith("error")
    if any(words in answer for words in UNDEFINED) and not failed[1]:
        return "refused", expected
    if all(failed):
        return "both refuse", expected
    return ("equal" if answer == expected else "wrong"), expected


def write(options, folder):
    """A few small images of each kind, so that the file stays small."""
    kept, images = collections.Counter(), []
    for image in drawn(Draw(options.seed), options.jpegs, options.others, sharp_encoder(options.node, folder)):
        if len(image[1]) <= 2000 and kept[image[0]] < 25:
            images.append(image)
            kept[image[0]] += 1
    tensorflow = TensorFlow()
    with gzip.GzipFile(options.write, "wb", mtime=0) as file:
        for (kind, data, calls), ours in zip(images, our_answers(options.node, folder, images), strict=True):
            refused = [any(words in our for words in (ENDLESS, *UNDEFINED)) for our in ours]
            theirs = ["error" if one else tensorflow.answer(data, call) for call, one in zip(calls, refused)]
            answers = [[*call, their if their[:5] != "error" else "error"] for call, their in zip(calls, theirs) if their != FATAL]
            line = {"kind": kind, "bytes": base64.b64encode(data).decode(), "answers": answers}
            file.write(json.dumps(line).encode() + b"\n")
    print(dict(kept))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("node")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jpegs", type=int, default=1200)
    parser.add_argument("--others", type=int, default=80)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.write:
            write(options, pathlib.Path(folder))
        else:
            sys.exit(0 if judge(options, pathlib.Path(folder)) else 1)


if __name__ == "__main__":
    main()
