"""Sends rows of CSV to the model, and answers one row of scores a record, which batch transform joins with the record."""

import csv
import json


def input_handler(data, context):
    rows = csv.reader(data.read().decode("utf-8").splitlines())
    return json.dumps({"instances": [[float(cell) for cell in row] for row in rows if row]})


def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    rows = [row if isinstance(row, list) else [row] for row in json.loads(response.content)["predictions"]]
    return "".join(",".join(map(repr, row)) + "\n" for row in rows), "text/csv"
