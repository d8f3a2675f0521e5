"""Long work tells how far it is: on a terminal only, in one line that never falls."""
import json
import os
import pty
import re
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()
FIRST = "scenarios/first.toml"


class Progress(unittest.TestCase):
    def on_terminal(self, *args):
        """stderr of a run whose stderr is a terminal."""
        main, side = pty.openpty()
        process = subprocess.Popen([RAILYARD, *args], stdout=subprocess.DEVNULL, stderr=side)
        os.close(side)
        seen = b""
        while True:
            try:
                chunk = os.read(main, 4096)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        process.wait()
        os.close(main)
        return seen.decode()

    @staticmethod
    def ring_of(gpus):
        return [
            "run",
            "tests/scenarios/collective/random_placement.toml",
            "--set",
            f"cluster.gpus={gpus}",
            "--set",
            "fabric.hosts_per_leaf=64",
            "--set",
            "collective.sizes=1 MiB",
            "--no-advice",
        ]

    def test_long_work_shows_progress_on_a_terminal_only(self):
        self.assertEqual(self.on_terminal("run", FIRST, "--no-advice"), "")
        for gpus in [
            1024,
            2048,
            4096,
        ]:  # until one takes more than a second, however slow the build is
            shown = self.on_terminal(*self.ring_of(gpus))
            if shown:
                break
        self.assertIn("all_reduce", shown)
        shares = [float(share) for share in re.findall(r"([\d.]+) %", shown)]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 100 for share in shares), shares)
        self.assertNotIn("about -", shown)
        self.assertEqual(self.on_terminal(*self.ring_of(gpus), "--quiet"), "")

    def test_a_run_and_its_advice_are_one_line_that_never_falls(self):
        args = ["run", "mi300x-llama3", "--threads", "1", "--set", "engine.fidelity=flow"]
        shown = self.on_terminal(*args)
        self.assertIn("trying ", shown)
        shares = [float(share) for share in re.findall(r"([\d.]+) %", shown)]
        self.assertEqual(shares, sorted(shares))
        self.assertLess(shares[0], 60, shares)  # the run itself is a small part of it

    def test_a_program_reads_it_from_a_descriptor(self):
        ours, theirs = os.pipe()
        args = [RAILYARD, "run", FIRST, "--quiet", "--progress-fd", str(theirs)]
        process = subprocess.Popen(args, pass_fds=[theirs], stderr=subprocess.PIPE)
        os.close(theirs)
        with os.fdopen(ours) as lines:
            told = [json.loads(line) for line in lines]
        self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
        process.stderr.close()
        shares = [one["share"] for one in told]
        self.assertTrue(told and shares == sorted(shares), shares)


unittest.main()
