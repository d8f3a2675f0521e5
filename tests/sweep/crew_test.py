"""plan, place, tune, faults and goodput: what one process finds, two under mpirun find from half of its journal."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
MPIRUN = "mpirun --oversubscribe --allow-run-as-root --bind-to none -n 2".split()

JOB = """
name = "a small job"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 64
tokens = 1e10
[parallel]
tensor = 4
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 2
spines = 2
[transport]
kind = "roce"
[reliability]
profile = "llama3-h100"
[engine]
fidelity = "flow"
"""

SPLITS = ["--only", "--vary", "parallel.tensor=2,4,8", "--vary", "parallel.pipeline=1,2"]
MARKS = ["--only", "--vary", "transport.ecn.kmin=100 KiB..400 KiB*2", "--generations", "2"]
COMMANDS = {
    "plan": ["plan", "job.toml", *SPLITS],
    "place": ["place", "job.toml", "--nodes", "nodes.txt"],
    "tune": ["tune", "small.toml", *MARKS],
    "faults": ["faults", "job.toml", "--singles"],
    "goodput": ["goodput", "job.toml", "--runs", "200"],
}


class Crews(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "job.toml").write_text(JOB)
        (self.folder / "small.toml").write_text(
            'extends = "packets/incast"\n[cluster]\ngpus = 8\n[fabric]\ntopology = "leaf-spine"\n'
            'hosts_per_leaf = 4\nspines = 2\n[traffic]\nsize = "64 KiB"\nfan_in = 7\n'
        )
        (self.folder / "nodes.txt").write_text("node0\nnode1\nnode2\nnode3\n")

    def call(self, words):
        plain = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}  # mpirun makes terminals
        return subprocess.run(
            words, capture_output=True, text=True, cwd=self.folder, env=plain, timeout=200
        )

    def answer(self, words, *front):
        """What it prints and writes, and its journal."""
        json, journal = self.folder / "out.json", self.folder / "journal"
        done = self.call([*front, RAILYARD, *words, "--json", "out.json", "--journal", "journal"])
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout, json.read_bytes(), journal.read_bytes()

    def test_two_processes_go_on_from_half_a_journal(self):
        for name, words in COMMANDS.items():
            with self.subTest(name):
                (self.folder / "journal").unlink(missing_ok=True)
                told, written, journal = self.answer(words)
                lines = journal.splitlines()
                self.assertGreater(len(lines), 4, "there is something to share")
                kept = journal[: len(journal) // 2]  # as a kill leaves it, in the middle of a line
                (self.folder / "journal").write_bytes(kept)
                again = self.answer(words, *MPIRUN)
                self.assertEqual((again[0], again[1]), (told, written))
                self.assertEqual(sorted(again[2].splitlines()), sorted(lines), "none lost or twice")
                self.assertTrue(again[2].startswith(kept[: kept.rindex(b"\n") + 1]))

    def test_what_one_process_lacks_is_told_once(self):
        (self.folder / "empty").mkdir()
        wrapper = self.folder / "wrapper"
        wrapper.write_text(
            '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd empty\n'
            f'exec {RAILYARD} faults "$1" --singles --quiet\n'
        )
        wrapper.chmod(0o755)
        lacking = self.call([*MPIRUN, str(wrapper), "job.toml"])
        self.assertNotEqual(lacking.returncode, 0)
        self.assertEqual(lacking.stderr.count("RY-SEA-005"), 1, lacking.stderr)
        self.assertIn("process 1 cannot go on: RY-SCN-001", lacking.stderr)
        missing = self.call([*MPIRUN, str(wrapper), "nowhere.toml"])
        self.assertEqual(missing.stderr.count("RY-SCN-001"), 1, missing.stderr)

    def test_a_journal_of_something_else_is_refused(self):
        self.answer(COMMANDS["goodput"])
        for words in (COMMANDS["faults"], [*COMMANDS["goodput"], "--set", "reliability.spares=1"]):
            for front in ([], MPIRUN):
                done = self.call([*front, RAILYARD, *words, "--journal", "journal"])
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count("RY-SEA-002"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
