"""docs/scenario.md lists exactly the keys the program reads; links between documents lead somewhere."""
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAILYARD = sys.argv.pop()


def paths(table, prefix=""):
    for key, value in table.items():
        yield prefix + key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from paths(inner, prefix + key + ".")


sys.path.insert(0, str(ROOT / "scripts"))
import wrap_markdown  # noqa: E402


class Docs(unittest.TestCase):
    def test_wrapping_leaves_equations_alone(self):
        page = "A rule:\n\n    a   = b + c\n    low = " + "x + " * 40 + "y\n\nand words.\n"
        self.assertEqual(wrap_markdown.rewrap(page), page)
        item = "- An item\n\n  with more of it.\n"
        self.assertEqual(wrap_markdown.rewrap(item), item)

    def test_scenario_reference_is_what_the_program_says(self):
        printed = subprocess.run(
            [RAILYARD, "keys", "--markdown"], capture_output=True, text=True, check=True
        ).stdout
        page = (ROOT / "docs/scenario.md").read_text()
        begin, end = "<!-- railyard keys --markdown -->\n", "<!-- end -->"
        self.assertIn(begin, page)
        written = page.split(begin)[1].split(end)[0]
        self.assertEqual(written.strip(), printed.strip(), "run scripts/update_docs.sh")

    def test_ledger_of_claims_is_what_the_program_says(self):
        printed = subprocess.run(
            [RAILYARD, "claims", "--recorded", "--markdown"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        page = (ROOT / "docs/claims.md").read_text()
        written = page.split("<!-- railyard claims --recorded --markdown -->\n")[1].split(
            "<!-- end -->"
        )[0]
        self.assertEqual(written.strip(), printed.strip(), "run scripts/update_docs.sh")

    def test_rules_of_lint_are_what_the_program_says(self):
        printed = subprocess.run(
            [RAILYARD, "lint", "--markdown"], capture_output=True, text=True, check=True
        ).stdout
        page = (ROOT / "docs/lint.md").read_text()
        written = page.split("<!-- railyard lint --markdown -->\n")[1].split("<!-- end -->")[0]
        self.assertEqual(written.strip(), printed.strip(), "run scripts/update_docs.sh")

    def test_examples_pass_the_check_and_show_every_key(self):
        page = (ROOT / "docs/scenario.md").read_text()
        shown = set()
        for example in re.findall(r"^```toml\n(name = .*?)^```", page, re.M | re.S):
            checked = subprocess.run(
                [RAILYARD, "check", "-"], input=example, capture_output=True, text=True, cwd=ROOT
            )
            self.assertEqual(checked.returncode, 0, example + checked.stderr)
            shown |= set(paths(tomllib.loads(example)))
        section = ""
        for line in page.split("<!-- railyard keys --markdown -->")[1].splitlines():
            if title := re.match(r"### `\[*(.*?)\]*`", line):
                section = "" if title[1] == "(top)" else title[1] + "."
            if key := re.match(r"\| `(\w+)` \|", line):
                self.assertIn(
                    section + key[1], shown, "no example in docs/scenario.md has this key"
                )

    def test_runs_of_the_page_of_other_tools_are_accepted(self):
        page = (ROOT / "docs/integrations.md").read_text().replace("\\\n", " ")
        seen = 0
        for block in re.findall(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                words = shlex.split(line) if re.match(r"(\$ )?railyard run ", line) else []
                if not words:
                    continue
                name = words[words.index("run") + 1]
                sets = [
                    w
                    for i, w in enumerate(words[1:])
                    for w in (["--set", w] if words[i] == "--set" else [])
                ]
                told = subprocess.run(
                    [RAILYARD, "check", name, *sets], capture_output=True, text=True, cwd=ROOT
                )
                self.assertEqual(told.returncode, 0, f"{line}\n{told.stderr}")
                seen += 1
        self.assertGreater(seen, 5)

    def test_links_lead_somewhere(self):
        pages = [
            ROOT / "README.md",
            ROOT / "CONTRIBUTING.md",
            ROOT / "CHANGELOG.md",
            *(ROOT / "docs").rglob("*.md"),
        ]
        for page in pages:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
                if not target.startswith("http"):
                    self.assertTrue(
                        (page.parent / target).exists(),
                        f"{page.relative_to(ROOT)} links to {target}",
                    )

    def test_paths_in_backquotes_exist(self):
        for name in [
            "README",
            "docs/architecture",
            "docs/capabilities",
            "docs/models",
            "docs/guide",
        ]:
            page = ROOT / f"{name}.md"
            for path in re.findall(
                r"`((?:src|docs|scripts|tests|catalog|scenarios|cmake|bench)/[\w./-]+)`",
                page.read_text(),
            ):
                self.assertTrue((ROOT / path).exists(), f"{page.name} names {path}")


unittest.main()
