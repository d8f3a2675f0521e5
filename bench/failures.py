#!/usr/bin/env python3
"""What failures cost a run over flows: processor seconds against the whole fabric's, one table.

bench/failures.py [BINARY]    (default build/release/railyard; ./run builds it)

Bars: a single failure at most 2 x the whole run, ten at most 4 x.
"""
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
SCENARIOS = ["llama3", "mi300x-llama3"]


def processor_seconds(scenario, failures):
    """Of the best of three runs."""
    command = [BINARY, "run", str(ROOT / f"scenarios/{scenario}.toml"), "--no-advice"]
    for name, value in failures:
        command += ["--set", f'failures."{name}"={value}']
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def main():
    print(f"{'scenario':16}{'failures':36}{'seconds':>9}{'ratio':>8}")
    for scenario in SCENARIOS:
        whole = processor_seconds(scenario, [])
        uplinks = [(f"leaf {i} uplink {k}", "down") for i in range(4) for k in range(2)]
        cases = {
            "none": [],
            "a spine": [("spine 0", "down")],
            "an uplink": [("leaf 0 uplink 0", "down")],
            "a NIC at half rate": [("gpu 5 port 0", '{rate="200 Gb/s"}')],
            "a spine for a while": [("spine 0", '{from="1 s", until="2 s"}')],
            "ten: two spines, eight uplinks": [("spine 0", "down"), ("spine 1", "down"), *uplinks],
        }
        for name, failures in cases.items():
            seconds = processor_seconds(scenario, failures)
            print(f"{scenario:16}{name:36}{seconds:9.2f}{seconds / whole:8.2f}")


main()
