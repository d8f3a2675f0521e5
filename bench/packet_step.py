#!/usr/bin/env python3
"""packet_step.py RAILYARD [64] [512]: training steps packet by packet, on all cores: time, packet-hops a second, memory, and how
far flows are from it. Bars: 64 GPUs within 2 minutes, 512 within 20, both within 5 % of flows where packets are spread."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

STEP = """
name = "{gpus} GPUs"
[model]
preset = "{model}"
sequence = 8192
[training]
global_batch = {batch}
[parallel]
tensor = {tensor}
pipeline = {pipeline}
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus = {gpus}
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = {leaf}
[routing]
policy = "{policy}"
[transport]
kind = "roce"
[engine]
fidelity = "packet"
"""
CASES = {
    64: {"model": "llama3-8b", "batch": 128, "tensor": 2, "pipeline": 1, "leaf": 16, "bar": 120},
    512: {"model": "llama3-70b", "batch": 256, "tensor": 8, "pipeline": 4, "leaf": 32, "bar": 1200},
}


def play(railyard, folder, gpus, policy):
    case = CASES[gpus]
    scenario, results = folder / "step.toml", folder / "step.json"
    scenario.write_text(STEP.format(gpus=gpus, policy=policy, **case))
    begin = time.monotonic()
    subprocess.run(
        [railyard, "run", scenario, "--no-advice", "--quiet", "--json", results],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.monotonic() - begin, json.loads(results.read_text())


def main():
    railyard = os.path.abspath(sys.argv[1])
    chosen = [int(word) for word in sys.argv[2:]] or sorted(CASES)
    print(
        f"{'GPUs':>5} {'routing':9} {'s':>7} {'bar':>6} {'M hops/s':>9} {'MB':>6} {'step s':>8} {'flows s':>8} {'ratio':>7}"
    )
    with tempfile.TemporaryDirectory() as name:
        for gpus in chosen:
            for policy in ("spray", "ecmp"):
                took, results = play(railyard, pathlib.Path(name), gpus, policy)
                packets = results["packets"]
                memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
                print(
                    f"{gpus:5} {policy:9} {took:7.1f} {CASES[gpus]['bar']:6} "
                    f"{packets['data_packet_hops'] / took / 1e6:9.1f} {memory:6.0f} {results['step_time_s']:8.3f} "
                    f"{packets['flow_step_time_s']:8.3f} {packets['ratio']:7.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
