"""Reads Parquet files of rows with pandas (Arrow) and DuckDB and compares each cell with what was written."""

import json
import shutil
import sys

import duckdb
import pandas

COLUMNS = {
    "key": "key",
    "record_index": "recordIndex",
    "line": "line",
    "id": "id",
    "truth": "truth",
    "prediction": "prediction",
    "score": "score",
    "top_k": "topK",
    "correct": "correct",
    "error": "error",
}


def with_pandas(file):
    frame = pandas.read_parquet(file, dtype_backend="pyarrow")
    return {name: [None if value is pandas.NA else value for value in frame[name]] for name in frame}


def with_duckdb(file):
    table = duckdb.read_parquet(file)
    rows = table.fetchall()
    return {name: [row[at] for row in rows] for at, name in enumerate(table.columns)}


passed = 0
failed = []
for line in sys.stdin:
    case = json.loads(line)
    if "done" in case:
        shutil.rmtree(case["done"])
        continue
    for reader in (with_pandas, with_duckdb):
        found = reader(case["file"])
        where = f"{case['name']}, {reader.__name__}"
        if list(found) != list(COLUMNS):
            failed.append(f"{where}: columns {list(found)}")
            continue
        for name, field in COLUMNS.items():
            wrong = [
                (at, mine, row.get(field))
                for at, (mine, row) in enumerate(zip(found[name], case["rows"]))
                if mine != row.get(field)
            ]
            if wrong or len(found[name]) != len(case["rows"]):
                failed.append(f"{where}: {name}: {len(found[name])} of {len(case['rows'])} rows, {wrong[:3]}")
            else:
                passed += 1
for line in failed[:40]:
    print(line)
print(f"Tests: {passed} passed, {len(failed)} failed (columns of Parquet files)")
sys.exit(1 if failed or passed == 0 else 0)
