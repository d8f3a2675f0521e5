"""Every command of README.md and docs/guide.md runs as it stands there."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from printed import main_job

RAILYARD = pathlib.Path(sys.argv.pop()).resolve()


def commands(page):
    """Lines of its shell blocks without remarks, continued lines joined."""
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s#.*", "", line).strip()
            if line:
                yield line


class Commands(unittest.TestCase):
    """One folder for all pages, as a reader has: what stands in both is run once, unless it reads what others wrote."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.printed = {}
        (cls.folder / "scenarios").symlink_to(ROOT / "scenarios")
        (cls.folder / "docs").symlink_to(ROOT / "docs")
        (cls.folder / "tests").mkdir()
        (cls.folder / "tests" / "diagnose").symlink_to(ROOT / "tests" / "diagnose")
        (cls.folder / "build").mkdir()
        run = cls.folder / "run"  # as ./run, without building
        printed, page = main_job(RAILYARD)
        (cls.folder / "main.txt").write_text(f"{printed}\npage: build/comparison.html\n")
        run.write_text(
            f'#!/bin/sh\n[ $# -eq 0 ] && cp "{page}" build/comparison.html && exec cat main.txt\nexec "{RAILYARD}" "$@"\n'
        )
        run.chmod(0o755)

    def run_line(self, line):
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
        # 1: something differs, or is wrong
        finds = "./run diff" in line or "./run lint" in line
        self.assertIn(done.returncode, (0, 1) if finds else (0,), f"{line}\n{done.stderr}")
        return done.stdout

    def run_all(self, page):
        printed = []
        for line in commands(page):
            if line == "./test":
                continue
            self.assertTrue(line.startswith("./run"), line)
            if line not in self.printed or re.search(r"\b(my|cluster)\.toml", line):
                self.printed[line] = self.run_line(line)
            printed.append(self.printed[line])
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
