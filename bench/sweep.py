#!/usr/bin/env python3
"""How fast sweeps are: points per second in closed form, what the layer adds to long points, and what a second core gives.

bench/sweep.py [PROGRAM] prints a table. bench/sweep.py --instructions [PROGRAM] counts what the layer adds under valgrind
instead: times of long points differ by more than it from one pass to the next.
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile
import time

from instructions import millions_of

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
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor_time(*words):
    return timed(*words)[1]


def alone_and_together(measure, program, path):
    """What the points of a sweep take as runs of their own and as one sweep, both less the start of the program."""
    long = str(path / "long.toml")
    start = measure(program, "check", str(path / "closed.toml"), "--quiet")
    alone = 0.0
    for seed in range(1, POINTS + 1):
        words = ("run", long, "--no-advice", "--threads", "1", "--quiet", "--seed", str(seed))
        alone += measure(program, *words) - start
    csv = str(path / "out.csv")
    together = measure(program, "sweep", long, "--csv", csv, "--threads", "1", "--quiet") - start
    return alone, together


def closed_forms(program, path):
    csv = str(path / "out.csv")
    words = (program, "sweep", str(path / "closed.toml"), "--csv", csv, "--quiet", "--threads")
    wall, cpu = timed(*words, "1")
    print(
        f"10,080 points in closed form, one thread: {10080 / cpu:,.0f} points per CPU second ({10080 / wall:,.0f} by the clock)"
    )
    wall2, _ = timed(*words, "2")
    print(f"the same on two threads: {wall / wall2:.2f} times as fast by the clock")


def long_points(program, path):
    alone, together = alone_and_together(processor_time, program, path)
    print(
        f"{POINTS} points of {together / POINTS:.2f} CPU s: {alone:.2f} as single runs, {together:.2f} as a sweep"
    )
    print(f"what the sweep adds: {100 * (together / alone - 1):+.1f} %")
    words = (program, "sweep", str(path / "long.toml"), "--csv", str(path / "out.csv"), "--quiet")
    wall, _ = timed(*words, "--threads", "1")
    wall2, _ = timed(*words, "--threads", "2")
    print(f"the same on two threads: {wall / wall2:.2f} times as fast by the clock")


def counted(program, path):
    alone, together = alone_and_together(lambda *words: millions_of(words), program, path)
    print(
        f"{POINTS} points of {together / POINTS:,.0f} M instructions: {alone:,.1f} as single runs, {together:,.1f} as a sweep"
    )
    print(f"what the sweep adds: {100 * (together / alone - 1):+.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default="build/release/railyard")
    parser.add_argument("--instructions", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "closed.toml").write_text(JOB + CLOSED)
        (path / "long.toml").write_text(LONG + SEEDS)
        if asked.instructions:
            counted(asked.program, path)
        else:
            closed_forms(asked.program, path)
            long_points(asked.program, path)


if __name__ == "__main__":
    main()
