#!/usr/bin/env python3
"""How time and memory grow with the size of a run: a table with fitted exponents, and a picture.

bench/growth.py [--build FOLDER] [--passes N] [--only steps,even,uneven,ring]
                [--svg FILE] [--table FILE]

Needs `./run --version`. Every figure is the least of N passes: processor time of all threads, and
the most memory the process had. An exponent b says that a figure grows as n^b over the sizes shown,
by least squares of logarithms; of memory, what the smallest size needs anyway is part of it. Steps
have bars: time n^1.3, memory n^1.1, between any two neighbouring sizes. Collectives in which
everybody sends to everybody have n^2 messages, and so has a ring: for these the table says what a
message costs.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BARS = {"time": 1.3, "memory": 1.1}
IN_ORDER = "placement.policy=in-order"
WIDE_LEAVES = "fabric.hosts_per_leaf=32"  # of which 128 spine ports hold 4,096 ranks


def step(policy):
    def args(gpus):
        sets = [f"cluster.gpus={gpus}", f"training.global_batch={gpus // 8}"]
        return ["llama3", *sets, f"routing.policy={policy}"]

    return args


def collective(kind, algorithm, *more):
    def args(ranks):
        sets = [f"collective.kind={kind}", f"collective.algorithm={algorithm}"]
        return ["first", *sets, 'collective.sizes=["1GiB"]', f"cluster.gpus={ranks}", *more]

    return args


# Name, group, arguments by n, sizes, messages by n (none: no bar per message).
CASES = [
    ("llama3 step, hashed", "steps", step("e-ecmp"), [1024, 4096, 16384, 65536, 131072], None),
    ("llama3 step, adaptive", "steps", step("adaptive"), [1024, 4096, 16384, 65536, 131072], None),
    (
        "even all-to-all, direct, hashed",
        "even",
        collective("all_to_all", "direct"),
        [128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "uneven all-to-all, direct, hashed",
        "uneven",
        collective("all_to_all", "direct", "collective.skew=1"),
        [32, 64, 96, 128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "uneven all-to-all, direct, hashed, flows",
        "uneven",
        collective("all_to_all", "direct", "collective.skew=1", "engine.fidelity=flow"),
        [32, 64, 96, 128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "uneven all-to-all, direct, hashed, in order",
        "uneven",
        collective("all_to_all", "direct", "collective.skew=1", IN_ORDER),
        [64, 128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "uneven all-to-all, direct, hashed, in order, flows",
        "uneven",
        collective("all_to_all", "direct", "collective.skew=1", IN_ORDER, "engine.fidelity=flow"),
        [64, 128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "even all-to-all, direct, hashed, flows",
        "even",
        collective("all_to_all", "direct", "engine.fidelity=flow"),
        [128, 256, 512, 1024],
        lambda n: n * (n - 1),
    ),
    (
        "direct all-reduce, hashed",
        "even",
        collective("all_reduce", "direct"),
        [32, 64, 128, 256, 512],
        lambda n: 2 * n * (n - 1),
    ),
    (
        "direct all-reduce, hashed, in order",
        "even",
        collective("all_reduce", "direct", IN_ORDER),
        [32, 64, 128, 256, 512],
        lambda n: 2 * n * (n - 1),
    ),
    (
        "ring all-reduce, hashed",
        "ring",
        collective("all_reduce", "ring"),
        [256, 512, 1024, 2048],
        lambda n: 2 * n * (n - 1),
    ),
    (
        "ring all-reduce, hashed, leaves of 32",
        "ring",
        collective("all_reduce", "ring", WIDE_LEAVES),
        [1024, 2048, 4096],
        lambda n: 2 * n * (n - 1),
    ),
    (
        "ring all-reduce, hashed, in order, leaves of 32",
        "ring",
        collective("all_reduce", "ring", WIDE_LEAVES, IN_ORDER),
        [1024, 2048, 4096],
        lambda n: 2 * n * (n - 1),
    ),
    (
        "ring all-reduce, adaptive, leaves of 32",
        "ring",
        collective("all_reduce", "ring", WIDE_LEAVES, "routing.policy=adaptive"),
        [1024, 2048, 4096],
        lambda n: 2 * n * (n - 1),
    ),
]


def measure(program, arguments):
    """Wall seconds, processor seconds, MB at most."""
    scenario, *sets = arguments
    command = [str(program), "run", str(ROOT / f"scenarios/{scenario}.toml"), "--no-advice"]
    for one in sets:
        command += ["--set", one]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    wall = time.perf_counter() - start
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least(program, arguments, passes):
    runs = [measure(program, arguments) for _ in range(passes)]
    return tuple(min(run[i] for run in runs) for i in range(3))


def exponent(points):
    """Of y over x, by least squares of logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    over = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return over / sum((x - mean_x) ** 2 for x, _ in logs)


def growth(points):
    """Over all sizes, and the most between two neighbours."""
    most = max(exponent(pair) for pair in zip(points, points[1:]))
    return exponent(points), most


def rows_of(case, points):
    """Lines of a Markdown table: one for every size, then the exponents."""
    name, group, _, _, messages = case
    for n, _, cpu, memory in points:
        each = "" if messages is None else f"{cpu / messages(n) * 1e9:,.0f} ns"
        yield f"| {name} | {n:,} | {cpu:.2f} s | {memory:.0f} MB | {each} |"
    of_time = growth([(p[0], p[2]) for p in points])
    of_memory = growth([(p[0], p[3]) for p in points])
    met = ""
    if group == "steps":
        good = of_time[1] <= BARS["time"] and of_memory[1] <= BARS["memory"]
        met = "bars met" if good else "bars NOT met"
    shown = [f"n^{over:.2f}, at most n^{most:.2f}" for over, most in (of_time, of_memory)]
    yield f"| **{name}: grows as** | | {shown[0]} | {shown[1]} | {met} |"


def main():
    parser = argparse.ArgumentParser(description="How time and memory grow.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--only", default="steps,even,uneven,ring")
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    lines = ["| what | n | processor time | memory | per message |", "|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    drawn = []
    for case in CASES:
        name, group, arguments, sizes, _ = case
        if group not in options.only.split(","):
            continue
        points = []
        for n in sizes:
            points.append((n, *least(options.build / "railyard", arguments(n), options.passes)))
            print(f"{name}, {n:,}: {points[-1][2]:.2f} s", file=sys.stderr, flush=True)
        drawn.append((name, points))
        for line in rows_of(case, points):
            lines.append(line)
            print(line, flush=True)
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    if options.svg:
        from growth_panels import draw

        options.svg.write_text(draw(drawn))


if __name__ == "__main__":
    main()
