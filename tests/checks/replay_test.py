"""railyard replay plays traces of other tools on any network, and tells what is wrong with them."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAILYARD = pathlib.Path(sys.argv.pop()).resolve()
TRACES = ROOT / "docs" / "traces"
STAR = """name = "a star"
[cluster]
gpus = 8
[fabric]
topology = "star"
switching = "store-and-forward"
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "700 ns"
host_latency = "1 us"
"""


def alone(size):
    """Microseconds of a message alone on the star: docs/models.md, latency of a path."""
    wire = size + 16 + 82 * max(1, -(-size // 4096))
    first = min(size, 4096) + 98
    return (wire + first) * 8 / 400e3 + 2 * 0.5 + 0.7 + 2 * 1.0


def replay(*arguments):
    return subprocess.run([RAILYARD, "replay", *arguments], capture_output=True, text=True)


class Replay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.star = self.folder / "star.toml"
        self.star.write_text(STAR)

    def results(self, *arguments):
        done = replay(*arguments, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return json.loads(done.stdout)

    def test_a_token_takes_what_is_computed_by_hand_on_every_engine(self):
        for engine, within in (("analytic", 1e-9), ("flow", 1e-9), ("packet", 0.005)):
            found = self.results(
                TRACES / "token.goal",
                "--scenario",
                self.star,
                "--set",
                f"engine.fidelity={engine}",
            )
            expected = 4 * (10 + alone(1 << 20))
            self.assertAlmostEqual(found["trace"]["makespan_us"], expected, delta=expected * within)

    def test_packed_files_are_the_same(self):
        packed = self.folder / "token.goal.gz"
        packed.write_bytes(gzip.compress((TRACES / "token.goal").read_bytes()))
        plain = self.results(TRACES / "token.goal", "--scenario", self.star)
        found = self.results(packed, "--scenario", self.star)
        self.assertEqual(found["fingerprint"], plain["fingerprint"])

    def test_compute_scales_and_ranks_repeat(self):
        found = self.results(
            TRACES / "token.goal",
            "--scenario",
            self.star,
            "--ranks",
            "8",
            "--compute-scale",
            "2",
        )
        self.assertEqual(found["trace"]["ranks"], 8)
        self.assertAlmostEqual(found["trace"]["makespan_us"], 4 * (20 + alone(1 << 20)), places=6)

    def test_chakra_takes_a_folder_or_a_beginning(self):
        for name in (TRACES / "chakra", TRACES / "chakra" / "step"):
            found = self.results(name, "--scenario", self.star, "--groups", TRACES / "groups.json")
            expected = 150 + alone(1 << 18) + 6 * alone(1 << 20)
            self.assertAlmostEqual(found["trace"]["makespan_us"], expected, places=6)

    def test_simai_runs_from_its_own_two_files(self):
        found = self.results(TRACES / "layers.txt", "--topology", TRACES / "servers.txt")
        self.assertEqual(found["trace"]["ranks"], 16)
        self.assertEqual(found["fabric"]["topology"], "file")
        kinds = {(one["what"], one["ranks"]): one["calls"] for one in found["trace"]["operations"]}
        self.assertEqual(kinds, {("all_reduce", 4): 24})  # four tensor groups, four data groups

    def test_logs_of_all_ranks_are_played_with_what_lies_between_calls(self):
        found = self.results(TRACES / "inspector", "--scenario", self.star)
        trace = found["trace"]
        self.assertEqual((trace["format"], trace["ranks"]), ("inspector", 4))
        expected = (
            50 + alone(1 << 20) + 6 * alone(1 << 20)
        )  # 2 MiB gathered by 2, 4 MiB reduced by 4
        self.assertAlmostEqual(trace["makespan_us"], expected, places=6)
        lone = self.results(
            TRACES / "inspector" / "gpu0-pid4000.log", "--scenario", self.star, "--ranks", "8"
        )
        self.assertEqual(lone["trace"]["ranks"], 8)
        self.assertAlmostEqual(lone["trace"]["makespan_us"], expected, places=6)

    def test_packets_do_not_depend_on_threads(self):
        arguments = [
            TRACES / "chakra",
            "--scenario",
            self.star,
            "--set",
            "engine.fidelity=packet",
        ]
        one, two = (self.results(*arguments, "--threads", n) for n in ("1", "2"))
        one.pop("wall_s"), two.pop("wall_s")
        self.assertEqual(one, two)

    def test_mistakes_have_their_line(self):
        broken = self.folder / "broken.goal"
        broken.write_text("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 0\n")
        done = replay(broken, "--scenario", self.star)
        self.assertEqual(done.returncode, 2)
        self.assertIn("broken.goal:3:1: error RY-TRC-002", done.stderr)
        log = self.folder / "cut.log"
        log.write_text((TRACES / "inspector" / "gpu0-pid4000.log").read_text()[:-20])
        self.assertIn("cut.log:2:1: error RY-TRC-002", replay(log, "--scenario", self.star).stderr)
        self.assertEqual(replay(TRACES / "token.goal").returncode, 2)
        both = ["--scenario", self.star, "--topology", TRACES / "servers.txt"]
        self.assertEqual(replay(TRACES / "token.goal", *both).returncode, 2)

    def test_a_folder_without_files_of_ranks_is_called_one(self):
        (self.folder / "kineto").mkdir()
        (self.folder / "kineto" / "worker0.pt.trace.json").write_text('{"traceEvents": []}')
        done = replay(self.folder / "kineto", "--scenario", self.star)
        said = " ".join(done.stderr.split())
        self.assertEqual(done.returncode, 2)
        self.assertIn("this is a folder", said)
        self.assertIn("name a file in it", said)
        self.assertNotIn("there is no such trace", said)

    def test_the_answer_comes_first(self):
        done = replay(TRACES / "token.goal", "--scenario", self.star)
        self.assertEqual(done.returncode, 0)
        self.assertIn("The trace takes 140.7 µs.", " ".join(done.stdout.split())[:200])


unittest.main()
