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
            **{"cwd": self.folder, **more},
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

    def test_it_is_the_same_sweep_however_its_files_are_named(self):
        folder = self.folder / "designs"
        folder.mkdir()
        base = CASE[: CASE.index("[sweep]")].replace('size = "1 MB"\n', "")
        (folder / "base.toml").write_text(base)
        (folder / "flows.csv").write_text("start_us,source,destination,bytes\n0,0,1,1000\n")
        (folder / "c.toml").write_text(
            '[sweep]\nscenario = "base.toml"\n[sweep.axes]\nengine.seed = [1, 2, 3, 4]\n'
            'traffic.pattern = ["file"]\ntraffic.file = ["flows.csv"]\n'
        )
        ways = {"c.toml": folder, "./c.toml": folder, "designs/c.toml": self.folder}
        ways |= {str(folder / "c.toml"): self.folder, "../designs/c.toml": folder}
        found = set()
        for number, (name, where) in enumerate(ways.items()):
            words = ("--quiet", "--csv", self.folder / "n.csv", "--db", self.folder / "n.db")
            done = self.call(name, *words, cwd=where)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            found.add(tuple((self.folder / f"n.{kind}").read_bytes() for kind in ("csv", "db")))
            if number == 0:
                self.assertIn(b",ok,", (self.folder / "n.csv").read_bytes())
        self.assertEqual(len(found), 1, "neither table tells how it was named")
        moved = folder.rename(self.folder / "moved")
        done = self.call("c.toml", *words, cwd=moved)
        self.assertEqual((self.folder / "n.db").read_bytes(), list(found)[0][1])
        (moved / "flows.csv").write_text("start_us,source,destination,bytes\n0,0,1,1001\n")
        done = self.call("c.toml", *words, cwd=moved)
        self.assertNotEqual((self.folder / "n.db").read_bytes(), list(found)[0][1])

    def test_a_job_array_of_a_relative_name_is_collected(self):
        whole = self.bytes_of("whole")
        self.assertEqual(self.call("case.toml", "--slurm", "out", "--tasks", 3).returncode, 0)
        script = self.folder / "out" / "sweep.sh"

        def task(number):
            environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(number)}
            done = subprocess.run(["sh", script], env=environment, cwd="/", capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""))

        task(0)
        other = self.call("case.toml", "--slurm", "out", "--tasks", 4)
        self.assertEqual(other.returncode, 2, "points would be run twice")
        self.assertIn("RY-SWP-015", other.stderr)
        self.assertIn("--tasks 3", other.stderr)
        self.assertEqual(self.call("case.toml", "--slurm", "out", "--tasks", 3).returncode, 0)
        self.assertIn("#SBATCH --array=1-2\n", script.read_text())
        task(1)
        task(2)
        done = self.call(
            "case.toml", "--quiet", "--collect", "out", "--csv", "all.csv", "--db", "all.db"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(
            whole, [(self.folder / f"all.{kind}").read_bytes() for kind in ("csv", "db")]
        )

    def stop_soon(self, *words):
        """What a sweep says that is stopped when it has begun."""
        process = subprocess.Popen(
            [RAILYARD, "sweep", "case.toml", "--threads", "1", *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 1, said)
        return said

    def test_it_goes_on_when_other_results_are_named(self):
        whole = self.bytes_of("whole")
        self.stop_soon("--csv", "j.csv")
        kept = (self.folder / "j.csv.journal").read_text().splitlines()
        self.assertGreater(len(kept), 1)
        done = self.call("case.toml", "--csv", "j.csv", "--db", "j.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"j.csv.journal goes on: {len(kept) - 1} of 200 points are done", done.stderr)
        self.assertEqual(
            whole, [(self.folder / f"j.{kind}").read_bytes() for kind in ("csv", "db")]
        )
        self.assertEqual(list(self.folder.glob("j.*.journal")), [])

    def test_a_journal_of_another_build_is_refused(self):
        journal = self.folder / "out" / "task-0.journal"
        journal.parent.mkdir()
        self.assertEqual(self.call("case.toml", "--journal", journal).returncode, 0)
        head, rest = journal.read_text().split("\n", 1)
        words = head.split()
        self.assertEqual(len(words), 6, "kind, name of three words, version, build")
        for other in ("0.0.1 abc", ""):
            journal.write_text(" ".join(words[:4]) + f" {other}".rstrip() + "\n" + rest)
            for more in (("--journal", journal), ("--collect", "out")):
                done = self.call("case.toml", *more)
                self.assertEqual(done.returncode, 2)
                self.assertIn("RY-SEA-004", done.stderr)

    def test_nothing_is_run_for_nobody(self):
        for more in ((), ("--csv", "-")):
            done = self.call("case.toml", "--shard", "1/3", *more)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("RY-SWP-017", done.stderr)
        done = self.call("case.toml", "--shard", "1/3", "--csv", "part.csv")
        self.assertEqual(done.returncode, 0)
        self.assertIn("part.csv.journal has part 1/3", done.stderr)
        self.assertIn("are done and lost: --csv, --db or --journal keeps them", self.stop_soon())

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

    def test_a_figure_that_no_point_has_is_told(self):
        star = self.folder / "star.toml"
        star.write_text(
            'name = "a star"\n[cluster]\ngpus = 4\n[fabric]\ntopology = "star"\nlink_rate = "100 Gb/s"\n'
            'switch_latency = "900 ns"\n[collective]\nkind = "all_reduce"\nsizes = ["1 MB"]\n'
            '[engine]\nfidelity = "analytic"\n[sweep]\nfigures = ["points[0].busbw_gb"]\n'
            "[sweep.axes]\ncluster.gpus = [2, 3, 4]\n"
        )
        done = self.call("star.toml", "--csv", "star.csv", "--quiet")
        self.assertEqual(done.returncode, 0)
        said = " ".join(done.stderr.split())
        self.assertIn("RY-SWP-018", said)
        self.assertIn("did you mean 'points[0].busbw_gbs'?", said)
        self.assertEqual(said.count("RY-SWP-018"), 1)

    def test_a_sweep_of_which_nothing_can_be_run_fails(self):
        done = self.call("case.toml", "--quiet", "--set", "fabric.spines=0", "--csv", "none.csv")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no point could be run; the first: ", done.stderr)
        self.assertEqual(list(self.folder.glob("*.journal")), [])
        self.assertEqual((self.folder / "none.csv").read_text().count(",refused,"), 200)

    def test_check_and_run_know_a_sweep(self):
        (self.folder / "base.toml").write_text(CASE[: CASE.index("[sweep]")])
        over = self.folder / "over.toml"
        over.write_text('[sweep]\nscenario = "base.toml"\n[sweep.axes]\ncluster.gpus = [8, 16]\n')

        def say(command, file):
            done = subprocess.run(
                [RAILYARD, command, file], cwd=self.folder, capture_output=True, text=True
            )
            return done.returncode, " ".join((done.stdout + done.stderr).split())

        code, said = say("run", "over.toml")
        self.assertEqual(code, 2)
        self.assertIn("RY-SWP-019", said)
        self.assertIn("railyard sweep runs it", said)
        self.assertNotIn("link_rate", said)
        self.assertEqual(say("check", "over.toml"), (0, "over.toml: fine"))
        self.assertEqual(say("check", "case.toml")[0], 0)
        over.write_text(over.read_text().replace("cluster.gpus", "cluster.gpu_count"))
        code, said = say("check", "over.toml")
        self.assertEqual(code, 2)
        self.assertIn("RY-SWP-005", said)
        inline = self.folder / "inline.toml"
        inline.write_text(CASE.replace("* 2 <= 20", "* 2 <="))
        self.assertIn("RY-SWP-006", say("check", "inline.toml")[1])
        over.write_text('[sweep]\nscenario = "base.toml"\n[sweep.axes]\nfabric.spines = [0]\n')
        code, said = say("check", "over.toml")
        self.assertEqual(code, 2)
        self.assertIn("spines", said)

    def test_a_log_tells_how_far_it_is(self):
        """Where stderr is no terminal, as under mpirun, there is a line now and then."""
        long = CASE.replace('"1 MB"', '"40 MB"')
        self.case.write_text(long)
        process = subprocess.Popen(
            [RAILYARD, "sweep", "case.toml", "--threads", "1", "--csv", "log.csv"],
            cwd=self.folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertRegex(line, r"^railyard: \d+ of 200 points, \d+ s(, about \d+ s left)?$")

    def test_points_are_listed_and_results_shown(self):
        listed = self.call("case.toml", "--dry-run").stdout.splitlines()
        self.assertEqual(listed[0], "point,traffic.rounds,cluster.gpus,engine.seed")
        self.assertEqual((listed[1], listed[-1]), ("0,1,8,1", "199,10,16,10"))
        self.bytes_of("good")
        shown = self.call("show", "good.db", "-o", "page.html")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for text in (
            "200 points: 200 were run.",
            "time_s is best with traffic.rounds = 1, cluster.gpus =",
            "on average over 10 seeds (",
            "The best designs by time_s, means over seeds",
            "by traffic.rounds and cluster.gpus",
        ):
            self.assertIn(text, " ".join(shown.stdout.split()))
        self.assertIn("<html", (self.folder / "page.html").read_text()[:200])


if __name__ == "__main__":
    unittest.main()
