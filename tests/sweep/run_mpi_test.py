"""railyard run under mpirun: processes that play packets together write what one writes, and refuse what they do not play."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
MPIRUN = "mpirun --oversubscribe --allow-run-as-root --bind-to none -n".split()

FABRIC = """
name = "together"
[cluster]
gpus = 24
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 4
link_rate = "100 Gb/s"
switch_latency = "900 ns"
host_latency = "1 us"
[engine]
fidelity = "packet"
"""

# What crosses between processes: packets, pauses, marks, credits, drops, packets that choose their way, answers of windows.
TRAFFIC = {
    "pauses": ("[traffic]\npattern = 'incast'\nfan_in = 7\nsize = '200 kB'\n", []),
    "marks": ("[traffic]\npattern = 'permutation'\nsize = '200 kB'\n", ["fabric.spines=1"]),
    "adaptive": (
        "[traffic]\npattern = 'permutation'\nsize = '200 kB'\n[routing]\npolicy = 'adaptive'\n",
        [],
    ),
    "spray": (
        "[traffic]\npattern = 'all-to-all'\nsize = '30 kB'\n[routing]\npolicy = 'spray'\n",
        [],
    ),
    "credits": (
        "[traffic]\npattern = 'incast'\nfan_in = 7\nsize = '200 kB'\n[transport]\nkind = 'infiniband'\n",
        [],
    ),
    "windows": (
        "[traffic]\npattern = 'incast'\nfan_in = 7\nsize = '200 kB'\n[transport]\nkind = 'tcp'\n",
        [],
    ),
    "trims": (
        "[traffic]\npattern = 'incast'\nfan_in = 7\nsize = '200 kB'\n[transport]\nkind = 'uec'\n",
        [],
    ),
    "slow": (
        "[traffic]\npattern = 'permutation'\nsize = '200 kB'\nslow_hosts = [3, 9]\nslow_rate = '10 Gb/s'\n",
        [],
    ),
}

STEP = """
name = "a step together"
[cluster]
gpus = 8
gpu = "H100-SXM-80"
gpus_per_node = 2
nic = "ConnectX-7"
[model]
layers = 2
hidden = 512
heads = 8
ffn = 1024
vocabulary = 2048
sequence = 256
[parallel]
tensor = 2
data = 4
[training]
global_batch = 4
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
[engine]
fidelity = "packet"
"""


class Together(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, words, processes=1):
        front = [*MPIRUN, str(processes)] if processes > 1 else []
        return subprocess.run(
            [*front, RAILYARD, *words], capture_output=True, text=True, cwd=self.folder, timeout=300
        )

    def document(self, words, processes=1):
        done = self.call(
            ["run", "case.toml", "--quiet", "--no-advice", "--json", "out.json", *words], processes
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "out.json").read_text()
        (self.folder / "out.json").unlink()
        return "\n".join(line for line in text.splitlines() if '"wall_s"' not in line)

    def same(self, text, words, processes):
        (self.folder / "case.toml").write_text(text)
        alone = self.document(words)
        self.assertGreater(int(re.search(r'"packet_hops": (\d+)', alone)[1]), 1000)
        for count in processes:
            self.assertEqual(self.document(words, count), alone, f"{count} processes")

    def test_traffic_is_the_same(self):
        for number, (name, (traffic, settings)) in enumerate(TRAFFIC.items()):
            with self.subTest(name):
                words = [word for one in settings for word in ("--set", one)]
                self.same(FABRIC + traffic, words, [2 + number % 3])

    def test_threads_in_processes(self):
        self.same(FABRIC + TRAFFIC["pauses"][0], ["--threads", "2"], [2])

    def test_a_step_is_the_same(self):
        self.same(STEP, [], [2, 3])

    def test_what_is_left_over(self):
        # Queues that never empty, and a record of why: hosts that take nothing in.
        stuck = "[traffic]\npattern = 'permutation'\nsize = '500 kB'\nslow_hosts = [3, 9]\nslow_rate = '0 b/s'\n"
        (self.folder / "case.toml").write_text(FABRIC + stuck)
        words = ["run", "case.toml", "--quiet", "--no-advice", "--json", "-"]
        alone, both = (self.call(words, processes) for processes in (1, 2))
        lines = [[x for x in one.stdout.splitlines() if "wall_s" not in x] for one in (alone, both)]
        self.assertGreater(len(lines[0]), 10)
        self.assertEqual(lines[0], lines[1])

    def test_one_voice(self):
        (self.folder / "case.toml").write_text(FABRIC + TRAFFIC["marks"][0])
        alone, both = (self.call(["run", "case.toml"], processes) for processes in (1, 2))
        self.assertEqual((both.returncode, both.stderr), (0, ""))
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", both.stdout), alone.stdout)

    def refused(self, processes):
        done = subprocess.run(
            [*MPIRUN, *processes], capture_output=True, text=True, cwd=self.folder, timeout=300
        )
        self.assertEqual(done.returncode, 2, done.stderr)
        return done

    def in_two_folders(self):
        """The second process finds what is in `other`."""
        wrapper = self.folder / "wrapper"
        wrapper.write_text(
            '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd other\n'
            f"exec {RAILYARD} run case.toml --quiet\n"
        )
        wrapper.chmod(0o755)
        return self.refused(["2", str(wrapper)])

    def test_what_is_not_played_is_refused(self):
        for change, what in (
            ("[traffic]\npattern = 'permutation'\nsize = '1 kB'\n", 'fidelity "flow"'),
            ("[collective]\nkind = 'all_reduce'\nsizes = ['1 MB']\n", "[collective]"),
        ):
            (self.folder / "case.toml").write_text(FABRIC + change)
            words = ["--set", "engine.fidelity=flow"] if "flow" in what else []
            done = self.call(["run", "case.toml", "--json", "out.json", *words], 2)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"RY-RUN-089: several processes do not play {what}", done.stderr)
            self.assertEqual(done.stderr.count("RY-RUN-089"), 1)

    def test_all_have_the_same_scenario(self):
        (self.folder / "case.toml").write_text(FABRIC + TRAFFIC["marks"][0])
        (self.folder / "other").mkdir()
        (self.folder / "other/case.toml").write_text(FABRIC + TRAFFIC["pauses"][0])
        done = self.in_two_folders()
        self.assertIn("RY-RUN-090", done.stderr)
        # One that has no such file is not waited for.
        (self.folder / "other/case.toml").unlink()
        done = self.in_two_folders()
        self.assertIn("RY-RUN-090: process 1 cannot go on", done.stderr)

    def test_all_have_the_same_settings(self):
        (self.folder / "case.toml").write_text(FABRIC + TRAFFIC["marks"][0])
        words = [RAILYARD, "run", "case.toml", "--quiet"]
        other = [*words, "--set", "fabric.spines=2"]
        done = self.refused(["1", *words, ":", "-n", "1", *other])
        self.assertIn("RY-RUN-090", done.stderr)

    def test_all_have_the_same_files(self):
        flows = "[traffic]\npattern = 'file'\nfile = 'flows.csv'\n"
        (self.folder / "other").mkdir()
        for folder, size in ((self.folder, 20000), (self.folder / "other", 30000)):
            (folder / "case.toml").write_text(FABRIC + flows)
            (folder / "flows.csv").write_text(f"source,destination,bytes,start_us\n0,9,{size},0\n")
        done = self.in_two_folders()
        self.assertIn("RY-RUN-090", done.stderr)


if __name__ == "__main__":
    unittest.main()
