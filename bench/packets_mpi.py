#!/usr/bin/env python3
"""One run of packets over several processes: one table of work, processes, processor time, waiting and memory.

bench/packets_mpi.py [--build FOLDER] [--processes 1,2,4] [--only small,large,whole]

Needs `./run --version && cmake --build build/release --target benches` and openmpi-bin. Fingerprints must be the same. Times are of
the run without building it: by the clock, and of the busiest process by its processor, which polls while it waits for others. On
a machine that others use the second tells more; what a quiet one would show lies between it and the closed form of decision 29.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MPIRUN = "mpirun --allow-run-as-root --oversubscribe --bind-to none -n".split()
WORK = {
    "small": ("1,024 hosts, 60 us", "permutation 1024 32 1000000 1 us=60"),
    "large": ("24,576 hosts, 20 us", "permutation 24576 32 1000000 1 us=20 pods=1024 cores=1024"),
    "whole": (
        "65,536 hosts, 256 KiB each",
        "permutation 65536 32 256 1 pods=1024 cores=1024",
    ),
}


def play(program, arguments, processes):
    """Fingerprint, seconds by the clock, rows of processes: processor seconds, waiting, MiB, bytes sent, messages."""
    words = [*(MPIRUN + [str(processes)] if processes > 1 else []), program, *arguments]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split() for line in lines]
    run = next(row for row in rows if row[0] != "process")
    parts = [[float(x) for x in row[2:]] for row in rows if row[0] == "process"]
    return run[12], float(run[4]), parts or [[float(run[5]), 0, float(run[10]), 0, 0]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--only", default="small,large,whole")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "bench/packets"
    if not program.exists():
        sys.exit(f"{program} is not there: cmake --build build/release --target benches")
    print(
        f"{'work':28}{'processes':>10}{'clock':>9}{'processor':>11}{'x':>6}{'waits':>8}{'MiB each':>10}{'MB sent':>9}"
    )
    for name in options.only.split(","):
        text, arguments = WORK[name]
        alone = None
        for processes in (int(word) for word in options.processes.split(",")):
            fingerprint, wall, parts = play(program, arguments.split(), processes)
            processor = max(part[0] for part in parts)
            alone = alone or (fingerprint, processor)
            if fingerprint != alone[0]:
                sys.exit(f"{text}: {processes} processes give another result")
            print(
                f"{text:28}{processes:>10}{wall:>9.2f}{processor:>11.2f}{alone[1] / processor:>6.2f}"
                f"{max(part[1] for part in parts) / wall:>8.0%}{max(part[2] for part in parts):>10.0f}"
                f"{sum(part[3] for part in parts) / 1e6:>9.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
