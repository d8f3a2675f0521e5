"""The verdict of a run is right where the answer is known: tests/verdicts, each made so that one thing is wrong with it."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "verdicts"


def run(name, *arguments):
    """The results, and what is printed."""
    command = [RAILYARD, "run", str(FOLDER / f"{name}.toml"), *arguments]
    document = subprocess.run([*command, "--json", "-"], capture_output=True, text=True)
    printed = subprocess.run(command, capture_output=True, text=True)
    return json.loads(document.stdout), printed.stdout


class Known(unittest.TestCase):
    """One scenario for each thing that may limit a job."""

    def verdict(self, name):
        results, printed = run(name)
        verdict = results["verdict"]
        self.assertIn(len(verdict["sentences"]), (3, 4, 5))
        flat = " ".join(printed.split())
        for sentence in verdict["sentences"]:
            self.assertIn(" ".join(sentence["text"].split()), flat)
        if "parts" in verdict:
            self.assertAlmostEqual(
                sum(part["s"] for part in verdict["parts"]), results["step_time_s"], 9
            )
            self.assertTrue(all(part["s"] >= 0 for part in verdict["parts"]))
            for part in verdict["parts"]:  # what rounding leaves is nothing
                self.assertFalse(0 < part["s"] < 1e-12, part)
            if "The network's part is" in flat:
                network = next(part for part in verdict["parts"] if part["name"] == "network")
                told = re.search(r"The network's part is ([\d.]+) (s|ms|µs):", flat)
                self.assertIsNotNone(told)
                scale = {"s": 1, "ms": 1e-3, "µs": 1e-6}[told[2]]
                self.assertAlmostEqual(float(told[1]) * scale / network["s"], 1, 3)
        return verdict

    def assert_limit(self, verdict, kind, cause=""):
        self.assertEqual((verdict["limit"]["kind"], verdict["limit"]["cause"]), (kind, cause))

    def test_idle_spine(self):
        verdict = self.verdict("idle_spine")
        self.assertLess(verdict["cost"]["network_share"], 0.01)
        self.assertRegex(
            verdict["sentences"][2]["text"],
            r"[\d,]+ links above the leaves instead of [\d,]+ \([\d.]+:1 instead of 1:1\)",
        )
        self.assertIn("costs nothing", verdict["sentences"][2]["text"])

    def test_slow_nic(self):
        verdict = self.verdict("slow_nic")
        self.assert_limit(verdict, "network", "failure")
        self.assertEqual(verdict["limit"]["where"], "host to leaf")
        self.assertEqual(verdict["change"]["change"], "repair gpu 5 port 0")

    def test_ecmp_collision(self):
        verdict = self.verdict("ecmp_collision")
        self.assert_limit(verdict, "network", "hashing")
        self.assertEqual(verdict["limit"]["where"], "leaf to spine")
        self.assertIn("routing.policy=adaptive", verdict["sentences"][2]["text"])

    def test_bubble(self):
        verdict = self.verdict("bubble")
        self.assert_limit(verdict, "bubble")
        self.assertEqual(verdict["change"]["kind"], "pipeline")

    def test_scale_up(self):
        verdict = self.verdict("scale_up")
        self.assert_limit(verdict, "scale-up")
        self.assertGreater(verdict["cost"]["scale_up_share"], 10 * verdict["cost"]["network_share"])
        self.assertEqual(verdict["change"]["set"], ["parallel.tensor_overlap=full"])

    def test_oversubscribed(self):
        verdict = self.verdict("oversubscribed")
        self.assert_limit(verdict, "network", "oversubscription")
        self.assertEqual(verdict["limit"]["where"], "leaf to spine")

    def test_placement(self):
        self.assert_limit(self.verdict("placement"), "network", "placement")

    def test_pause_storm(self):
        verdict = self.verdict("pause_storm")
        self.assert_limit(verdict, "pauses")
        self.assertEqual(verdict["limit"]["where"], "GPU 4")

    def test_full_receiver(self):
        """Pauses limit nothing where the time is what the receiver's link needs."""
        verdict = self.verdict("full_receiver")
        self.assert_limit(verdict, "receivers")
        self.assertIn("The link to the receiver is full", verdict["sentences"][1]["text"])
        self.assertIn("Pauses begin at leaf 0 to GPU 0", verdict["sentences"][1]["text"])
        self.assertNotIn("Pauses hold it up", verdict["sentences"][1]["text"])

    def test_what_a_full_link_leaves_idle_is_said(self):
        """Senders that react to marks leave some of it, which is all that other settings move."""
        changes = ["--set", "transport.dcqcn.enabled=true", "--set", "fabric.buffer=64 MB"]
        results, _ = run("full_receiver", "--no-advice", *changes)
        text = results["verdict"]["sentences"][1]["text"]
        self.assertIn("Other paths and settings change only for how long it stands idle", text)

    def test_packets_are_tried_with_several_seeds_of_the_hash(self):
        _, printed = run("full_receiver")
        self.assertIn("are means over 7 seeds of the hash", " ".join(printed.split()))

    def test_a_table_and_a_page_tell_one_gain(self):
        """The text of a gain is part of the results; tables print it."""
        results, printed = run("full_receiver")
        change = results["verdict"]["change"]
        self.assertEqual(change["gain_text"], f"{100 * change['gain']:+.1f} %")
        self.assertIn(change["gain_text"], printed)

    def test_small_messages(self):
        verdict = self.verdict("small_messages")
        self.assert_limit(verdict, "latency")
        self.assertNotIn("change", verdict)

    def test_healthy(self):
        verdict = self.verdict("healthy")
        self.assert_limit(verdict, "compute")
        self.assertNotIn("change", verdict)

    def test_a_network_twice_as_fast_costs_less_and_one_that_is_half_as_fast_more(self):
        shares = []
        for rate in ("200 Gb/s", "400 Gb/s"):
            results, _ = run("healthy", "--no-advice", "--set", f"fabric.link_rate={rate}")
            shares.append(results["verdict"]["cost"]["network_share"])
        self.assertGreater(shares[0], shares[1])

    def test_closed_forms_of_a_step_say_that_the_network_is_idle(self):
        results, _ = run("bubble", "--set", "engine.fidelity=analytic")
        texts = [sentence["text"] for sentence in results["verdict"]["sentences"]]
        self.assertTrue(texts[0].startswith("An idle network costs"))
        self.assertEqual(results["verdict"]["change"]["kind"], "pipeline")
        self.assertIn("what collectives cost each other", texts[-1])

    def test_nothing_is_tried_if_nobody_wants_it(self):
        results, printed = run("bubble", "--no-advice")
        self.assertNotIn("change", results["verdict"])
        self.assertIn("No change was tried.", printed)
        self.assertNotIn("What was tried", printed)

    def test_the_verdict_is_not_part_of_what_happened(self):
        self.assertEqual(
            run("bubble")[0]["fingerprint"], run("bubble", "--no-advice")[0]["fingerprint"]
        )


if __name__ == "__main__":
    unittest.main()
