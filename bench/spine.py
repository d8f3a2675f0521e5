#!/usr/bin/env python3
"""How fast the spine is: one table. Figures to compare are ratios inside one run; machines are noisy.

bench/spine.py [BINARY]    (default build/release/railyard; ./run builds it)

Columns: messages of one ring all-reduce, seconds of the whole process (best of three), million messages a second, time per message against the
first row of the same placement (1.0 means that the cost per message does not grow with the size of the ring).
"""
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
SCENARIO = """name = "bench"
[collective]
kind = "all_reduce"
sizes = ["256 MiB"]
[cluster]
gpus = {gpus}
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 64
[placement]
policy = "{policy}"
"""


def timed(args):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([BINARY, *args], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    folder = ROOT / "build/bench-scratch"
    folder.mkdir(parents=True, exist_ok=True)
    start_up = timed(["--version"])
    print(f"start-up (--version)            {start_up * 1e3:8.1f} ms")
    print(
        f"check scenarios/first.toml      {timed(['check', str(ROOT / 'scenarios/first.toml')]) * 1e3:8.1f} ms"
    )
    print(
        f"\n{'placement':12}{'ranks':>8}{'messages':>14}{'seconds':>10}{'M msg/s':>10}{'per message':>13}"
    )
    for policy in ["in-order", "random"]:
        first = None
        for gpus in [256, 512, 1024, 2048]:
            path = folder / f"{policy}-{gpus}.toml"
            path.write_text(SCENARIO.format(gpus=gpus, policy=policy))
            messages = 2 * (gpus - 1) * gpus
            seconds = timed(["run", str(path), "--quiet"])
            cost = max(seconds - start_up, 1e-9) / messages
            first = first or cost
            print(
                f"{policy:12}{gpus:8}{messages:14,}{seconds:10.3f}{messages / seconds / 1e6:10.2f}{cost / first:12.2f}x"
            )


main()
