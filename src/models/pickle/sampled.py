"""The rows on which a script compares a converted model with its library, and the file of facts that it writes."""

import json
import math
import pathlib

import numpy as np

MOST_ROWS = 200
MISSING = ("", "nan", "NaN", "NA", "null")


def number(cell):
    """The number of a cell, NaN for a missing one; None for another text."""
    try:
        value = math.nan if cell.strip() in MISSING else float(cell)
    except ValueError:
        return None
    return None if math.isinf(value) else value


def rows_for(sample, width, columns, takes_missing):
    """Rows of the sample as the model takes them, and whether they are; drawn ones if none fit."""
    given = json.loads(pathlib.Path(sample).read_text())
    titles, cells = given["titles"], given["rows"][:MOST_ROWS]
    table = [[number(cell) for cell in row] for row in cells]
    numbers = [at for at in range(min(map(len, table), default=0)) if all(row[at] is not None for row in table)]
    named = [titles.index(name) for name in columns if name in titles]
    places = named if named else numbers
    if len(places) == width and set(places) <= set(numbers):
        rows = np.array([[row[at] for at in places] for row in table])
        kept = rows if takes_missing else rows[~np.isnan(rows).any(axis=1)]
        if len(kept) > 0:
            return kept, True
    return np.random.default_rng(0).normal(size=(MOST_ROWS, width)), False


def write_facts(folder, rows, answers, **facts):
    """Facts for inferdrop: answers are a list for each row."""
    cells = [[None if math.isnan(cell) else cell for cell in row] for row in rows.tolist()]
    answers = np.asarray(answers, dtype=float).reshape(len(rows), -1).tolist()
    text = json.dumps({**facts, "rows": cells, "answers": answers}, allow_nan=False)
    pathlib.Path(folder, "facts.json").write_text(text)
