"""Every command of README.md and docs/guide.md runs as it stands there."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAILYARD = pathlib.Path(sys.argv.pop()).resolve()


def commands(page):
    """Lines of its shell blocks without remarks, continued lines joined."""
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s#.*", "", line).strip()
            if line:
                yield line


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        (self.folder / "docs").symlink_to(ROOT / "docs")
        (self.folder / "tests").mkdir()
        (self.folder / "tests" / "diagnose").symlink_to(ROOT / "tests" / "diagnose")
        (self.folder / "build").mkdir()
        run = self.folder / "run"  # as ./run, without building
        run.write_text(
            f'#!/bin/sh\n[ $# -eq 0 ] && set -- compare -o build/comparison.html\nexec "{RAILYARD}" "$@"\n'
        )
        run.chmod(0o755)

    def run_all(self, page):
        printed = []
        for line in commands(page):
            if line == "./test":
                continue
            self.assertTrue(line.startswith("./run"), line)
            done = subprocess.run(
                ["sh", "-c", line],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                timeout=300,
            )
            finds = (
                "./run diff" in line or "./run lint" in line
            )  # 1: something differs, or is wrong
            self.assertIn(done.returncode, (0, 1) if finds else (0,), f"{line}\n{done.stderr}")
            printed.append(done.stdout)
        self.assertGreater(len(printed), 5)
        return " ".join(" ".join(printed).split())

    def check_page(self, page):
        """What the page shows is what its commands print, but for lines with … ."""
        printed = self.run_all(page)
        shown = "".join(re.findall(r"^```text\n(.*?)^```", page.read_text(), re.M | re.S))
        lines = (" ".join(line.split()) for line in shown.splitlines() if "…" not in line)
        self.assertEqual([line for line in lines if line not in printed], [])

    def test_readme(self):
        self.check_page(ROOT / "README.md")

    def test_guide(self):
        self.check_page(ROOT / "docs" / "guide.md")


unittest.main()
