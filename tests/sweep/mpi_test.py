"""railyard sweep under mpirun: four processes write what one does, need no files of their own, and a killed one is survived."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
MPIRUN = "mpirun --oversubscribe --allow-run-as-root --bind-to none -n".split()

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
pattern = "file"
file = "flows.csv"
[engine]
fidelity = "packet"
[sweep.axes]
fabric.spines = [1, 2, 3, 4]
engine.seed = { from = 1, to = 50 }
"""

TRACE = """
name = "a trace"
[trace]
file = "traces/chakra"
groups = "traces/groups.json"
[fabric]
topology = "star"
switch_latency = "700 ns"
[engine]
fidelity = "analytic"
[sweep.axes]
fabric.link_delay = { from = "100 ns", to = "159 ns", steps = 60 }
fabric.link_rate = ["400 Gb/s"]
"""

DEVICES = (
    CASE[: CASE.index("[sweep")].replace("[engine]", '[qos]\nfrom = "configs"\n[engine]')
    + "[sweep.axes]\nengine.seed = { from = 1, to = 60 }\n"
)


def flows():
    lines = [
        f"{i % 7},{i % 16},{(i * 5 + 3) % 16},1000000"
        for i in range(120)
        if i % 16 != (i * 5 + 3) % 16
    ]
    return "start_us,source,destination,bytes\n" + "\n".join(lines) + "\n"


class Mpi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "case.toml").write_text(CASE)
        (self.folder / "flows.csv").write_text(flows())
        alone = self.call(
            [RAILYARD, "sweep", "case.toml", "--quiet", "--csv", "alone.csv", "--db", "alone.db"]
        )
        self.assertEqual((alone.returncode, alone.stderr), (0, ""))

    def call(self, words):
        return subprocess.run(words, capture_output=True, text=True, cwd=self.folder, timeout=120)

    def same(self, name):
        for kind in ("csv", "db"):
            one, other = (self.folder / f"{n}.{kind}" for n in ("alone", name))
            self.assertEqual(one.read_bytes(), other.read_bytes(), kind)

    def test_same_bytes_and_files_for_the_first_alone(self):
        # The first process runs where the files are, the others where there are none.
        (self.folder / "empty").mkdir()
        wrapper = self.folder / "wrapper"
        wrapper.write_text(
            '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd empty\n'
            f"exec {RAILYARD} sweep case.toml --quiet --csv team.csv --db team.db\n"
        )
        wrapper.chmod(0o755)
        done = self.call([*MPIRUN, "4", str(wrapper)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same("team")
        self.assertEqual(list((self.folder / "empty").iterdir()), [])

    def test_traces_and_folders_go_where_there_are_no_files(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        (self.folder / "empty").mkdir()
        shutil.copytree(root / "docs/traces", self.folder / "traces")
        shutil.copytree(root / "tests/scenarios/qos/configs", self.folder / "configs")
        (self.folder / "trace.toml").write_text(TRACE)
        (self.folder / "devices.toml").write_text(DEVICES)
        wrapper = self.folder / "wrapper"
        wrapper.write_text(
            '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd empty\n'
            f'exec {RAILYARD} sweep "$1" --quiet --csv team.csv\n'
        )
        wrapper.chmod(0o755)
        for case in ("trace.toml", "devices.toml"):
            alone = self.call([RAILYARD, "sweep", case, "--quiet", "--csv", "alone.csv"])
            self.assertEqual((alone.returncode, alone.stderr), (0, ""))
            team = self.call([*MPIRUN, "3", str(wrapper), case])
            self.assertEqual(team.returncode, 0, team.stderr)
            rows = (self.folder / "alone.csv").read_bytes()
            self.assertEqual(rows, (self.folder / "team.csv").read_bytes())
            self.assertEqual(rows.count(b",ok,"), 60, rows.decode()[:2000])

    def killed(self, words, journal):
        """Lines of the journal after one of four processes was killed in the middle."""
        run = subprocess.Popen(
            [*MPIRUN, "4", *words],
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        begun = time.monotonic()
        while time.monotonic() - begun < 60 and run.poll() is None:
            if journal.exists() and journal.read_bytes().count(b"\n") > 8:
                break
            time.sleep(0.01)
        workers = subprocess.run(
            ["pgrep", "-P", str(run.pid)], capture_output=True, text=True
        ).stdout.split()
        if workers:
            os.kill(int(workers[-1]), signal.SIGKILL)
        run.wait(timeout=60)
        return journal.read_text().splitlines()

    def test_a_killed_process_is_survived(self):
        words = [
            RAILYARD,
            "sweep",
            "case.toml",
            "--quiet",
            "--journal",
            "journal",
            "--csv",
            "on.csv",
            "--db",
            "on.db",
        ]
        journal = self.folder / "journal"
        for _ in range(5):  # on a busy machine all may be done before the kill
            kept = self.killed(words, journal)
            if len(kept) < 201:
                break
            journal.unlink()
        self.assertGreater(len(kept), 8)
        self.assertLess(len(kept), 201)
        on = self.call([*MPIRUN, "2", *words])
        self.assertEqual(on.returncode, 0, on.stderr)
        self.same("on")
        lines = journal.read_text().splitlines()
        self.assertEqual(len(lines), 201, "nothing is done twice")
        self.assertLessEqual(set(kept[:-1]), set(lines), "nothing is lost")


if __name__ == "__main__":
    unittest.main()
