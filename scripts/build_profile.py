#!/usr/bin/env python3
"""Where a build spent its time: the slowest units, the headers that cost most to touch, seconds per folder.

build_profile.py [BUILD] [--top N]: BUILD is a build folder of Ninja (default: build/release). It reads .ninja_log, in which
Ninja notes when every output was begun and done, and `ninja -t deps`, which names the headers of every unit.
"""
import argparse
import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def seconds_by_output(build):
    """Seconds that each output took when it was last made; Ninja appends, so later lines replace earlier ones."""
    log = build / ".ninja_log"
    if not log.is_file():
        sys.exit(f"{log} is not there; build first, for instance with ./run --version")
    took, last, seen = {}, 0, set()
    for line in log.read_text().splitlines():
        if line.startswith("#"):
            continue
        begin, end, _, output, command = line.split("\t")
        if (begin, end, command) in seen:  # a command with several outputs counts once
            continue
        seen.add((begin, end, command))
        took[output] = (int(end) - int(begin)) / 1000
        last = max(last, int(end))
    return took, last / 1000


def headers_by_output(build):
    """The files of this project that each output depends on."""
    found, output = collections.defaultdict(set), None
    listed = subprocess.run(
        ["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    for line in listed.splitlines():
        if line and not line.startswith(" "):
            output = line.partition(":")[0]
        elif line.strip():
            path = pathlib.Path(build, line.strip()).resolve()
            if path.is_relative_to(ROOT / "src"):
                found[output].add(str(path.relative_to(ROOT)))
    return found


def folder_of(output):
    """What an object belongs to: the target's folder, without what CMake puts around it."""
    return next(
        (part.removesuffix(".dir") for part in output.split("/") if part.endswith(".dir")),
        "links and the rest",
    )


def print_table(title, head, rows):
    print(f"\n{title}\n  {head}")
    for row in rows:
        print("  " + row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--top", type=int, default=20, help="rows of each table")
    options = parser.parse_args()
    took, span = seconds_by_output(options.build)
    units = {
        output: seconds
        for output, seconds in took.items()
        if output.endswith((".o", ".gch", ".pch"))
    }
    print(
        f"{options.build}: {len(units)} units, {sum(units.values()):.0f} s of compiling; "
        f"{sum(took.values()) - sum(units.values()):.0f} s of everything else; last build ended after {span:.0f} s"
    )

    slowest = sorted(units.items(), key=lambda item: -item[1])[: options.top]
    print_table(
        "Slowest units",
        "seconds  unit",
        [f"{seconds:7.1f}  {output}" for output, seconds in slowest],
    )

    folders = collections.Counter()
    for output, seconds in took.items():
        folders[folder_of(output)] += seconds
    print_table(
        "By target",
        "seconds  target",
        [f"{seconds:7.1f}  {name}" for name, seconds in folders.most_common(options.top)],
    )

    cost, users = collections.Counter(), collections.Counter()
    for output, headers in headers_by_output(options.build).items():
        for header in headers:
            if header.endswith(".h"):
                cost[header] += units.get(output, 0)
                users[header] += 1
    print_table(
        "Headers by what is compiled again when they change",
        "seconds  units  header",
        [
            f"{seconds:7.0f}  {users[header]:5}  {header}"
            for header, seconds in cost.most_common(options.top)
        ],
    )


if __name__ == "__main__":
    main()
