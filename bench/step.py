#!/usr/bin/env python3
"""How fast a training step is built and played: one table. Figures to compare are ratios inside one run; machines are noisy.

bench/step.py [BINARY]    (default build/release/railyard; ./run builds it)

Columns: GPUs, seconds of the whole process (best of three), its peak memory, and the time against the smallest job of the same plan. The step of a
larger job has as many passes as that of one replica, so the last column should stay near 1 where only `gpus` grows.
"""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")


def measured(args):
    best, memory = float("inf"), 0
    for _ in range(3):
        start = time.perf_counter()
        child = subprocess.Popen(
            [BINARY, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        best, memory = min(best, time.perf_counter() - start), max(memory, usage.ru_maxrss)
        if status != 0:
            sys.exit(f"{' '.join(args)} failed")
    return best, memory / 1024


def main():
    start_up, _ = measured(["--version"])
    print(f"start-up (--version)   {start_up * 1e3:8.1f} ms")
    print(
        f"\n{'scenario':14}{'GPUs':>10}{'batch':>10}{'seconds':>10}{'MB':>8}{'against first':>15}"
    )
    for name, replica, batch, factors in [
        ("llama3", 128, 16, [16, 128, 1562]),
        ("deepseek-v3", 1024, 7680, [2, 20, 195]),
        ("grok4", 160, 20, [250, 1250]),
    ]:
        first = None
        for factor in factors:
            gpus, sequences = replica * factor, batch * factor
            args = [
                "run",
                "--no-advice",
                str(ROOT / f"scenarios/{name}.toml"),
                "--set",
                f"cluster.gpus={gpus}",
                "--set",
                f"training.global_batch={sequences}",
            ]
            seconds, memory = measured(args)
            first = first or seconds
            print(
                f"{name:14}{gpus:10,}{sequences:10,}{seconds:10.3f}{memory:8.0f}{seconds / first:14.2f}x"
            )
    seconds, memory = measured(["accuracy"])
    print(f"\naccuracy, all tables   {seconds:8.3f} s {memory:6.0f} MB")


main()
