#!/usr/bin/env python3
"""A search for a plan against trying every plan with all care: processor time, and whether the winner is the same. Bar: 20 x.

plan.py [RAILYARD] (default: build/release/railyard). The last row is the full space of Llama 3 405B on 16,384 GPUs alone: wall-clock
time on all cores, bar 60 s."""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAILYARD = pathlib.Path(
    sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/railyard"
).resolve()

JOB = """
name = "{model} on {gpus} GPUs"
[model]
preset = "{model}"
sequence = 8192
[training]
global_batch = {batch}
[parallel]
tensor = 8
pipeline = 2
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus = {gpus}
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 32
oversubscription = 2
[transport]
kind = "roce"
[routing]
policy = "ecmp"
[engine]
fidelity = "flow"
"""


def search(scenario, out, *more):
    """Processor seconds, seconds, and what was found."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([RAILYARD, "plan", scenario, "--quiet", "--json", out, *more], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, time.monotonic() - begin, json.loads(out.read_text())


def main():
    print(f"{'job':<26}{'plans':>8}{'search, s':>11}{'all, s':>9}{'ratio':>7}  winner")
    with tempfile.TemporaryDirectory() as folder:
        file, out = pathlib.Path(folder) / "job.toml", pathlib.Path(folder) / "plan.json"
        for model, gpus, batch in [("llama3-8b", 64, 128)]:
            file.write_text(JOB.format(model=model, gpus=gpus, batch=batch))
            quick, _, found = search(file, out)
            slow, _, proof = search(file, out, "--exhaustive")
            same = found["best"][0]["plan"] == proof["best"][0]["plan"]
            print(
                f"{model + ', ' + str(gpus):<26}{proof['levels'][-1]['timed']:>8}{quick:>11.1f}{slow:>9.1f}{slow / quick:>7.1f}"
                f"  {'the same' if same else 'ANOTHER'}",
                flush=True,
            )
        spent, took, found = search("llama3", out)
        print(
            f"{'llama3-405b, 16,384':<26}{found['points']:>8}{spent:>11.1f}  {took:.1f} s of wall-clock time"
        )


if __name__ == "__main__":
    main()
