#!/usr/bin/env python3
"""Fails on things no tracked text file should have: paths of somebody's machine, tabs, trailing blanks, files and functions
that are too long, a README of more than a few screens."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:home|root|Users|work|mnt|workspace)/[\w.]")
LONGEST_SOURCE = 400
LONGEST_FUNCTION = 60
README_WORDS = 700


def indent_of(line):
    return len(line) - len(line.lstrip())


def opens_function(lines, number):
    """Whether the formatted line ends the head of a function, and the line where that head begins."""
    line = lines[number]
    if not re.search(r"\)( const| noexcept| override| final)*( -> [\w:<>]+)? \{$", line):
        return None
    if re.search(r"\[[^\]]*\]\([^()]*\)[^()]*\{$", line):  # a lambda
        return None
    first = number
    while first > 0 and indent_of(lines[first]) > 2:
        first -= 1
    head = " ".join(lines[first : number + 1]).strip()
    if (
        re.match(r"(if|for|while|switch|else|do|catch|return|\}|const auto |auto )", head)
        or "= [" in head
    ):
        return None
    return first


def functions(lines):
    """(line, length) of every function at most two blanks deep; clang-format makes its end easy to find."""
    for number in range(len(lines)):
        first = opens_function(lines, number)
        if first is None:
            continue
        end = number + 1
        closing = " " * indent_of(lines[first]) + "}"
        while end < len(lines) and not (
            lines[end].startswith(closing) and indent_of(lines[end]) == indent_of(lines[first])
        ):
            end += 1
        yield first + 1, end - first + 1


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
    if name == "README.md" and len(text.split()) > README_WORDS:
        found.append(
            f"{name}: {len(text.split())} words; who is new reads {README_WORDS}, move the rest to docs/"
        )
    if name.startswith("src/") and len(lines) > LONGEST_SOURCE:
        found.append(f"{name}: {len(lines)} lines; a file is one room, split it")
    if name.startswith("src/") and name.endswith((".h", ".cpp")):
        for number, length in functions(lines):
            if length > LONGEST_FUNCTION:
                found.append(
                    f"{name}:{number}: a function of {length} lines; a screen has {LONGEST_FUNCTION}"
                )
    if name.startswith("src/") and name.endswith(".h") and "#pragma once" not in text:
        found.append(f"{name}: no #pragma once")
print("\n".join(found) if found else "tree: fine")
sys.exit(1 if found else 0)
