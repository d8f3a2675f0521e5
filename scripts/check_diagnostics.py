#!/usr/bin/env python3
"""Fails unless the diagnostic codes in src/, docs/diagnostics.md and docs/lint.md are the same, and every code is tested somewhere."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
CODE = re.compile(r"RY-[A-Z]+-\d{3}")


def codes_in(files):
    return {code for file in files for code in CODE.findall(file.read_text())}


sources = [f for f in (ROOT / "src").rglob("*") if f.suffix in (".h", ".cpp")]
is_test = lambda f: f.name.endswith("_test.cpp")
# Codes in comments are examples; only string literals are issued.
issued = {
    code
    for f in sources
    if not is_test(f)
    for line in f.read_text().splitlines()
    for code in CODE.findall(line.split("//")[0])
}
PAGES = ["docs/diagnostics.md", "docs/lint.md"]
documented = {
    code
    for page in PAGES
    for code in re.findall(r"^\| `(RY-[A-Z]+-\d{3})`", (ROOT / page).read_text(), re.M)
}
tests = (
    [f for f in sources if is_test(f)]
    + list((ROOT / "tests").rglob("*.toml"))
    + list((ROOT / "tests").rglob("*.py"))
)
tested = codes_in(tests)

found = [f"{c} is issued but not in {' or '.join(PAGES)}" for c in sorted(issued - documented)]
found += [f"{c} is in {' or '.join(PAGES)} but never issued" for c in sorted(documented - issued)]
found += [f"{c} is issued but no test expects it" for c in sorted(issued - tested)]
print("\n".join(found) if found else f"diagnostics: {len(issued)} codes, all documented and tested")
sys.exit(1 if found else 0)
