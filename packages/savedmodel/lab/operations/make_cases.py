"""Writes random cases with TensorFlow's answers, one file a family.

    python make_cases.py FOLDER [--seed 1] [--count 200] [--each 20] [--chains 1500] [--family NAME]

With ../../test/fixtures/cases and nothing else this writes what the repository holds. Needs TensorFlow 2.21.
"""

import argparse
import os
import pathlib
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

from tensorflow.python.autograph.core import ag_ctx  # noqa: E402

from cases import write_cases  # noqa: E402
from draw import Draw  # noqa: E402
from places import placed  # noqa: E402
from table import FAMILIES  # noqa: E402

# As many cases share a file, so that neither a graph nor its answers grow large.
CHUNK = 1000
# A chain is one of many: they are counted for themselves, and in files that can be written one by one.
CHAINS = "rewritten chains"
CHAINS_CHUNK = 250


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--each", type=int, default=20, help="the fewest cases of an operation, however many share a family")
    parser.add_argument("--chains", type=int, help="six times as many as other cases, unless it is given")
    parser.add_argument("--family", action="append")
    parser.add_argument("--part", type=int, help="only this file of each family")
    parser.add_argument("--placed", action="store_true", help="in functions, branches, loops and maps")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.family or FAMILIES:
        operations = list(FAMILIES[name].items())
        # Some more, for models that TensorFlow does not build.
        total, chunk = max(int(options.count * 1.25), options.each * len(operations)), CHUNK
        if name == CHAINS:
            total, chunk = options.chains or 6 * total, CHAINS_CHUNK
        for start in range(0, total, chunk):
            if options.part not in (None, start // chunk):
                continue
            draw = Draw([options.seed, zlib.crc32(name.encode()), start])
            drawn = [(operations[i % len(operations)][0], operations[i % len(operations)][1](draw)) for i in range(start, min(total, start + chunk))]
            suffix = f"-{start // chunk}" if total > chunk else ""
            if options.placed:
                drawn = [(operation, placed(draw, case)) for operation, case in drawn]
            file = options.folder / f"{name.replace(' ', '-')}{suffix}.gz"
            # No case is Python that AutoGraph would rewrite, and reading its source takes longer than building it. map_fn asks the context.
            with ag_ctx.ControlStatusCtx(ag_ctx.Status.DISABLED):
                count = write_cases(file, draw, drawn)
            print(f"{name}: {count} cases, seed {options.seed}", flush=True)


if __name__ == "__main__":
    main()
