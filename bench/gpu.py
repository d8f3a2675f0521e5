#!/usr/bin/env python3
"""Packets on a GPU against one core: data packet-hops per second, and whether both give the same.

bench/gpu.py [--build FOLDER] [--passes N] [--only permutation,incast,large] [--device cuda|emulated]

Needs `./run --version && cmake --build build/release --target benches`, and an NVIDIA GPU. Rates are by wall time, the best of N
passes, without what it takes to build the fabric. A GPU simulates a longer time than a core: messages do not end in it. The
fingerprints are those of one run of the same, shorter, time on both.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENDLESS = "1000000"  # KiB
LARGE = ["pods=1024", "cores=1024"]
WORK = [  # name, title, arguments, microseconds on a GPU, on a core, on both
    ("permutation", "1,024 hosts, permutation", ["permutation", "1024"], [], 1000, 200, 50),
    ("incast", "1,024 hosts, groups of 32:1", ["incast:32", "1024"], [], 1000, 200, 50),
    ("large", "24,576 hosts, permutation", ["permutation", "24576"], LARGE, 100, 20, 10),
]


def run(program, pattern, keys, device, duration):
    """Million data packet-hops per second of wall time, fingerprint."""
    command = [program, *pattern, "32", ENDLESS, "1", *keys, f"us={duration}", f"device={device}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[1:])}: {done.stderr.strip()[-300:] or done.returncode}")
    out = done.stdout.split()
    return float(out[6]), out[12]


def has_gpu():
    """The driver is all that a GPU needs; whether it has one shows when it is asked."""
    import ctypes

    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--only", default="permutation,incast,large")
    parser.add_argument("--device", choices=["cuda", "emulated"], default="cuda")
    options = parser.parse_args()
    program = str(pathlib.Path(options.build) / "bench/packets")
    if not pathlib.Path(program).exists():
        sys.exit(f"{program} is not there: cmake --build build/release --target benches")
    if options.device == "cuda" and not has_gpu():
        print("There is no NVIDIA GPU here, or no driver: nothing is measured.")
        return
    print(f"{'work':32}{'one core':>12}{'GPU':>12}{'ratio':>8}  same fingerprint")
    for name, title, pattern, keys, long, short, both in WORK:
        if name not in options.only.split(","):
            continue

        def best(device, duration):
            return max(
                run(program, pattern, keys, device, duration)[0] for _ in range(options.passes)
            )

        core, gpu = best("cpu", short), best(options.device, long)
        prints = {run(program, pattern, keys, d, both)[1] for d in ("cpu", options.device)}
        same = "yes" if len(prints) == 1 else "NO"
        print(f"{title:32}{core:8.1f} M/s{gpu:8.1f} M/s{gpu / core:8.1f}  {same}", flush=True)


if __name__ == "__main__":
    main()
