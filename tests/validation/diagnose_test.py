#!/usr/bin/env python3
"""Public cases of slow clusters with known causes, and healthy ones: what `railyard diagnose` makes of their numbers.

diagnose_test.py RAILYARD: a folder of tests/diagnose/cases is a case: cluster.toml describes the cluster as it should be,
truth names the cause (several ids where several acted at once), the other files are what its owner had in hand.
Prints a table; fails below the bars of docs/diagnose.md.
"""
import json
import pathlib
import subprocess
import sys

CASES = pathlib.Path(__file__).resolve().parent.parent / "diagnose"
FIRST, AMONG_THREE = 0.7, 0.9  # shares of the cases


def diagnosis(program, case):
    files = sorted(str(f) for f in case.iterdir() if f.name not in ("cluster.toml", "truth"))
    command = [
        program,
        "diagnose",
        "--scenario",
        str(case / "cluster.toml"),
        *files,
        "--json",
        "-",
        "--quiet",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, f"{case.name}: {done.stderr}"
    return json.loads(done.stdout)


def ranked(program, case):
    found = diagnosis(program, case)
    return found, [cause["id"] for cause in found["causes"]]


def main():
    program = sys.argv[1]
    first = three = 0
    cases = sorted((CASES / "cases").iterdir())
    for case in cases:
        truth = (case / "truth").read_text().split()
        found, ids = ranked(program, case)
        place = min((ids.index(t) for t in truth if t in ids), default=len(ids)) + 1
        first += place == 1
        three += place <= 3
        scores = ", ".join(f"{c['id']} {100 * c['score']:.0f}" for c in found["causes"][:3])
        print(f"{case.name:6} {' or '.join(truth):40} place {place}: {scores}")
    print(f"first: {first} of {len(cases)}, among three: {three} of {len(cases)}")
    alarms = []
    for case in sorted((CASES / "healthy").iterdir()):
        found, ids = ranked(program, case)
        slow = any(curve["is_slow"] for curve in found["curves"])
        ratios = ", ".join(f"{curve['ratio']:.2f}" for curve in found["curves"])
        print(f"{case.name:14} {ratios} of what is expected: {ids[0]}")
        if ids[0] != "healthy" or slow:
            alarms.append(case.name)
    failed = []
    if first < FIRST * len(cases) or three < AMONG_THREE * len(cases):
        failed.append("too few causes are found")
    if alarms:
        failed.append(f"false alarms: {', '.join(alarms)}")
    print("; ".join(failed) or "fine")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
