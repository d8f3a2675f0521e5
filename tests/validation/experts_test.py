"""railyard experts holds against tables that its constants were not set on, and mistakes get a sentence."""
import pathlib
import re
import tempfile
import unittest

from published_experts import H800, HeldAgainstRows, asked, experts, points


class Published(HeldAgainstRows):
    def test_the_paper(self):
        self.hold("isca25", "normal", 8)

    def test_v2_on_other_gpus(self):
        self.hold("v2", "normal", 10)


class Machines(unittest.TestCase):
    def test_limits_are_those_the_kernels_have(self):
        found = points(asked())
        self.assertEqual(sorted({ranks for ranks, _ in found}), [8, 16, 32, 64])
        for (ranks, _), point in found.items():
            self.assertEqual(point["limited_by"], "scale-up" if ranks <= 16 else "NIC")
            self.assertEqual(point["network_bytes"] > 0, ranks > 8)
            self.assertGreater(point["scale_up_bytes"], 0)

    def test_a_thinner_network_shows_and_a_node_does_not_see_it(self):
        thin = [
            "--set",
            "fabric.topology=rail-optimized",
            "--set",
            "fabric.hosts_per_leaf=4",
            "--set",
            "fabric.oversubscription=4",
        ]
        full, slow = points(asked()), points(asked(*thin))
        self.assertEqual(slow[8, "dispatch"]["time_us"], full[8, "dispatch"]["time_us"])
        self.assertEqual(slow[32, "dispatch"]["time_us"], full[32, "dispatch"]["time_us"])
        self.assertGreater(slow[64, "dispatch"]["time_us"], 1.5 * full[64, "dispatch"]["time_us"])
        self.assertLess(slow[64, "combine"]["nic_GBs"], 25)

    def test_bf16_doubles_a_dispatch(self):
        fp8, bf16 = (
            asked("--ranks", 64)["points"][0],
            asked("--ranks", 64, "--bf16-dispatch")["points"][0],
        )
        self.assertAlmostEqual(bf16["time_us"] / fp8["time_us"], 2 / (1 + 4 / 128), 5)

    def test_a_model_of_experts_lends_its_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.toml"
            path.write_text(f'extends = "{pathlib.Path("scenarios/deepseek-v2.toml").resolve()}"\n')
            document = asked("--ranks", 8, scenario=path)
        self.assertEqual(
            (document["hidden"], document["experts"], document["top_k"], document["node_limit"]),
            (5120, 160, 6, 3),
        )
        self.assertEqual(
            asked("--ranks", 8, "--top-k", 4, scenario="scenarios/deepseek-v3.toml")["top_k"], 4
        )
        self.assertEqual(
            asked("--ranks", 8, scenario="scenarios/llama3.toml")["model"], "DeepSeek-V3"
        )

    def test_the_table_says_where_its_constants_come_from(self):
        result = experts("--ranks", "32")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(
            result.stdout, r"32 +4 +dispatch +[\d.]+ +[\d.]+ +NIC +[\d.]+ +[\d.]+ +49\.\d"
        )
        self.assertIn("estimated on what DeepEP V1", re.sub(r"\s+", " ", result.stdout))
        self.assertEqual(experts("--quiet").stdout, "")


class Mistakes(unittest.TestCase):
    def refused(self, code, words, *arguments, scenario=H800):
        result = experts(*arguments, scenario=scenario)
        self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
        self.assertIn(code, result.stderr)
        self.assertIn(words, result.stderr)

    def test_groups_that_the_cluster_does_not_have(self):
        self.refused("RY-RUN-016", "do not fill whole nodes of 8", "--ranks", "12")
        self.refused("RY-RUN-016", "more than the 256 GPUs", "--ranks", "512")
        self.refused("RY-RUN-016", "at least two ranks", "--ranks", "1")

    def test_every_wrong_size_is_named(self):
        result = experts("--ranks", "12,16,512")
        self.assertEqual(len(re.findall("RY-RUN-016", result.stderr)), 2)

    def test_experts_that_cannot_be_dealt(self):
        self.refused("RY-RUN-017", "use 64 experts or 48 ranks", "--ranks", "64", "--experts", "96")
        self.refused(
            "RY-RUN-017", "9 of 8 experts", "--ranks", "8", "--experts", "8", "--top-k", "9"
        )
        self.refused(
            "RY-RUN-017",
            "1 of 8 nodes",
            "--ranks",
            "64",
            "--experts",
            "64",
            "--top-k",
            "9",
            "--node-limit",
            "1",
        )

    def test_gpus_without_links(self):
        self.refused("RY-RUN-018", "scale_up_rate", "--ranks", "8", scenario="scenarios/first.toml")

    def test_what_cannot_be_run_yet(self):
        self.refused("RY-RUN-010", "packet", "--set", "engine.fidelity=packet")

    def test_options_that_are_none(self):
        for arguments, words in [
            (["--ranks", "x"], "--ranks"),
            (["--tokens", "0"], "--tokens"),
            (["--low-latency", "--node-limit", "4"], "--node-limit"),
            (["--topk", "8"], "--top-k"),
        ]:
            self.refused("railyard", words, *arguments)


unittest.main()
