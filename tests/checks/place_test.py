"""railyard place from outside: better than the scheduler on fragmented clusters, files for launchers, repeatable, refusals."""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = pathlib.Path(sys.argv.pop()).resolve()
EXPERTS = str(pathlib.Path("scenarios/place/experts.toml").resolve())
SMALL = ["--set", "cluster.gpus=128", "--set", "parallel.expert=16", "--set", "fabric.gpus=256"]
SMALL += ["--set", "training.recompute=full", "--set", "training.global_batch=128"]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def place(self, *args, command="place", scenario=EXPERTS):
        return subprocess.run(
            [RAILYARD, command, scenario, *args], cwd=self.folder, capture_output=True, text=True
        )

    def nodes(self, count, seed, name="nodes.txt"):
        """Half of them free, at random."""
        free = set(random.Random(seed).sample(range(count), count // 2))
        lines = [f"gpu{i + 1:03} {'idle' if i in free else 'alloc'}\n" for i in range(count)]
        (self.folder / name).write_text("".join(lines))
        return name, {f"gpu{i + 1:03}" for i in free}

    def document(self, *args):
        done = self.place("--json", "-", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Fragmented(Case):
    """1,024 GPUs, half of them free."""

    def test_is_faster_than_the_scheduler_and_than_every_policy(self):
        for seed in range(1, 21):
            file, free = self.nodes(128, seed)
            found = self.document("--nodes", file)
            self.assertLess(found["best_s"], found["scheduler_s"] * 0.9, seed)
            for one in found["placements"]:
                self.assertLessEqual(found["best_s"], one["step_s"], one["name"])
            self.assertEqual({node for node, _ in found["ranks"]}, free)
            self.assertEqual(len(set(map(tuple, found["ranks"]))), 512)

    def test_a_fabric_that_blocks_nothing_hardly_gains(self):
        file, _ = self.nodes(128, 1)
        found = self.document("--nodes", file, "--set", "fabric.oversubscription=1")
        self.assertTrue(0 <= found["gain"] < 0.01, found["gain"])


class Files(Case):
    def setUp(self):
        super().setUp()
        self.file, self.free = self.nodes(32, 3)
        self.args = ["--nodes", self.file, *SMALL]

    def test_threads_change_no_byte(self):
        one, two = (self.place(*self.args, "--json", "-", "--threads", n).stdout for n in "12")
        self.assertGreater(len(one), 1000)
        self.assertEqual(one, two)

    def test_goes_on_after_a_kill(self):
        whole = self.document(*self.args)
        for wait in (0.2, 0.4):
            process = subprocess.Popen(
                [RAILYARD, "place", EXPERTS, *self.args, "--journal", "journal", "--quiet"],
                cwd=self.folder,
            )
            time.sleep(wait)
            process.kill()
            process.wait()
        journal = self.folder / "journal"
        kept = journal.read_text().splitlines() if journal.exists() else []
        self.assertEqual(self.document(*self.args, "--journal", "journal"), whole)
        lines = journal.read_text().splitlines()
        self.assertLessEqual(set(kept[:-1]), set(lines), "nothing is lost")
        self.assertEqual(self.document(*self.args, "--journal", "journal"), whole)
        self.assertEqual(journal.read_text().splitlines(), lines, "nothing is simulated twice")

    def test_the_command_that_is_told_repeats_the_winner(self):
        found = self.document(*self.args, "--seats", "seats.txt")
        words = found["command"].split()
        self.assertEqual(words[:3], ["railyard", "run", EXPERTS])
        again = self.place(*words[3:], "--json", "-", "--no-advice", command="run")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertAlmostEqual(json.loads(again.stdout)["step_time_s"], found["best_s"], 9)

    def test_launchers_get_the_same_placement(self):
        names = {option: option[2:] for option in ("--hostfile", "--rankfile", "--slurm")}
        found = self.document(*self.args, *(word for pair in names.items() for word in pair))
        read = {name: (self.folder / name).read_text().splitlines() for name in names.values()}
        self.assertEqual(read["slurm"], [node for node, _ in found["ranks"]])
        self.assertEqual(
            read["rankfile"],
            [f"rank {i}={node} slot={gpu}" for i, (node, gpu) in enumerate(found["ranks"])],
        )
        slots = dict(line.split(" slots=") for line in read["hostfile"])
        self.assertEqual(set(slots), set(read["slurm"]))
        self.assertEqual(set(slots.values()), {"8"})

    def test_a_file_of_switches_beside_one_of_states(self):
        lines = [f"SwitchName=leaf{i} Nodes=gpu[{4 * i + 1:03}-{4 * i + 4:03}]\n" for i in range(8)]
        (self.folder / "topology.conf").write_text("".join(lines))
        found = self.document(*self.args, "--nodes", "topology.conf")
        self.assertIn("8 leaf switches", found["nodes"]["matched"])
        self.assertEqual(found["best_s"], self.document(*self.args)["best_s"])

    def test_a_hostfile_that_cannot_say_it_is_warned_of(self):
        """RY-PLC-020 where ranks of a node do not follow each other, and only there."""
        found = self.document(*self.args, "--hostfile", "hosts", "--set", "parallel.tensor=1")
        nodes = [node for node, _ in found["ranks"]]
        runs = 1 + sum(a != b for a, b in zip(nodes, nodes[1:]))
        codes = [one["code"] for one in found["diagnostics"]]
        self.assertEqual("RY-PLC-020" in codes, runs > len(set(nodes)))


class Refusals(Case):
    def test_name_the_file_and_the_line(self):
        (self.folder / "bad.txt").write_text("gpu1\ngpu[3\n")
        done = self.place("--nodes", "bad.txt")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.txt:2: error RY-PLC-002: ", done.stderr)

    def test_too_few_nodes(self):
        (self.folder / "few.txt").write_text("gpu[1-63]\n")
        self.assertIn(
            "RY-PLC-011: the job needs 64 nodes, and 63", self.place("--nodes", "few.txt").stderr
        )

    def test_lists_are_not_written_over(self):
        file, _ = self.nodes(128, 1)
        before = (self.folder / file).read_text()
        done = self.place("--nodes", file, "--seats", file)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual((self.folder / file).read_text(), before)


unittest.main()
