"""railyard sweep on one machine: same bytes at any number of threads, on after a kill, clean stops, sentences for mistakes."""
import csv
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())

CASE = """
name = "two hundred points"
[cluster]
gpus = 16
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
link_rate = "100 Gb/s"
switch_latency = "900 ns"
[traffic]
pattern = "permutation"
size = "1 MB"
[engine]
fidelity = "packet"
[sweep]
where = "traffic.rounds * 2 <= 20"
[sweep.axes]
traffic.rounds = { from = 1, to = 12 }
cluster.gpus = [8, 16]
engine.seed = { from = 1, to = 10 }
"""


class Local(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.case = self.folder / "case.toml"
        self.case.write_text(CASE)

    def call(self, *words, **more):
        return subprocess.run(
            [RAILYARD, "sweep", *map(str, words)],
            capture_output=True,
            text=True,
            cwd=self.folder,
            **more,
        )

    def bytes_of(self, name, *words):
        done = self.call(self.case, "--quiet", "--csv", f"{name}.csv", "--db", f"{name}.db", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse(list(self.folder.glob(f"{name}.*.journal")), "it goes with the results")
        return [(self.folder / f"{name}.{kind}").read_bytes() for kind in ("csv", "db")]

    def test_same_bytes_at_any_number_of_threads_and_after_kills(self):
        one = self.bytes_of("one", "--threads", 1)
        self.assertEqual(one, self.bytes_of("two", "--threads", 2))
        rows = list(csv.DictReader(one[0].decode().splitlines()))
        self.assertEqual([int(row["point"]) for row in rows], list(range(200)))
        self.assertEqual({row["status"] for row in rows}, {"ok"})
        database = sqlite3.connect(self.folder / "one.db")
        found = database.execute('SELECT point, "traffic.rounds", time_s FROM points').fetchall()
        self.assertEqual(
            found, [(int(r["point"]), int(r["traffic.rounds"]), float(r["time_s"])) for r in rows]
        )
        journal = self.folder / "journal"
        command = [
            RAILYARD,
            "sweep",
            "case.toml",
            "--journal",
            "journal",
            "--quiet",
            "--csv",
            "k.csv",
        ]
        kept = []
        for _ in range(3):
            process = subprocess.Popen(command, cwd=self.folder)
            begun = time.monotonic()
            enough = len(kept) + 15
            while time.monotonic() - begun < 20 and process.poll() is None:
                if journal.exists() and journal.read_bytes().count(b"\n") > enough:
                    break
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kept = journal.read_text().split("\n")[:-1]
        self.assertGreater(len(kept), 30, "something was done before the kills")
        self.assertLess(len(kept), 201, "and not everything")
        self.assertEqual(self.call(*command[2:]).returncode, 0)
        self.assertEqual((self.folder / "k.csv").read_bytes(), one[0])
        lines = journal.read_text().splitlines()
        self.assertEqual(lines[: len(kept)], kept, "nothing is lost")
        self.assertEqual(
            len({line.split()[0] for line in lines[1:]}), len(lines) - 1 == 200 and 200
        )

    def test_shards_are_collected(self):
        whole = self.bytes_of("whole")
        (self.folder / "out").mkdir()
        for task in range(3):
            words = ("--shard", f"{task}/3", "--journal", f"out/task-{task}.journal")
            if task == 2:
                early = self.call(self.case, "--collect", "out", "--csv", "early.csv")
                self.assertEqual(early.returncode, 2)
                self.assertIn("RY-SWP-012", early.stderr)
            self.assertEqual(self.call(self.case, *words).returncode, 0)
        self.assertEqual(whole, self.bytes_of("parts", "--collect", "out"))

    def test_a_signal_stops_it_between_points(self):
        process = subprocess.Popen(
            [RAILYARD, "sweep", "case.toml", "--csv", "stopped.csv", "--threads", "1"],
            cwd=self.folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 1)
        self.assertRegex(
            said, r"stopped: \d+ of 200 points are done and kept in stopped.csv.journal"
        )
        self.assertFalse((self.folder / "stopped.csv").exists())

    def test_mistakes_get_a_sentence(self):
        plain = self.folder / "plain.toml"
        plain.write_text(CASE[: CASE.index("[sweep]")])
        self.bytes_of("good")
        for words, code in (
            (["plain.toml"], "RY-SWP-001"),
            (["case.toml", "--shard", "3/3"], "RY-SWP-010"),
            (["case.toml", "--collect", "."], "RY-SWP-012"),
            (["case.toml", "--journal", "plain.toml"], "RY-SEA-002"),
            (["show", "case.toml"], "RY-SWP-013"),
            (["show", "good.db", "--figure", "fct_mean"], "RY-SWP-016"),
        ):
            done = self.call(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(code, done.stderr)
        (self.folder / "slurm").mkdir()
        done = self.call("case.toml", "--slurm", "slurm", "--submit", env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("RY-SWP-015", done.stderr)
        alone = self.folder / "alone"
        alone.mkdir()
        os.link(RAILYARD, alone / "railyard") if os.stat(RAILYARD).st_dev == os.stat(
            alone
        ).st_dev else (alone / "railyard").write_bytes(pathlib.Path(RAILYARD).read_bytes())
        (alone / "railyard").chmod(0o755)
        done = subprocess.run(
            [str(alone / "railyard"), "sweep", "case.toml"],
            env={**os.environ, "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"},
            capture_output=True,
            text=True,
            cwd=self.folder,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("RY-SWP-011", done.stderr)

    def test_points_are_listed_and_results_shown(self):
        listed = self.call("case.toml", "--dry-run").stdout.splitlines()
        self.assertEqual(listed[0], "point,traffic.rounds,cluster.gpus,engine.seed")
        self.assertEqual((listed[1], listed[-1]), ("0,1,8,1", "199,10,16,10"))
        self.bytes_of("good")
        shown = self.call("show", "good.db", "-o", "page.html")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for text in (
            "200 points: 200 were run.",
            "time_s is best at point",
            "by traffic.rounds and",
        ):
            self.assertIn(text, " ".join(shown.stdout.split()))
        self.assertIn("<html", (self.folder / "page.html").read_text()[:200])


if __name__ == "__main__":
    unittest.main()
