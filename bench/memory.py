#!/usr/bin/env python3
"""What runs were expected to need in memory, and what they needed: a table of many.

bench/memory.py [--build FOLDER] [--only NAME,…] [--table FILE]

Needs `./run --version`. `expected` is `memory_bytes` of the results, `used` the most memory that the
process had. An estimate is an upper bound, and at most twice what is used where that is 50 MB or
more: below that the program itself counts most. `--only` takes parts of names. Exits with 1 if a
run breaks these bars.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGE = 50e6  # bytes: from here on a factor of two holds
FABRIC = """name = "memory"
[cluster]
gpus = 512
[fabric]
topology = "leaf-spine"
radix = 2048
hosts_per_leaf = 64
spines = 16
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "500 ns"
host_latency = "1 us"
"""
COLLECTIVE = FABRIC + '[collective]\nkind = "all_reduce"\nsizes = ["1 MiB"]\n'
TRAFFIC = FABRIC + '[traffic]\npattern = "all-to-all"\nsize = "1 kB"\n'


def collective(kind, algorithm, ranks, engine, *more):
    sets = [f"collective.kind={kind}", f"collective.algorithm={algorithm}"]
    name = f"{kind}, {algorithm}, {ranks:,} ranks, {engine}"
    keys = [*sets, f"cluster.gpus={ranks}", f"engine.fidelity={engine}", *more]
    return (", ".join([name, *more]), COLLECTIVE, keys)


def traffic(pattern, ranks, engine, *more):
    keys = [f"traffic.pattern={pattern}", f"cluster.gpus={ranks}", f"engine.fidelity={engine}"]
    name = f"traffic, {pattern}, {ranks:,} hosts, {engine}"
    return (", ".join([name, *more]), TRAFFIC, [*keys, *more])


def llama(gpus, *more, batch=None):
    keys = [f"cluster.gpus={gpus}", f"training.global_batch={batch or gpus // 8}", *more]
    name = f"llama3 step, {gpus:,} GPUs" + (f", batch {batch:,}" if batch else "")
    return (", ".join([name, *more]), "llama3", keys)


def shipped(scenario, *keys):
    return (", ".join([f"{scenario} step", *keys]), scenario, list(keys))


def deepseek(gpus, *more):
    keys = [f"cluster.gpus={gpus}", f"training.global_batch={gpus * 15 // 2}", *more]
    return (", ".join([f"deepseek-v3 step, {gpus:,} GPUs", *more]), "deepseek-v3", keys)


def piece(length, *keys):
    name = ", ".join([f"slice of {length}", *keys])
    return (name, "packets/gradients", [f"slice.length={length}", *keys])


ANALYTIC, EXACT = "engine.fidelity=analytic", "engine.mode=exact"
ONE_QP, ADAPTIVE = "transport.qps_per_connection=1", "routing.policy=adaptive"
RANDOM = "placement.policy=random"
CASES = [
    collective("all_reduce", "halving-doubling", 16384, "analytic"),
    collective("all_reduce", "halving-doubling", 16384, "flow"),
    collective("all_reduce", "ring", 2048, "analytic"),
    collective("all_to_all", "direct", 512, "analytic"),
    collective("all_to_all", "direct", 512, "analytic", "collective.skew=1"),
    collective("all_to_all", "direct", 384, "flow"),
    collective("all_to_all", "direct", 128, "packet"),
    traffic("all-to-all", 512, "analytic"),
    traffic("all-to-all", 256, "flow"),
    traffic("all-to-all", 256, "packet"),
    traffic("all-to-all", 256, "packet", "transport.kind=uec"),
    traffic("permutation", 2048, "packet", "traffic.size=1 MB"),
    llama(1024),
    llama(16384),
    llama(65536),
    llama(131072),
    llama(131072, ADAPTIVE),
    llama(131072, ANALYTIC),
    llama(65536, ONE_QP),
    llama(65536, ADAPTIVE, RANDOM),
    llama(16384, RANDOM),
    llama(16384, ONE_QP, RANDOM),
    llama(4096, ONE_QP, EXACT),
    llama(4096, EXACT),
    llama(4096, 'failures.spine 0={from="1 s",until="3 s"}'),
    llama(1024, batch=16384),
    llama(1024, batch=65536),
    llama(1024, ANALYTIC, batch=65536),
    llama(16384, "parallel.zero=3"),
    llama(16384, "parallel.context=4", "model.sequence=32768"),
    shipped("grok4"),
    shipped("grok4", "routing.policy=ecmp"),
    shipped("grok4", ANALYTIC),
    shipped("gpt4"),
    shipped("deepseek-v2"),
    shipped("trillion"),
    shipped("jitter"),
    deepseek(2048),
    deepseek(16384),
    deepseek(16384, RANDOM),
    deepseek(2048, EXACT),
    llama(1024, ONE_QP),
    llama(2048, ONE_QP, EXACT, batch=64),
    piece("200 us"),
    piece("5 ms"),
    piece("2 ms", "cluster.gpus=512", "training.global_batch=512"),
    piece("2 ms", "cluster.gpus=512", "training.global_batch=512", ADAPTIVE),
]


def measure(program, scenario, keys):
    """Bytes expected and used; none where a run is refused."""
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        path = ROOT / f"scenarios/{scenario}.toml"
        if "\n" in scenario:
            path = folder / "s.toml"
            path.write_text(scenario)
        command = [
            str(program),
            "run",
            str(path),
            "--json",
            str(folder / "r.json"),
            "--quiet",
            "--no-advice",
        ]
        for key in keys:
            command += ["--set", key]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status != 0:
            print(errors.strip().splitlines()[-1:], file=sys.stderr)
            return None
        results = json.loads((folder / "r.json").read_text())
    return results.get("memory_bytes", 0), usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description="What runs were expected to need in memory.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--only", default="")
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    lines = ["| what | expected | used | ratio |", "|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    broken = 0
    for name, scenario, keys in CASES:
        if not any(part in name for part in options.only.split(",")):
            continue
        figures = measure(options.build / "railyard", scenario, keys)
        row = f"| {name} | | refused | |"
        if figures is not None:
            expected, used = figures
            ratio = expected / used
            bad = ratio < 1 or (used >= LARGE and ratio > 2)
            broken += bad
            mark = " **no**" if bad else ""
            row = f"| {name} | {expected / 1e6:.0f} MB | {used / 1e6:.0f} MB | {ratio:.2f}{mark} |"
        lines.append(row)
        print(row, flush=True)
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
