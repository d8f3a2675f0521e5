#!/usr/bin/env python3
"""How fast flows are: one table of work, bar and what was measured. Ratios are taken inside one run; machines are noisy.

bench/flow.py [--build FOLDER] [--large] [--passes N] [--only solve,simgrid,run,growth] [--plot FILE.svg]

Needs `./run --version && cmake --build build/release --target benches`; compares with SimGrid where libsimgrid-dev was there at that time.
Every figure is the best of N passes, in wall time and in processor time of all threads: on a machine that others use, the second
is nearer to what a quiet one would show. A bar is met if the wall time meets it; "by processor time" says that only that does.
--large runs SimGrid on 101,568 hosts, which takes minutes; else the figure is the log's. --plot draws the growth of steps.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGE_IN_LOG = 341  # processor seconds of SimGrid on 101,568 hosts (bench/README.md), where --large is not given
SIZES = [1024, 4096, 16384, 65536, 199936]


def note(text):
    print(text, file=sys.stderr)


def row(work, bar, measured, met):
    print(f"{work:66}{bar:>15}  {measured:44}{met}", flush=True)


def verdict(wall, cpu, bar):
    return "yes" if wall <= bar else "by processor time" if cpu <= bar else "NO"


def ratio_verdict(wall, cpu, bar):
    return "yes" if wall >= bar else "by processor time" if cpu >= bar else "NO"


def process(command):
    """Wall seconds, processor seconds, MB at most, what it printed."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = status
        if status != 0:
            sys.exit(f"{' '.join(command)} failed")
        out.seek(0)
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read().decode()


def best(command, passes):
    runs = [process(command) for _ in range(passes)]
    return min(r[0] for r in runs), min(r[1] for r in runs), max(r[2] for r in runs)


def solve(build, passes):
    """Medians of five from Google Benchmark, the least of `passes` of them."""
    least = {}
    for _ in range(passes):
        command = [
            str(build / "src/engine_bench"),
            "--benchmark_filter=^(solve_permutations|remove_and_add_a_flow)/",
            "--benchmark_format=json",
        ]
        for one in json.loads(process(command)[3])["benchmarks"]:
            if one["aggregate_name"] != "median":
                continue
            before = least.get(one["run_name"], (math.inf, math.inf))
            least[one["run_name"]] = (
                min(before[0], one["real_time"]),
                min(before[1], one["cpu_time"]),
            )
    by_name = {name.split("/repeats")[0]: value for name, value in least.items()}
    for name, flows, bar in [
        ("24576/24576", 24_576, 3),
        ("200000/200000", 200_000, 30),
        ("200000/1000000", 1_000_000, 450),
    ]:
        wall, cpu = by_name[f"solve_permutations/{name}"]
        row(
            f"one solve, {flows:,} flows, hashed, 3-tier Clos, one core",
            f"{bar} ms",
            f"{wall:.1f} ms wall, {cpu:.1f} ms processor",
            verdict(wall, cpu, bar),
        )
    wall, cpu = (t / 2 for t in by_name["remove_and_add_a_flow/200000/200000"])
    row(
        "one flow added or removed among 200,000",
        "10 us",
        f"{wall:.1f} us wall, {cpu:.1f} us processor",
        verdict(wall, cpu, 10),
    )


def permutation(command, passes=1):
    """Of the best pass: wall seconds and processor seconds, fabric included."""
    runs = [[float(word) for word in process(command)[3].split()] for _ in range(passes)]
    return min(r[1] + r[2] for r in runs), min(r[3] for r in runs)


def simgrid(build, passes, large):
    ours, theirs = str(build / "bench/permutation"), str(build / "bench/simgrid_permutation")
    there = pathlib.Path(theirs).exists()
    if not there:
        note(
            "SimGrid was not there when the benchmarks were configured (libsimgrid-dev): nothing to compare with"
        )
    for tree, hosts, bar in [("22x22x22", 10_648, 50), ("46x46x48", 101_568, 500)]:
        our_wall, our_cpu = permutation([ours, tree], passes)
        work = f"permutation of {hosts:,} hosts on a fat tree, fabric included"
        row(work, "", f"{our_wall:.3f} s wall, {our_cpu:.3f} s processor", "")
        if hosts > 100_000 and not large:
            row(
                "  SimGrid, the same: from the log, --large runs it",
                "",
                f"{LARGE_IN_LOG} s processor",
                "",
            )
            row(
                "  faster than that by",
                f"{bar}x",
                f"{LARGE_IN_LOG / our_cpu:.0f}x processor",
                ratio_verdict(0, LARGE_IN_LOG / our_cpu, bar),
            )
            continue
        if not there:
            continue
        wall, cpu = permutation([theirs, tree], 1 if hosts > 100_000 else passes)
        row("  SimGrid, the same", "", f"{wall:.1f} s wall, {cpu:.1f} s processor", "")
        row(
            "  faster than SimGrid by",
            f"{bar}x",
            f"{wall / our_wall:.0f}x wall, {cpu / our_cpu:.0f}x processor",
            ratio_verdict(wall / our_wall, cpu / our_cpu, bar),
        )
    if there:
        same_routes(ours, theirs)


