#!/usr/bin/env python3
"""What exports cost: seconds of a run without and with each, and the share that it adds. One table.

bench/exports.py [BINARY] [--passes N] [--instructions]    (default build/release/railyard)

Processor time of the whole process, the best of N passes, on one thread: wall time of a machine that others use says little.
On a busy machine --instructions counts instead, with valgrind, against the bare run alone: the same in every pass, without what
the system does (of captures with whole frames, that is most), and zeros that one instruction writes count as one for each byte.
`bare` is a run that nobody reads (--quiet --no-advice), whose share shows what the export itself costs; `as typed` is the run
that people type, which tries changes for its advice. Exports are to cost less than 30 % of a run at default detail.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from instructions import millions_of

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


def processor_time(command, made=None):
    if made and made.is_file():
        made.unlink()  # each pass begins with nothing
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def instructions(command, made=None):
    """Millions that the program executes; what the system does for it is not among them."""
    if made and made.is_file():
        made.unlink()
    return millions_of(command, cwd=ROOT)


def all_best(commands, passes, measure):
    """The best of each, in turn, so that a busy moment falls on all of them."""
    best = [float("inf")] * len(commands)
    for _ in range(passes):
        for i, (command, made) in enumerate(commands):
            best[i] = min(best[i], measure(command, made))
    return best


def size_of(path):
    if path.is_dir():
        return sum(file.stat().st_size for file in path.iterdir())
    return path.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", default=str(ROOT / "build/release/railyard"))
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--instructions", action="store_true", help="count, under valgrind")
    arguments = parser.parse_args()
    counts = arguments.instructions
    measure = instructions if counts else processor_time
    unit = "millions" if counts else "seconds"
    print(f"{'run':24}{'export':28}{unit:>9}{'of bare':>9}{'as typed':>10}{'MB':>9}  met")
    with tempfile.TemporaryDirectory() as place:
        for name, scenario in RUNS:
            typed = [arguments.binary, "run", *scenario, "--threads", "1"]
            base = [*typed, "--no-advice", "--quiet"]
            captures = [] if "flow" in name else CAPTURES
            exports = [
                (option, pathlib.Path(place) / file, more)
                for option, file, *more in [*EXPORTS, *captures]
            ]
            commands = [([*base, option, str(file), *more], file) for option, file, more in exports]
            plain, *taken = all_best(
                [(base, None), *commands], 1 if counts else arguments.passes, measure
            )
            whole = None if counts else processor_time(typed)  # counting takes fifty times as long
            print(
                f"{name:24}{'none':28}{plain:9.3f}{'':9}"
                + (f"{whole:9.3f} s" if whole else f"{'-':>10}")
            )
            for (option, file, more), cost in zip(exports, taken):
                bare, added = cost / plain - 1, (cost - plain) / whole if whole else None
                met = "both" if bare < BAR else "as typed" if added and added < BAR else "NO"
                told = " ".join([option, file.name, *more[-1:]])
                print(
                    f"{'':24}{told:28}{cost:9.3f}{bare:9.1%}"
                    + (f"{added:10.1%}" if whole else f"{'-':>10}")
                    + f"{size_of(file) / 1e6:9.2f}  {met if whole or bare < BAR else 'NO'}"
                )


if __name__ == "__main__":
    main()
