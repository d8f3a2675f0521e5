"""What DeepEP and the ISCA'25 paper publish, and what railyard experts says of the same."""
import csv
import functools
import json
import os
import pathlib
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()
PUBLISHED = pathlib.Path(__file__).parents[1] / "published/deepep.csv"
H800 = "scenarios/collectives/deepep-h800.toml"
WORST = 0.15


def experts(*arguments, scenario=H800):
    return subprocess.run(
        [RAILYARD, "experts", "--scenario", str(scenario), *map(str, arguments)],
        capture_output=True,
        text=True,
    )


@functools.cache
def asked(*arguments, scenario=H800):
    result = experts(*arguments, "--json", "-", scenario=scenario)
    if result.returncode != 0:
        raise AssertionError(f"{arguments}: {result.stderr}")
    return json.loads(result.stdout)


def points(document):
    return {(p["ranks"], p["phase"]): p for p in document["points"]}


def predicted(row):
    """One row of a table of DeepEP: its GPU, its group, its model."""
    kernel = ["--low-latency"] if row["kernel"] == "low-latency" else []
    document = asked(
        "--ranks",
        row["ranks"],
        "--tokens",
        row["tokens"],
        "--hidden",
        row["hidden"],
        "--top-k",
        row["top_k"],
        *kernel,
        "--set",
        f"cluster.gpu={row['gpu']}",
        "--set",
        f"cluster.gpus_per_node={row['per_node']}",
    )
    return points(document)[int(row["ranks"]), row["phase"]]


class HeldAgainstRows(unittest.TestCase):
    def hold(self, version, kernel, rows):
        with PUBLISHED.open() as file:
            table = [
                row
                for row in csv.DictReader(file)
                if (row["version"], row["kernel"]) == (version, kernel)
            ]
        self.assertEqual(len(table), rows)
        for row in table:
            found = predicted(row)
            errors = {"GB/s": found["reported_GBs"] / float(row["reported_GBs"]) - 1}
            if row["time_us"]:
                errors["µs"] = found["time_us"] / float(row["time_us"]) - 1
            if os.environ.get("RAILYARD_SHOW_ROWS"):
                print(
                    f"{version} {row['gpu']} {kernel} EP{row['ranks']} {row['phase']}: published {row['reported_GBs']} GB/s {row['time_us']}, "
                    f"predicted {found['reported_GBs']:.1f} GB/s {found['time_us']:.1f} µs, "
                    + ", ".join(f"{unit} {error:+.1%}" for unit, error in errors.items())
                )
            for unit, error in errors.items():
                self.assertLessEqual(abs(error), WORST, (unit, row, found))
