#!/usr/bin/env python3
"""How fast packets are: one table of work, bar and what was measured.

bench/packets.py [--build FOLDER] [--passes N] [--only permutation,threads,incast,large,transports]

Needs `./run --version && cmake --build build/release --target benches`. Rates are data packet-hops per second (links that packets with payload
cross; ACKs, CNPs and pauses are simulated and not counted), the best of N passes, by wall time and by processor time of all
threads: on a machine that others use, the second is nearer to what a quiet one would show. Runs are of a fixed simulated time with
messages that do not end in it, so that ports stay busy.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENDLESS = "1000000"  # KiB


def run(program, arguments, passes):
    """Million data packet-hops per second by wall and by processor time, MiB, fingerprint."""
    wall = cpu = memory = 0.0
    prints = set()
    for _ in range(passes):
        out = subprocess.run(
            [program, *arguments], check=True, capture_output=True, text=True
        ).stdout.split()
        hops = int(out[2]) / 1e6
        wall, cpu = max(wall, hops / float(out[4])), max(cpu, hops / float(out[5]))
        memory = max(memory, float(out[10]))
        prints.add(out[12])
    if len(prints) != 1:
        sys.exit(f"{' '.join(arguments)}: runs differ")
    return wall, cpu, memory, prints.pop()


def row(work, bar, measured, met):
    print(f"{work:58}{bar:>16}  {measured:40}{met}", flush=True)


def verdict(wall, cpu, bar):
    return "yes" if wall >= bar else "by processor time" if cpu >= bar else "NO"


def compare_transports(program, arguments, passes):
    """Packets of all kinds per second of processor time, ACKs included, and those with payload alone, against RoCE's."""

    def rates(kind):
        best = [0.0, 0.0]
        for _ in range(passes):
            out = subprocess.run(
                [program, *arguments, f"kind={kind}"], check=True, capture_output=True, text=True
            ).stdout.split()
            best = [
                max(old, int(count) / 1e6 / float(out[5])) for old, count in zip(best, out[1:3])
            ]
        return best

    roce = rates("roce")
    row("packets of all kinds, RoCE", "", f"{roce[0]:.1f} M/s; with payload {roce[1]:.1f}", "")
    for kind in ("infiniband", "tcp", "uec"):
        other = rates(kind)
        ratio = [a / b for a, b in zip(roce, other)]
        row(
            f"  {kind}",
            "within 2x",
            f"{other[0]:.1f} M/s, {ratio[0]:.2f}x; with payload {other[1]:.1f}, {ratio[1]:.2f}x",
            "yes" if max(ratio) <= 2 else "all packets" if ratio[0] <= 2 else "NO",
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--only", default="permutation,threads,incast,large,transports")
    options = parser.parse_args()
    program = pathlib.Path(options.build) / "bench/packets"
    if not program.exists():
        sys.exit(f"{program} is not there: cmake --build build/release --target benches")
    wanted = options.only.split(",")
    row("work", "bar", "measured (wall; processor)", "met")
    permutation = ["permutation", "1024", "32", ENDLESS]
    one = run(program, [*permutation, "1", "us=300"], options.passes)
    if "permutation" in wanted:
        row(
            "1,024 hosts, 2 tiers, 400G, permutation, one core",
            "18 M/s",
            f"{one[0]:.1f}; {one[1]:.1f} M/s",
            verdict(one[0], one[1], 18),
        )
        each = run(program, [*permutation, "1", "us=300", "ack=1"], options.passes)
        row("  the same, an ACK for every packet", "", f"{each[0]:.1f}; {each[1]:.1f} M/s", "")
    if "threads" in wanted:
        two = run(program, [*permutation, "2", "us=300"], options.passes)
        if two[3] != one[3]:
            sys.exit("two threads give another result")
        row(
            "  the same on two threads, over one",
            "1.6x",
            f"{two[0] / one[0]:.2f}x",
            "yes" if two[0] >= 1.6 * one[0] else "NO",
        )
    if "incast" in wanted:
        for name, pattern in (
            ("all hosts in groups of 32:1", "incast:32"),
            ("one group of 32:1", "incast1:32"),
        ):
            found = run(program, [pattern, "1024", "32", ENDLESS, "1", "us=300"], options.passes)
            row(
                f"1,024 hosts, {name}",
                "5 M/s",
                f"{found[0]:.1f}; {found[1]:.1f} M/s",
                verdict(found[0], found[1], 5),
            )
    if "large" in wanted:
        found = run(
            program,
            ["permutation", "24576", "32", ENDLESS, "1", "us=20", "pods=1024", "cores=1024"],
            options.passes,
        )
        met = verdict(found[0], found[1], 10) if found[2] <= 8192 else "NO"
        row(
            "24,576 hosts, 3 tiers, permutation",
            "10 M/s, 8 GB",
            f"{found[0]:.1f}; {found[1]:.1f} M/s, {found[2] / 1024:.2f} GiB",
            met,
        )

    if "transports" in wanted:
        compare_transports(program, [*permutation, "1", "us=100"], options.passes)


if __name__ == "__main__":
    main()
