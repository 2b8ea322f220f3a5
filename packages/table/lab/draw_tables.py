"""Draws tables with what people's tables have, one JSON object a line, each with its records as Python's csv reads them: draw_tables.py SEED COUNT [small]

`lenient` has what csv.reader gives without empty lines. `strict` has the records of a reader for which a line of blanks is none, each with the
line on which it begins; null where a quote never closes.
"""

import base64
import csv
import io
import json
import random
import sys

seed, count = int(sys.argv[1]), int(sys.argv[2])
small = "small" in sys.argv
draw = random.Random(seed)
TEXTS = ["a", "cat", "", "1", "-2.5", "1e-3", "é", "日本", "😀", " x", "y ", "\t", 'a"b', '"', '""', "nan", "line\nbreak", "cr\rx", "crlf\r\nx"]
TEXTS += [",", ";", "a,b", "o'clock", "\u2028", "0x1F", '"q"', ' "sp"', "\ufeff", " ", '"open']


def cell(odd):
    return draw.choice(TEXTS) if draw.random() < odd else str(round(draw.gauss(0, 1), 4))


def rows_of(text, delimiter):
    """Each row, its first line, and the lines that it was read from."""
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    for row in reader:
        yield row, before + 1, "".join(lines[before : reader.line_num])
        before = reader.line_num


def is_open(text, delimiter):
    """Whether what follows the text would lie within quotes."""
    *_, (row, _, _) = rows_of(text + "\nend", delimiter)
    return row != ["end"]


for _ in range(count):
    width = draw.choice([1, 1, 2, 3] if small else [1, 1, 2, 3, 3, 5, 31])
    height = draw.choice([0, 1, 2, 4] if small else [0, 1, 2, 5, 20])
    delimiter = draw.choice([",", ",", ",", ";", "\t", "|"])
    end = draw.choice(["\n", "\n", "\r\n", "\r"])
    odd = draw.choice([0, 0.1, 0.5])
    style = draw.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, None])
    out = io.StringIO()
    for _ in range(height):
        row = [cell(odd) for _ in range(width)]
        if style is None:
            out.write(delimiter.join(row) + end)
        else:
            csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=style).writerow(row)
        if draw.random() < 0.1:
            out.write(draw.choice(["", " ", "\t", "  "]) + end)
    text = out.getvalue()
    if draw.random() < 0.3:
        text = text.rstrip("\r\n")
    if draw.random() < 0.1:
        text = end * draw.choice([1, 2]) + text
    if draw.random() < 0.1:
        text += end * draw.choice([1, 2, 5])
    text = text.removeprefix("\ufeff")
    mark = b"\xef\xbb\xbf" if draw.random() < 0.15 else b""
    rows = list(rows_of(text, delimiter))
    strict = [
        {"line": line, "cells": row}
        for row, line, raw in rows
        if row and not (len(row) == 1 and raw.strip(" \t\r\n") == "")
    ]
    drawn = {
        "bytes": base64.b64encode(mark + text.encode()).decode(),
        "delimiter": delimiter,
        "lenient": [row for row, _, _ in rows if row],
        "strict": None if is_open(text, delimiter) else strict,
    }
    print(json.dumps(drawn))
