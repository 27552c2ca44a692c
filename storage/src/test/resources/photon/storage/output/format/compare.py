"""Compares a Parquet file with the JSON lines that it was made of: compare.py FILE.parquet FILE.jsonl COLUMN=TYPE=PATH..."""
import json
import sys

import pyarrow.parquet

rows = pyarrow.parquet.read_table(sys.argv[1]).to_pylist()
with open(sys.argv[2], encoding="utf-8") as file:
    events = [json.loads(line) for line in file]
assert len(rows) == len(events), "%d rows, but %d lines" % (len(rows), len(events))
for number, (row, event) in enumerate(zip(rows, events)):
    for column in sys.argv[3:]:
        name, kind, path = column.split("=")
        value = event
        for step in path.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if value is not None and kind == "timestamp-micros":
            got = row[name]
            micros = round((got.timestamp() if hasattr(got, "timestamp") else got) * 1_000_000)
            assert micros == int(value), "line %d: %s is %r instead of %r" % (number, name, got, value)
            continue
        if value is not None:
            value = {"long": int, "double": float, "boolean": bool, "string": str, "json": lambda v: v}[kind](value)
        got = json.loads(row[name]) if kind == "json" and row[name] is not None else row[name]
        assert got == value, "line %d: %s is %r instead of %r" % (number, name, got, value)
print("%d rows are equal" % len(rows))
