"""railyard fabric from outside: pictures are well-formed, JSON has its members, mistakes get a sentence, size costs little."""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

RAILYARD = sys.argv.pop()
DESIGNS = sorted(pathlib.Path("scenarios/fabrics").glob("*.toml"))
BARE = """
name = "No workload"
[cluster]
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
"""


def railyard(*args, text=None):
    return subprocess.run(
        [RAILYARD, "fabric", *map(str, args)], input=text, capture_output=True, text=True
    )


class Pictures(unittest.TestCase):
    def test_every_design_is_drawn_in_well_formed_svg(self):
        self.assertGreaterEqual(len(DESIGNS), 15)
        for design in DESIGNS:
            result = railyard(design, "--svg", "-")
            self.assertEqual((result.returncode, result.stderr), (0, ""), design)
            root = xml.fromstring(result.stdout.encode())
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            width, height = map(float, root.get("viewBox").split()[2:])
            for element in root.iter():
                for key, most in [
                    ("x", width),
                    ("x1", width),
                    ("x2", width),
                    ("y", height),
                    ("y1", height),
                    ("y2", height),
                ]:
                    if element.get(key):
                        self.assertTrue(
                            0 <= float(element.get(key)) <= most, (design, element.attrib)
                        )

    def test_every_design_is_a_graph_whose_edges_join_nodes_it_has(self):
        for design in DESIGNS:
            dot = railyard(design, "--dot", "-").stdout
            self.assertEqual(dot.count("{"), dot.count("}"))
            nodes = {
                line.split()[0]
                for line in dot.splitlines()
                if "[label=" in line and " -- " not in line
            }
            for line in dot.splitlines():
                if " -- " in line:
                    self.assertLessEqual({line.split()[0], line.split()[2]}, nodes, design)


class Numbers(unittest.TestCase):
    def test_json_has_its_members_and_shares_add_up(self):
        for design in DESIGNS:
            document = json.loads(railyard(design, "--json", "-").stdout)
            self.assertEqual(document["schema"], "railyard-fabric/1")
            for key in [
                "topology",
                "gpus",
                "servers",
                "rails",
                "planes",
                "pods",
                "switches",
                "cables",
                "totals",
                "bisection",
                "warnings",
                "odd",
            ]:
                self.assertIn(key, document)
            self.assertAlmostEqual(sum(c["share"] for c in document["pairs"]), 1, 9, design)
            self.assertLessEqual(document["bisection"]["share"], 1 + 1e-9, design)
            self.assertEqual(
                sum(c["cables"] for c in document["cables"]), document["totals"]["cables"]
            )

    def test_no_switch_has_more_links_than_ports(self):
        for design in DESIGNS:
            for tier in json.loads(railyard(design, "--json", "-").stdout)["switches"]:
                self.assertLessEqual(
                    tier["ports_used_max"], tier.get("radix", 1 << 30), (design, tier)
                )

    def test_two_hundred_thousand_gpus_take_less_than_two_seconds_and_a_gigabyte(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(railyard("scenarios/fabrics/colossus.toml", "--quiet").returncode, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_maxrss, 1 << 20)
        self.assertLess(
            after.ru_utime - before.ru_utime, 20
        )  # a tenth of a second; sanitizers are slow


class Mistakes(unittest.TestCase):
    def test_a_workload_is_not_needed(self):
        self.assertIn("under one leaf", railyard("-", text=BARE).stdout)
        self.assertIn("RY-SCN-015", railyard("-", text=BARE.replace("gpus = 32", "")).stderr)

    def test_what_cannot_be_written_is_an_error_with_a_sentence(self):
        for option in ["--svg", "--dot", "--json"]:
            result = railyard(DESIGNS[0], option, "/nonexistent/out")
            self.assertEqual(result.returncode, 2)
            self.assertIn("cannot write /nonexistent/out", result.stderr)

    def test_the_scenario_is_not_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "own.toml"
            own.write_text(BARE)
            self.assertEqual(railyard(own, "--svg", own).returncode, 2)
            self.assertEqual(own.read_text(), BARE)

    def test_standard_output_takes_one_thing(self):
        result = railyard(DESIGNS[0], "--svg", "-", "--dot", "-")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--svg and --dot would write to the same file", result.stderr)

    def test_a_fabric_that_cannot_be_wired_says_why(self):
        result = railyard("-", "--set", "fabric.hosts_per_leaf=127", text=BARE)
        self.assertEqual(result.returncode, 2)
        self.assertIn("RY-FAB-002", result.stderr)


unittest.main()
