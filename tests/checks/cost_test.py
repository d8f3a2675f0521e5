"""railyard cost from outside: answer first, own prices win, what is missing is said, cables are those of the bill."""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RAILYARD = sys.argv.pop()


def cost(*args, scenario="deepseek-v2", env=None):
    return subprocess.run(
        [RAILYARD, "cost", scenario, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )


def document(*args, **others):
    return json.loads(cost("--json", "-", *args, **others).stdout)


class Answer(unittest.TestCase):
    def test_comes_first_and_says_what_is_missing(self):
        result = cost()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        answer = " ".join(result.stdout.split("What is missing")[0].split())
        self.assertIn("The network of 2,048 GPUs costs at least $10.0 million", answer)
        self.assertIn("What its servers cost is not known; give prices.server.", answer)
        self.assertRegex(answer, r"A million tokens cost at least \$0\.0\d+")
        self.assertIn("No price of ConnectX-7 is known; give prices.ConnectX-7.", result.stdout)
        for title in ("Parts", "Links that are slow or lost", "Where figures come from"):
            self.assertIn(title, result.stdout)

    def test_fits_eighty_columns(self):
        for line in cost(env={"COLUMNS": "80"}).stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_own_prices_make_it_whole_and_win(self):
        own = ["--set", "prices.server=300000 USD", "--set", "prices.Quantum-2=36000 USD"]
        found = document(*own, "--no-links")
        self.assertTrue(found["usd"]["complete"])
        self.assertAlmostEqual(found["network_usd_per_gpu"], 4247.5)  # 48 × 36,000 / 1,024 + 2,560
        self.assertAlmostEqual(found["usd"]["value"], 256 * 300000 + 4247.5 * 2048)
        hour, rate = found["usd_per_hour"]["value"], found["step"]["tokens_per_s"]
        self.assertAlmostEqual(
            found["step"]["usd_per_million_tokens"]["value"], hour / (rate * 3600 * 0.9) * 1e6
        )
        longer = document(*own, "--no-links", "--set", "cost.years=8")
        self.assertLess(longer["usd_per_hour"]["value"], hour)

    def test_a_file_of_prices_is_below_set_and_above_the_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            prices = pathlib.Path(folder) / "prices.toml"
            prices.write_text('[prices]\nQuantum-2 = "1 USD"\nfibre = "7 USD"\n[cost]\npue = 1.5\n')
            found = document("--no-links", "--prices", prices, "--set", "prices.Quantum-2=2 USD")
            each = {part["part"]: part.get("usd_each") for part in found["parts"] if "part" in part}
            self.assertEqual((each["Quantum-2"], each["fibre"]), (2, 7))
            self.assertEqual(
                [i["value"] for i in found["inputs"] if i["key"] == "cost.pue"], ["1.5"]
            )
            prices.write_text("[fabric]\n")
            self.assertIn("RY-CST-003", cost("--prices", prices).stderr)
            prices.write_text("[prices\n")
            self.assertIn("RY-CST-002", cost("--prices", prices).stderr)
        missing = cost("--prices", "no/such.toml")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("RY-CST-002", missing.stderr)

    def test_is_the_same_at_any_number_of_threads(self):
        self.assertEqual(cost("--threads", 1).stdout, cost("--threads", 2).stdout)

    def test_links_that_are_bad_cost_time(self):
        found = document("--links", scenario="llama3", *[])
        links = {one["what"]: one for one in found["step"]["links"]}
        half = links["one link of a NIC at half its rate"]
        self.assertGreater(half["step_s"], found["step"]["carried_step_s"])
        self.assertIn('failures."gpu 0 port 0"', half["command"].replace("'", ""))


class Files(unittest.TestCase):
    def test_cables_are_those_of_the_bill(self):
        cables = list(csv.DictReader(io.StringIO(cost("--no-links", "--cables", "-").stdout)))
        bill = list(csv.DictReader(io.StringIO(cost("--no-links", "--csv", "-").stdout)))
        for tier in ("host to leaf", "leaf to spine"):
            fibres = sum(
                int(p["count"]) for p in bill if p["kind"] == "fibre" and p["where"] == tier
            )
            self.assertEqual(sum(cable["tier"] == tier for cable in cables), fibres)
        ends = [(c["device_" + end], c["port_" + end]) for c in cables for end in "ab"]
        self.assertEqual(len(ends), len(set(ends)))

    def test_a_scenario_that_runs_nothing_has_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder) / "plain.toml"
            plain.write_text(
                'name = "a"\n[cluster]\ngpus = 64\ngpus_per_node = 8\n'
                '[fabric]\ntopology = "star"\nlink_rate = "400 Gb/s"\n'
            )
            result = cost(scenario=str(plain))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("No price of a switch without a name is known", result.stdout)
            self.assertNotIn("tokens", result.stdout)


if __name__ == "__main__":
    unittest.main()
