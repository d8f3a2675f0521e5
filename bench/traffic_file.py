#!/usr/bin/env python3
"""Reading flows from a file: megabytes per second of `railyard check`, and that they do not fall as files grow.

bench/traffic_file.py [RAILYARD]
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

RAILYARD = sys.argv[1] if len(sys.argv) > 1 else "build/release/railyard"
HOSTS = 1024
SCENARIO = f"""name = "flows of a file"
[fabric]
topology = "star"
link_rate = "400 Gb/s"
switch_latency = "500 ns"
[cluster]
gpus = {HOSTS}
[traffic]
pattern = "file"
file = "flows.csv"
[engine]
fidelity = "flow"
"""


def write_flows(path, count):
    draw = random.Random(15)
    with open(path, "w") as out:
        out.write("start_us,source,destination,bytes\n")
        for i in range(count):
            source = draw.randrange(HOSTS)
            target = (source + 1 + draw.randrange(HOSTS - 1)) % HOSTS
            out.write(f"{i / 8:.3f},{source},{target},{draw.randrange(1, 1 << 20)}\n")


def seconds(*args):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([RAILYARD, *args], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    with tempfile.TemporaryDirectory() as folder:
        scenario, flows = pathlib.Path(folder) / "s.toml", pathlib.Path(folder) / "flows.csv"
        scenario.write_text(SCENARIO)
        write_flows(flows, 1)
        start_up = seconds("check", str(scenario))
        print(f"{'flows':>10}  {'MB':>6}  {'s':>6}  {'MB/s':>6}")
        for count in [10_000, 100_000, 1_000_000, 4_000_000]:
            write_flows(flows, count)
            size = flows.stat().st_size / 1e6
            took = seconds("check", str(scenario)) - start_up
            print(f"{count:10}  {size:6.1f}  {took:6.3f}  {size / took:6.0f}")


main()
