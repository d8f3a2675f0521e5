#!/usr/bin/env python3
"""How fast fabrics are built and collectives are run: two tables. Figures to compare are ratios inside one run; machines are noisy.

bench/fabric.py [BINARY]    (default build/release/railyard; ./run builds it)

Fabrics: seconds and peak memory of `railyard fabric` as a whole, against the smallest; the bar is 200,000 GPUs in under 2 s and 1 GB.
Collectives: a library's sweep over 32 sizes, which grows with the number of nodes, and a played ring, which grows with its messages.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
CLUSTER = """name = "bench"
[cluster]
gpu = "H100-SXM-80"
gpus = {gpus}
gpus_per_node = 8
host_nics_per_node = 1
nic = "BlueField-3"
[fabric]
topology = "clos3"
rails = true
switch = "Spectrum-4"
[routing]
policy = "{policy}"
"""


def measured(args, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bench.toml"
        path.write_text(text)
        best, memory = float("inf"), 0
        for _ in range(3):
            start = time.perf_counter()
            child = subprocess.Popen(
                [BINARY, *(str(path) if a == "FILE" else a for a in args)],
                stdout=subprocess.DEVNULL,
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
            best, memory = min(best, time.perf_counter() - start), max(memory, usage.ru_maxrss)
            if status != 0:
                sys.exit(f"{' '.join(args)} failed")
    return best, memory / 1024


def main():
    print(f"{'railyard fabric':34}{'GPUs':>10}{'seconds':>10}{'MB':>8}{'against first':>15}")
    first = None
    for gpus in [2048, 16384, 65536, 200000]:
        seconds, memory = measured(["fabric", "FILE"], CLUSTER.format(gpus=gpus, policy="adaptive"))
        first = first or seconds
        print(
            f"{'three tiers, rails, nine NICs':34}{gpus:10,}{seconds:10.3f}{memory:8.0f}{seconds / first:14.1f}x"
        )
    print(
        f"\n{'railyard collective, 32 sizes':34}{'GPUs':>10}{'seconds':>10}{'MB':>8}{'against first':>15}"
    )
    for kind, policy, sizes in [
        ("all_reduce", "adaptive", [256, 2048, 16384]),
        ("all_reduce", "ecmp", [256, 2048, 16384]),
        ("all_to_all", "adaptive", [256, 2048]),
    ]:
        first = None
        for gpus in sizes:
            args = [
                "collective",
                kind,
                "-b",
                "8",
                "-e",
                "16G",
                "-f",
                "2",
                "--scenario",
                "FILE",
                "--threads",
                "1",
            ]
            seconds, memory = measured(args, CLUSTER.format(gpus=gpus, policy=policy))
            first = first or seconds
            print(
                f"{kind + ', ' + policy:34}{gpus:10,}{seconds:10.3f}{memory:8.0f}{seconds / first:14.1f}x"
            )


main()
