#!/bin/sh
# Writes the key reference of docs/scenario.md anew from the program.
set -eu
cd "$(dirname "$0")/.."
build/release/railyard keys --markdown >build/keys.md
python3 - <<'PY'
import pathlib
page = pathlib.Path("docs/scenario.md")
begin, end = "<!-- railyard keys --markdown -->\n", "<!-- end -->"
head, rest = page.read_text().split(begin)
page.write_text(head + begin + "\n" + pathlib.Path("build/keys.md").read_text() + end + rest.split(end)[1])
PY
