"""Predictions hold against published steps: the bars of railyard accuracy, and DeepSeek-V3's step in parts."""
import csv
import io
import json
import statistics
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()


def railyard(*arguments):
    return subprocess.run([RAILYARD, *arguments], capture_output=True, text=True)


def errors(rows, tables):
    return [abs(float(row["error"])) for row in rows if row["table"] in tables and row["excluded"] == "none"]


class Published(unittest.TestCase):
    CALIBRATION = {"korthikanti", "sc21", "mlperf-gpt3", "mlperf-llama405b", "megascale", "megatron-core", "deepseek-v3", "amd"}
    CHECK = {"llama3", "megatron-bridge", "mpt-a100", "mpt-h100"}

    def rows(self):
        result = railyard("accuracy", "--csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def test_tables_the_constants_were_set_with(self):
        found = errors(self.rows(), self.CALIBRATION)
        self.assertGreaterEqual(len(found), 60)
        self.assertLessEqual(statistics.median(found), 0.05)
        self.assertGreaterEqual(sum(error <= 0.12 for error in found) / len(found), 0.9)
        self.assertLessEqual(max(found), 0.25)

    def test_tables_that_were_not_looked_at(self):
        found = errors(self.rows(), self.CHECK)
        self.assertGreaterEqual(len(found), 120)
        self.assertLessEqual(statistics.median(found), 0.07)
        self.assertGreaterEqual(sum(error <= 0.12 for error in found) / len(found), 0.8)
        self.assertLessEqual(max(found), 0.3)

    def test_every_table_is_known_here(self):
        self.assertEqual({row["table"] for row in self.rows()}, self.CALIBRATION | self.CHECK)

    def test_backward_passes_of_deepseek_v3(self):
        result = json.loads(railyard("run", "scenarios/deepseek-v3.toml", "--json", "-").stdout)
        stage = result["stages"][1]
        self.assertAlmostEqual((stage["backward_s"] + stage["input_gradient_s"]) / 1.99, 1, delta=0.1)

    def test_one_table_and_a_wrong_one(self):
        table = railyard("accuracy", "--table", "sc21")
        self.assertEqual(table.returncode, 0)
        self.assertIn("1008.0B", table.stdout)
        self.assertNotIn("Korthikanti", table.stdout)
        wrong = railyard("accuracy", "--table", "sc22")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("RY-PUB-003", wrong.stderr)
        self.assertIn("sc21", wrong.stderr)


unittest.main()