def same_routes(ours, theirs):
    """Completion times must be equal where the routes are: SimGrid gets ours, port by port."""
    with tempfile.TemporaryDirectory() as folder:
        routes, our_times, their_times = (
            str(pathlib.Path(folder) / name) for name in ["routes", "ours", "theirs"]
        )
        for tree in ["4x4x4", "10x10x10"]:
            process([ours, tree, our_times, routes])
            process([theirs, tree, their_times, routes])
            a, b = (
                [float(line) for line in pathlib.Path(name).read_text().split()]
                for name in [our_times, their_times]
            )
            worst = max(abs(x - y) / y for x, y in zip(a, b, strict=True))
            kinds = len({round(x, 9) for x in b})
            row(
                f"  completion times of {len(a):,} flows on our routes, {kinds} different",
                "1e-6",
                f"equal: worst difference {worst:.1e}",
                "yes" if worst <= 1e-6 else "NO",
            )


def job(gpus):
    """Llama 3 on `gpus` GPUs: replicas of 128 with 16 sequences each."""
    return ["--set", f"cluster.gpus={gpus}", "--set", f"training.global_batch={gpus // 8}"]


def runs(build, passes):
    binary = str(build / "railyard")
    llama, grok, uncached = (
        str(ROOT / "scenarios/llama3.toml"),
        str(ROOT / "scenarios/grok4.toml"),
        ["--set", "engine.cache=false"],
    )
    for name, args, bar, memory_bar, aim in [
        ("llama3, 16,384 GPUs", [llama], 5, 2048, 1),
        ("llama3, 16,384 GPUs, without the phase cache", [llama, *uncached], 5, 2048, 1),
        ("llama3, 24,576 GPUs", [llama, *job(24576)], 8, None, None),
        ("grok4, 200,000 GPUs, without the phase cache", [grok, *uncached], 60, 8192, 20),
        ("grok4, 200,000 GPUs", [grok], 60, 8192, 3),
    ]:
        wall, cpu, memory = best([binary, "run", *args, "--no-advice"], passes)
        met = (
            verdict(wall, cpu, bar) if memory_bar is None or memory <= memory_bar else "NO (memory)"
        )
        if aim:
            met += f"; aim {aim} s: {verdict(wall, cpu, aim)}"
        row(
            f"railyard run {name}",
            f"{bar} s" + (f", {memory_bar // 1024} GB" if memory_bar else ""),
            f"{wall:.2f} s wall, {cpu:.2f} s processor, {memory:.0f} MB",
            met,
        )


def growth(build, passes):
    """Seconds of a step by the number of GPUs, for hashed and for adaptive routing."""
    series = {}
    for policy in ["e-ecmp", "adaptive"]:
        points = []
        for gpus in SIZES:
            args = [
                "run",
                "--no-advice",
                str(ROOT / "scenarios/llama3.toml"),
                *job(gpus),
                "--set",
                f"routing.policy={policy}",
            ]
            wall, cpu, memory = best([str(build / "railyard"), *args], passes)
            points.append((gpus, wall, cpu, memory))
            row(
                f"llama3 step, {policy}, {gpus:,} GPUs",
                "",
                f"{wall:.3f} s wall, {cpu:.3f} s processor, {memory:.0f} MB",
                "",
            )
        series[policy] = points
        worst = max(
            (b[2] / a[2]) / (b[0] * math.log(b[0]) / (a[0] * math.log(a[0])))
            for a, b in zip(points, points[1:])
        )
        row(
            f"  growth of processor time over n log n, {policy}: worst step",
            "1x",
            f"{worst:.2f}x from one size to the next",
            "yes" if worst <= 1 else "NO",
        )
    return series


def main():
    parser = argparse.ArgumentParser(description="How fast flows are: one table.")
    parser.add_argument(
        "--build",
        type=pathlib.Path,
        default=ROOT / "build/release",
        help="where the benchmarks were built",
    )
    parser.add_argument("--large", action="store_true", help="run SimGrid on 101,568 hosts, too")
    parser.add_argument("--passes", type=int, default=3, help="of which the best counts")
    parser.add_argument("--only", default="solve,simgrid,run,growth", help="parts of the table")
    parser.add_argument("--plot", type=pathlib.Path, help="where to draw the growth of steps")
    options = parser.parse_args()
    parts = options.only.split(",")
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    row("work", "bar", "measured", "met")
    if "solve" in parts:
        solve(options.build, options.passes)
    if "simgrid" in parts:
        simgrid(options.build, options.passes, options.large)
    if "run" in parts:
        runs(options.build, options.passes)
    if "growth" in parts:
        series = growth(options.build, options.passes)
        if options.plot:
            from growth_plot import draw

            options.plot.write_text(draw(series))
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


main()
