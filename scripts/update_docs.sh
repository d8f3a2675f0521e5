#!/bin/sh
# Writes the generated parts of docs/ anew from the program: the key reference of scenario.md, the ledger of claims.md, the rules of lint.md and what
# they find in which language.
set -eu
cd "$(dirname "$0")/.."
python3 - <<'PY'
import pathlib
import subprocess
for page, arguments in [("docs/scenario.md", "keys --markdown"), ("docs/claims.md", "claims --recorded --markdown"),
                        ("docs/lint.md", "lint --markdown")]:
    path = pathlib.Path(page)
    begin, end = f"<!-- railyard {arguments} -->\n", "<!-- end -->"
    made = subprocess.run(["build/release/railyard", *arguments.split()], check=True, capture_output=True, text=True).stdout
    head, rest = path.read_text().split(begin)
    path.write_text(head + begin + "\n" + made + end + rest.split(end)[1])
PY
RAILYARD_UPDATE_DOCS=1 build/release/tests/languages_test --gtest_brief=1 --gtest_filter=LintLanguages.*
