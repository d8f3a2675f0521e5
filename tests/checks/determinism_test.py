"""Two runs give one fingerprint and the same bytes, whatever the number of threads."""
import json
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()
SCENARIOS = [
    "scenarios/first.toml",
    "tests/scenarios/collective/random_placement.toml",
    "tests/scenarios/flow/clos_tree.toml",
    "tests/scenarios/flow/step_oversubscribed.toml",
    "tests/scenarios/traffic/background.toml",
    "tests/scenarios/traffic/background_packets.toml",
    "tests/scenarios/packet/routing_loop.toml",
    "tests/scenarios/slice/boundary_beside_gradients.toml",
    "tests/scenarios/slice/ranks.toml",
    "tests/scenarios/trace/token_packet.toml",
]
# Others have their changes tried, too: these have so many that a sanitizer takes minutes for them.
WITHOUT_ADVICE = {
    "tests/scenarios/traffic/background.toml",
    "tests/scenarios/traffic/background_packets.toml",
}


def results(scenario, *args):
    advice = ["--no-advice"] if scenario in WITHOUT_ADVICE else []
    done = subprocess.run(
        [RAILYARD, "run", scenario, "--json", "-", *advice, *args], capture_output=True, text=True
    )
    if done.returncode not in (0, 1):  # 1: some messages never arrive, and the rest is reported
        raise RuntimeError(done.stderr)
    document = json.loads(done.stdout)
    document.pop("wall_s")
    return document


class Determinism(unittest.TestCase):
    def test_two_runs_give_the_same_bytes(self):
        for scenario in SCENARIOS:
            first = results(scenario, "--threads", "1")
            for threads in ["1", "2", "4", "0"]:
                self.assertEqual(
                    json.dumps(results(scenario, "--threads", threads)), json.dumps(first)
                )

    def test_terminal_output_is_the_same_too(self):
        runs = {
            subprocess.run(
                [RAILYARD, "run", SCENARIOS[0], "--threads", t], capture_output=True, check=True
            ).stdout
            for t in "123"
        }
        self.assertEqual(len(runs), 1)

    def test_a_seed_changes_what_is_random_and_nothing_else(self):
        one, two = (results(SCENARIOS[1], "--seed", s) for s in "12")
        self.assertNotEqual(one["fingerprint"], two["fingerprint"])
        first, second = (
            results(SCENARIOS[0], "--set", "routing.policy=spray", "--seed", s)["fingerprint"]
            for s in "12"
        )
        self.assertEqual(first, second)


unittest.main()
