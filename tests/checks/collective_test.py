"""railyard collective prints what nccl-tests prints."""
import re
import statistics
import subprocess
import unittest

from nccl_tests_table import RAILYARD, parse, cluster, sweep

MIB = 1 << 20


class Table(unittest.TestCase):
    SERVER = cluster(
        {
            "curve": "one server",
            "gpu": "H100-SXM-80",
            "nodes": "1",
            "gpus": "8",
            "nics_per_node": "0",
            "nic_GBs": "0",
        }
    )

    def test_a_sweep_has_every_size_and_the_lines_of_nccl_tests(self):
        result = sweep("all_reduce", self.SERVER, "-b", "8", "-e", "16G", "-f", "2")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = parse(result.stdout)
        self.assertEqual(sorted(rows), [8 << i for i in range(32)])
        for size, row in rows.items():
            self.assertEqual(row["count"], size // 4)
            self.assertAlmostEqual(
                row["algbw"], size / row["time"] / 1e3, delta=0.006 + row["algbw"] * 1e-3
            )
            self.assertAlmostEqual(row["busbw"], row["algbw"] * 1.75, delta=0.02)
        lines = result.stdout.splitlines()
        self.assertIn("step: 2(factor)", lines[0])
        self.assertTrue(
            any(
                re.match(
                    r"# +size +count +type +redop +root +time +algbw +busbw +#wrong +time", line
                )
                for line in lines
            )
        )
        self.assertTrue(any(re.match(r"# Out of bounds values : 0 OK$", line) for line in lines))
        average = re.search(r"^# Avg bus bandwidth    : ([\d.]+) $", result.stdout, re.M)
        self.assertAlmostEqual(
            float(average[1]), statistics.mean(row["busbw"] for row in rows.values()), delta=0.01
        )
        self.assertRegex(result.stdout, r"# 8 B to .*: ring LL, 1 channel")

    def test_the_header_says_what_was_asked_for(self):
        for arguments, words in [
            (
                ["-b", "8", "-e", "16G", "-f", "64"],
                f"minBytes 8 maxBytes {16 << 30} step: 64(factor)",
            ),
            (
                ["-b", "1M", "-e", "3500K", "-i", "1M"],
                f"minBytes {MIB} maxBytes {3500 << 10} step: {MIB}(bytes)",
            ),
            (["-b", "1M", "-e", "1M"], f"minBytes {MIB} maxBytes {MIB} step: 2(factor)"),
        ]:
            first = sweep("all_reduce", self.SERVER, *arguments).stdout.splitlines()[0]
            self.assertIn(words, first)

    def test_counts_are_of_one_rank_where_nccl_tests_counts_those(self):
        rows = parse(sweep("all_gather", self.SERVER, "-b", "1M", "-e", "4M").stdout)
        self.assertEqual(rows[MIB]["count"], MIB // 4 // 8)

    def test_every_collective_prints_a_table(self):
        for kind in [
            "all_reduce",
            "all_gather",
            "reduce_scatter",
            "all_to_all",
            "broadcast",
            "reduce",
            "send",
        ]:
            self.assertEqual(
                len(parse(sweep(kind, self.SERVER, "-b", "1M", "-e", "8M", "-i", "1M").stdout)),
                8,
                kind,
            )

    def test_mistakes_get_a_sentence(self):
        for arguments, words in [
            (["-b", "8X"], "-b 8X is not a size"),
            (["-b", "2G", "-e", "1G"], "below"),
            (["-f", "1"], "never gets"),
            (["-b", "1", "-e", "1G", "-i", "1"], "4096"),
        ]:
            result = sweep("all_reduce", self.SERVER, *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn("RY-RUN-015", result.stderr)
            self.assertIn(words, result.stderr)
        self.assertIn("all_reduce", sweep("allreduce", self.SERVER).stderr)

    def test_a_scenario_of_a_model_lends_its_machines(self):
        result = subprocess.run(
            [
                RAILYARD,
                "collective",
                "all_reduce",
                "--scenario",
                "scenarios/llama3.toml",
                "-b",
                "1G",
                "-e",
                "1G",
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(parse(result.stdout)), 1)


unittest.main()
