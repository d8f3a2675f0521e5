#!/usr/bin/env python3
"""What exports cost: seconds of a run without and with each, and the share that it adds. One table.

bench/exports.py [BINARY] [--passes N]    (default build/release/railyard)

Processor time of the whole process, the best of N passes, on one thread: wall time of a machine that others use says little.
`bare` is a run that nobody reads (--quiet --no-advice), whose share shows what the export itself costs; `as typed` is the run
that people type, which tries changes for its advice. Exports are to cost less than 30 % of a run at default detail.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BAR = 0.30
RUNS = [
    ("packets/incast", ["scenarios/packets/incast.toml"]),
    ("packets/permutation", ["scenarios/packets/permutation.toml"]),
    ("failures/pause-storm", ["scenarios/failures/pause-storm.toml"]),
    ("llama3 over flows", ["scenarios/llama3.toml", "--set", "engine.fidelity=flow"]),
]
EXPORTS = [
    ("--json", "results.json"),
    ("--metrics", "metrics.om"),
    ("--metrics", "metrics.prom"),
    ("--trace", "trace.json"),
    ("--trace", "trace.json.gz"),
    ("--csv", "tables"),
    ("--db", "runs.sqlite"),
]
CAPTURES = [
    ["--pcap", "frames.pcapng"],
    ["--pcap", "frames.pcapng.gz"],
    ["--pcap", "headers.pcapng", "--pcap-snaplen", "96"],
]


def processor_time(command, passes, made=None):
    best = float("inf")
    for _ in range(passes):
        if made and made.is_file():
            made.unlink()  # each pass begins with nothing
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status != 0:
            sys.exit(f"{' '.join(command)} failed")
        best = min(best, usage.ru_utime + usage.ru_stime)
    return best


def size_of(path):
    if path.is_dir():
        return sum(file.stat().st_size for file in path.iterdir())
    return path.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", default=str(ROOT / "build/release/railyard"))
    parser.add_argument("--passes", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'run':24}{'export':28}{'seconds':>9}{'of bare':>9}{'as typed':>10}{'MB':>9}  met")
    with tempfile.TemporaryDirectory() as place:
        for name, scenario in RUNS:
            typed = [arguments.binary, "run", *scenario, "--threads", "1"]
            base = [*typed, "--no-advice", "--quiet"]
            plain = processor_time(base, arguments.passes)
            whole = processor_time(typed, 1)
            print(f"{name:24}{'none':28}{plain:9.3f}{'':9}{whole:9.3f} s")
            captures = [] if "flow" in name else CAPTURES
            for option, file, *more in [*EXPORTS, *captures]:
                target = pathlib.Path(place) / file
                taken = processor_time(
                    [*base, option, str(target), *more], arguments.passes, target
                )
                bare, added = taken / plain - 1, (taken - plain) / whole
                met = "both" if bare < BAR else "as typed" if added < BAR else "NO"
                print(
                    f"{'':24}{option + ' ' + file:28}{taken:9.3f}{bare:9.1%}{added:10.1%}{size_of(target) / 1e6:9.2f}  {met}"
                )


if __name__ == "__main__":
    main()
