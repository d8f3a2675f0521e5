#!/usr/bin/env python3
"""Fails on things no tracked text file should have: paths of somebody's machine, tabs, trailing blanks, files too long for a room."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:home|root|Users|work|mnt|workspace)/[\w.]")
LONGEST_SOURCE = 450

found = []
names = (
    subprocess.run(
        [
            "git",
            "-c",
            "safe.directory=*",
            "-C",
            str(ROOT),
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ],
        check=True,
        capture_output=True,
    )
    .stdout.decode()
    .split("\0")
)
for name in filter(None, names):
    path = ROOT / name
    if not path.is_file():
        continue
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        continue
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if MACHINE_PATHS.search(line) and name != "scripts/check_tree.py":
            found.append(f"{name}:{number}: path of a machine: {line.strip()}")
        if line != line.rstrip() and not name.endswith(".md"):
            found.append(f"{name}:{number}: blanks at the end of the line")
        if "\t" in line:
            found.append(f"{name}:{number}: a tab")
    if text and not text.endswith("\n"):
        found.append(f"{name}: no newline at the end")
    if name.startswith("src/") and len(lines) > LONGEST_SOURCE:
        found.append(f"{name}: {len(lines)} lines; a file is one room, split it")
    if name.startswith("src/") and name.endswith(".h") and "#pragma once" not in text:
        found.append(f"{name}: no #pragma once")
print("\n".join(found) if found else "tree: fine")
sys.exit(1 if found else 0)
