"""Mistakes that people make with RoCE do the damage that scenarios/mistakes says, and undoing them undoes it."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

RAILYARD = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scenarios" / "mistakes"

# What is worse with the mistake, and how many times at least. "+": where it is nothing without it.
DAMAGE = {
    "early-marking": ("flows.delivery_us.max", 1.3),
    "late-marking": ("background.slowdown.mean", 1.4),
    "mixed-firmware": ("traffic.makespan_us", 1.15),
    "mixed-queues": ("background.slowdown.p99", 50),
    "no-spare-for-failures": ("points.0.time_us", 1.5),
    "no-watchdog": ("flows.undelivered", 2),
    "pfc-at-one-end": ("drops", "+"),
    "pfc-on-every-priority": ("pfc.pauses", 100),
    "polarised-hash": ("traffic.makespan_us", 1.5),
    "short-headroom": ("drops", "+"),
    "wrong-tos": ("drops", "+"),
    "synthetic-tests-only": ("flows.slowdown.max", 0.1),  # what was tested is the harmless one
}


def overrides_in(path):
    """The first command in the comment at the head of a scenario that undoes its mistake."""
    head = re.match(r"(#.*\n)+", path.read_text())[0]
    text = " ".join(line.lstrip("# ") for line in head.splitlines())
    words = shlex.split(text[text.index("--set") :].replace(";", " ; ").replace("(", " ; "))
    found = []
    while words[:1] == ["--set"]:
        found += ["--set", words[1]]
        words = words[2:]
    return found


def figure(path, where, overrides=()):
    command = [RAILYARD, "run", str(path), "--no-advice", "--quiet", "--json", "-", *overrides]
    value = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    for part in where.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


class Mistakes(unittest.TestCase):
    def test_every_mistake_does_its_damage(self):
        self.assertEqual(sorted(p.stem for p in FOLDER.glob("*.toml")), sorted(DAMAGE))
        for name, (where, times) in DAMAGE.items():
            with self.subTest(name):
                path = FOLDER / f"{name}.toml"
                made, mended = figure(path, where), figure(path, where, overrides_in(path))
                if times == "+":
                    self.assertGreater(made, 0)
                    self.assertEqual(mended, 0)
                elif times < 1:
                    self.assertLess(made, mended * times)
                else:
                    self.assertGreater(made, mended * times)


unittest.main()
