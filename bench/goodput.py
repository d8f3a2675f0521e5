#!/usr/bin/env python3
"""How fast weeks of training are drawn: 10,000 runs of 90 days, by threads.

bench/goodput.py [BINARY]    (default build/release/railyard; ./run builds it)

Columns: threads, seconds of the whole process (best of three), interruptions drawn in a second. Figures to compare are ratios
inside one run; machines are noisy.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
RUNS = 10_000


def measured(threads):
    words = [BINARY, "goodput", str(ROOT / "scenarios/llama3-goodput.toml"), "--no-advice"]
    words += ["--days", "90", "--runs", str(RUNS), "--threads", str(threads), "--json", "-"]
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        found = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
        best = min(best, time.perf_counter() - start)
    return best, json.loads(found)["interruptions"]["mean"] * RUNS


print(
    f"{RUNS:,} runs of 90 days of llama3-goodput\n\n{'threads':>8}{'seconds':>10}{'interruptions/s':>18}"
)
for count in sorted({1, 2, os.cpu_count() or 1}):
    seconds, interruptions = measured(count)
    print(f"{count:8}{seconds:10.2f}{interruptions / seconds:18,.0f}")
