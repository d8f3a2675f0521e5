"""docs/scenario.md lists exactly the keys the program reads; links between documents lead somewhere."""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAILYARD = sys.argv.pop()


class Docs(unittest.TestCase):
    def test_scenario_reference_is_what_the_program_says(self):
        printed = subprocess.run([RAILYARD, "keys", "--markdown"], capture_output=True, text=True, check=True).stdout
        page = (ROOT / "docs/scenario.md").read_text()
        begin, end = "<!-- railyard keys --markdown -->\n", "<!-- end -->"
        self.assertIn(begin, page)
        written = page.split(begin)[1].split(end)[0]
        self.assertEqual(written.strip(), printed.strip(), "run scripts/update_docs.sh")

    def test_links_lead_somewhere(self):
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
        for page in pages:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
                if not target.startswith("http"):
                    self.assertTrue((page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}")

    def test_paths_in_backquotes_exist(self):
        for page in [ROOT / "README.md", ROOT / "docs/architecture.md", ROOT / "docs/models.md"]:
            for path in re.findall(r"`((?:src|docs|scripts|tests|catalog|scenarios|cmake|bench)/[\w./-]+)`", page.read_text()):
                self.assertTrue((ROOT / path).exists(), f"{page.name} names {path}")


unittest.main()
