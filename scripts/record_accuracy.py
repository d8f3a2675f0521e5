#!/usr/bin/env python3
"""Records how far predictions of published steps are off, by kind of model and engine: catalog/accuracy/recorded.toml, from
which reports say how sure they are.

record_accuracy.py RAILYARD writes the file. A test fails where it is not what `railyard accuracy` says today.
"""
import csv
import io
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "catalog" / "accuracy" / "recorded.toml"
HEAD = """# How far predicted step times are off, on published rows that no constant was set on: absolute errors of `railyard accuracy`.
# Written by scripts/record_accuracy.py; do not edit.
"""


def percentile(values, share):
    """The value that so many do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def predicted(railyard, engine):
    result = subprocess.run(
        [railyard, "accuracy", "--csv", "--engine", engine],
        capture_output=True,
        text=True,
        check=True,
    )
    return list(csv.DictReader(io.StringIO(result.stdout)))


def record(rows_of):
    """The file's text, of the rows that `rows_of` tells for an engine."""
    text = HEAD
    for engine in ("analytic", "flow"):
        counted = [
            row
            for row in rows_of(engine)
            if row["role"] == "validation" and row["excluded"] == "none"
        ]
        for kind in ("dense", "experts"):
            errors = [
                abs(float(row["error"]))
                for row in counted
                if row["table"].endswith("-experts") == (kind == "experts")
            ]
            text += f"""
[{kind}.{engine}]
rows = {len(errors)}
median = {statistics.median(errors):.3f}
p90 = {percentile(errors, 90):.3f}
"""
    return text


if __name__ == "__main__":
    FILE.write_text(record(lambda engine: predicted(sys.argv[1], engine)))
