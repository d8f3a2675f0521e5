"""railyard goodput from outside: answer first, the same at any number of threads, pictures, mistakes get a sentence."""
import json
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

RAILYARD = sys.argv.pop()
LLAMA = "scenarios/llama3-goodput.toml"


def goodput(*args, scenario=LLAMA, text=None):
    return subprocess.run(
        [RAILYARD, "goodput", scenario, "--runs", "200", *map(str, args)],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Answer(unittest.TestCase):
    def test_comes_first_and_says_days_and_share(self):
        result = goodput()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        answer = " ".join(result.stdout.split("What to change")[0].split())
        self.assertRegex(answer, r"15\.6 trillion tokens take [\d.]+ days on 16,384 GPUs")
        self.assertRegex(answer, r"The effective training time is \d\d\.\d % ± 0\.\d\d\.")
        self.assertRegex(answer, r"What helps most: .* It gains [\d.]+ %")
        for title in (
            "Where the time goes",
            "What an interruption costs",
            "One drawn run",
            "Inputs",
        ):
            self.assertIn(title, result.stdout)

    def test_json_has_what_the_terminal_says(self):
        document = json.loads(goodput("--json", "-").stdout)
        self.assertEqual(document["schema"], "railyard-goodput/1")
        self.assertAlmostEqual(document["effective_share"]["mean"], document["expected_share"], 2)
        self.assertGreater(document["days"]["mean"], document["ideal_days"])
        whole = document["days"]["mean"] * 86400
        self.assertAlmostEqual(sum(document["time"].values()) / whole, 1, 9)
        self.assertGreaterEqual(len(document["changes"]), 4)
        gains = [change["gain"]["mean"] for change in document["changes"]]
        self.assertEqual(gains, sorted(gains, reverse=True))
        for change in document["changes"]:
            words = [word for pair in change["set"] for word in ("--set", pair)]
            again = json.loads(goodput(*words, "--no-advice", "--json", "-").stdout)
            self.assertEqual(again["effective_share"]["mean"], change["effective_share"], change)
            self.assertEqual(again["changes"], [])

    def test_is_the_same_at_any_number_of_threads(self):
        one = goodput("--json", "-", "--threads", 1)
        self.assertEqual(one.stdout, goodput("--json", "-", "--threads", 7).stdout)
        self.assertNotEqual(one.stdout, goodput("--json", "-", "--seed", 5).stdout)

    def test_days_instead_of_tokens(self):
        result = goodput("--days", 30, "--set", "training.tokens=", "--no-advice")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"In 30 days 16,384 GPUs train [\d.]+ trillion tokens")
        self.assertNotIn("What to change", result.stdout)

    def test_draws_a_run(self):
        root = xml.fromstring(goodput("--svg", "-", "--no-advice").stdout.encode())
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertGreater(len(list(root.iter("{http://www.w3.org/2000/svg}rect"))), 500)

    def test_reads_standard_input_without_advice(self):
        text = f'extends = "{pathlib.Path(LLAMA).resolve()}"\nname = "mine"\n'
        result = goodput("--set", "reliability.detection=2 min", scenario="-", text=text)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("What to change", result.stdout)


class Mistakes(unittest.TestCase):
    def refused(self, code, words, *settings, scenario=LLAMA):
        arguments = [word for setting in settings for word in ("--set", setting)]
        result = goodput(*arguments, scenario=scenario)
        self.assertEqual((result.returncode, result.stdout), (2, ""), settings)
        self.assertIn(code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_each_has_one_sentence(self):
        every = "reliability.checkpoint_interval="
        self.refused("RY-REL-001", "add tokens = 15.6e12", "training.tokens=")
        self.refused("RY-REL-002", 'profile = "llama3-h100"', "reliability.profile=")
        self.refused("RY-REL-002", "has no [reliability]", scenario="scenarios/llama3.toml")
        self.refused(
            "RY-REL-003", "use an interval of", every + "5 s", "reliability.checkpoint_write=1 min"
        )
        self.refused("RY-REL-004", "more than the 2048 servers", "reliability.spares=3000")
        self.refused("RY-REL-005", "makes no headway", "reliability.gpu_mtbf=50 h")
        self.refused("RY-REL-006", "no [model]", scenario="scenarios/packets/incast.toml")
        self.refused("RY-SCN-013", "at least", every + "0 s")
        self.refused("RY-SCN-013", "at least", "reliability.gpu_mtbf=0 h")
        self.refused("RY-SCN-023", "did you mean", "reliability.profile=llama-h100")


if __name__ == "__main__":
    unittest.main()
