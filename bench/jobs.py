#!/usr/bin/env python3
"""Two jobs of 8,192 GPUs on one fabric of 16,384 against one of them there: processor time, by how they lie. Bar: 3 x.

jobs.py [RAILYARD] (default: build/release/railyard). A command for two plays each job alone and then both; what both take is that
without the jobs alone, and with the building of the fabric, which `check` tells. Every command is run three times, the least counts.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAILYARD = pathlib.Path(
    sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/railyard"
).resolve()
JOB = '[[job]]\nname = "{}"\ngpus = 8192\nplacement = {{ policy = "{}" }}\n'


def seconds(file, *command):
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    least = None
    for _ in range(3):
        before = spent()
        subprocess.run([RAILYARD, *command, file, "--quiet"], check=True)
        took = spent() - before
        least = took if least is None else min(least, took)
    return least


def main():
    base = f'extends = "{ROOT}/scenarios/llama3.toml"\n'
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "jobs.toml"
        run = ["run", "--no-advice", "--threads", "1"]
        print(f"{'placement':<14}{'one, s':>8}{'both, s':>9}{'ratio':>7}")
        for policy in ["in-order", "round-robin", "random"]:
            file.write_text(base + JOB.format("a", policy))
            one, build = seconds(file, *run), seconds(file, "check")
            file.write_text(base + JOB.format("a", policy) + JOB.format("b", policy))
            both = seconds(file, *run) - 2 * (one - build)
            print(f"{policy:<14}{one:>8.2f}{both:>9.2f}{both / one:>7.2f}")


main()
