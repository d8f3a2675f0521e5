#!/usr/bin/env python3
"""Fails if a file under src/ includes what its own module may not see (cmake/layers.txt): another module, a plan that is
not its own, or a header that the other module keeps to itself.

check_layers.py [ROOT]: ROOT is the folder that holds src/ and cmake/ (default: the repository).
"""
import pathlib
import re

import checking

TESTS_MAY_USE = ("plan", "scenario")  # a test may be written as a scenario


def read_layers(path):
    """Modules that each module may use, and the headers that a module may use of another: {("fabric", "plan"): [...]}."""
    layers, headers = {}, {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            module, _, allowed = line.partition(":")
            user, arrow, used = (word.strip() for word in module.partition("->"))
            if arrow:
                headers[user, used] = allowed.split()
            else:
                layers[user] = allowed.split()
    return layers, headers


def is_test(file):
    return file.stem.endswith("_test") or file.stem in ("testing",) or file.stem.endswith("_bench")


def may_include(headers, user, target, path):
    """Whether `user` may include `path` of the module `target`, which it may use."""
    allowed = headers.get((user, target), headers.get(("*", target)))
    return allowed is None or any(path.match(pattern) for pattern in allowed)


def module_of(parts):
    """The module a path under src/ belongs to: 'base', or 'tools/expect'."""
    return "/".join(parts[:2]) if parts[0] == "tools" and len(parts) > 2 else parts[0]


def generic(module):
    return "tools/*" if module.startswith("tools/") else module


def mistakes(root):
    layers, headers = read_layers(root / "cmake" / "layers.txt")
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in (".h", ".cpp", ".cu"):
            continue
        here = file.relative_to(root / "src").parts
        me = module_of(here)
        if generic(me) not in layers:
            yield f"{file.relative_to(root)}: src/{me} has no line in cmake/layers.txt"
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not found:
                continue
            where = f"{file.relative_to(root)}:{number}"
            there = pathlib.PurePosixPath(found[1]).parts
            if len(there) < 2:
                yield f'{where}: write includes from src/, "module/{found[1]}"'
                continue
            target = module_of(there)
            if target == me or (is_test(file) and target in TESTS_MAY_USE):
                pass
            elif generic(target) not in layers[generic(me)]:
                yield f"{where}: {me}/ may not include {target}/"
            elif not may_include(headers, generic(me), target, pathlib.PurePosixPath(found[1])):
                yield f"{where}: {me}/ may not include {found[1]} of {target}/"
            backends = me == target == "engine" and len(here) > 2 and len(there) > 2
            if backends and here[1] != there[1] and there[1] != "rates":
                yield f"{where}: engine/{here[1]}/ may not include engine/{there[1]}/"


if __name__ == "__main__":
    checking.run("layers", mistakes)
