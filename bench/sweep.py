#!/usr/bin/env python3
"""How fast sweeps are: points per second in closed form, what the layer adds to long points, and what a second core gives.

bench/sweep.py [PROGRAM] prints a table. Times of the layer are CPU seconds, so that others on the machine matter less.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/release/railyard"

JOB = """
name = "a small job"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 64
micro_batch = 1
[parallel]
tensor = 4
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[engine]
fidelity = "analytic"
"""
CLOSED = """[sweep.axes]
parallel.tensor = [2, 4, 8]
training.global_batch = { from = 32, to = 320, step = 32 }
model.sequence = { from = 1024, to = 8192, step = 1024 }
cluster.gpus = [32, 64]
training.tokens = { from = 1000000, to = 21000000, step = 1000000 }
"""
LONG = """
name = "packets"
[cluster]
gpus = 64
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
spines = 8
link_rate = "400 Gb/s"
switch_latency = "900 ns"
[traffic]
pattern = "permutation"
size = "200 MB"
[engine]
fidelity = "packet"
"""
POINTS = 6
SEEDS = f"[sweep]\nseeds = {POINTS}\n"


def timed(*words):
    """Wall and CPU seconds of the program."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "closed.toml").write_text(JOB + CLOSED)
        csv = str(path / "out.csv")
        wall, cpu = timed(
            "sweep", str(path / "closed.toml"), "--csv", csv, "--threads", "1", "--quiet"
        )
        print(
            f"10,080 points in closed form, one thread: {10080 / cpu:,.0f} points per CPU second ({10080 / wall:,.0f} by the clock)"
        )
        wall2, _ = timed(
            "sweep", str(path / "closed.toml"), "--csv", csv, "--threads", "2", "--quiet"
        )
        print(f"the same on two threads: {wall / wall2:.2f} times as fast by the clock")
        long = str(path / "long.toml")
        (path / "long.toml").write_text(LONG + SEEDS)
        start = timed("check", str(path / "closed.toml"), "--quiet")[1]
        alone = 0.0
        for seed in range(1, POINTS + 1):
            words = ("run", long, "--no-advice", "--threads", "1", "--quiet", "--seed", str(seed))
            alone += timed(*words)[1] - start
        wall, together = timed("sweep", long, "--csv", csv, "--threads", "1", "--quiet")
        together -= start
        print(
            f"{POINTS} points of {together / POINTS:.2f} CPU s: {alone:.2f} as single runs, {together:.2f} as a sweep"
        )
        print(f"what the sweep adds: {100 * (together / alone - 1):+.1f} %")
        wall2, _ = timed("sweep", long, "--csv", csv, "--threads", "2", "--quiet")
        print(f"the same on two threads: {wall / wall2:.2f} times as fast by the clock")


main()
