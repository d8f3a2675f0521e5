"""What a run was expected to need in memory, against what it needs: at least that, at most twice."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RAILYARD = os.path.abspath(sys.argv.pop())
FABRIC = """name = "memory"
[cluster]
gpus = 512
[fabric]
topology = "leaf-spine"
radix = 2048
hosts_per_leaf = 64
spines = 16
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "500 ns"
host_latency = "1 us"
"""
COLLECTIVE = (
    FABRIC
    + """[collective]
kind = "all_reduce"
sizes = ["1 MiB"]
"""
)
LIBRARY = """name = "a library's probes"
[collective]
kind = "all_to_all"
sizes = ["1 GiB"]
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 131072
nic = "ConnectX-7"
[fabric]
topology = "clos3"
radix = 128
switch_latency = "900 ns"
[engine]
fidelity = "flow"
"""
TRAFFIC = (
    FABRIC
    + """[traffic]
pattern = "all-to-all"
size = "1 kB"
[engine]
fidelity = "packet"
"""
)

SCENARIOS = pathlib.Path(__file__).resolve().parent.parent.parent / "scenarios"


def step(gpus, *more, batch=None):
    """Llama 3 on so many GPUs."""
    return [f"cluster.gpus={gpus}", f"training.global_batch={batch or gpus // 8}", *more]


def played(kind, algorithm, ranks, engine):
    return [
        f"collective.kind={kind}",
        f"collective.algorithm={algorithm}",
        f"cluster.gpus={ranks}",
        f"engine.fidelity={engine}",
    ]


SLICE = ["slice.length=2 ms", "cluster.gpus=512", "training.global_batch=512"]


class Memory(unittest.TestCase):
    def ratio(self, text, keys):
        """Expected over used, and what was used, in MB."""
        with tempfile.TemporaryDirectory() as home:
            folder = pathlib.Path(home)
            path = SCENARIOS / f"{text}.toml"
            if "\n" in text:
                path = folder / "s.toml"
                path.write_text(text)
            sets = [word for key in keys for word in ("--set", key)]
            child = subprocess.Popen(
                [RAILYARD, "run", str(path), *sets, "--json", "r.json", "--quiet", "--no-advice"],
                cwd=folder,
            )
            _, child.returncode, usage = os.wait4(child.pid, 0)
            self.assertEqual(child.returncode, 0)
            expected = json.loads((folder / "r.json").read_text())["memory_bytes"]
        used = usage.ru_maxrss * 1024
        return expected / used, used / 1e6

    def test_estimates_are_upper_bounds_within_a_factor_of_two(self):
        for text, keys in [
            (COLLECTIVE, played("all_reduce", "halving-doubling", 16384, "analytic")),
            (COLLECTIVE, played("all_reduce", "halving-doubling", 16384, "flow")),
            (COLLECTIVE, played("all_to_all", "direct", 512, "analytic")),
            (COLLECTIVE, played("all_to_all", "direct", 384, "flow")),
            (COLLECTIVE, [*played("all_to_all", "direct", 384, "analytic"), "collective.skew=1"]),
            (COLLECTIVE, played("all_reduce", "direct", 384, "flow")),
            (LIBRARY, ["cluster.gpus=4096"]),
            (LIBRARY, ["collective.kind=all_reduce"]),
            (LIBRARY, ["routing.policy=adaptive"]),
            (TRAFFIC, ["cluster.gpus=256"]),
            (TRAFFIC, ["cluster.gpus=256", "engine.fidelity=flow"]),
            ("llama3", step(65536)),
            ("llama3", step(65536, "routing.policy=adaptive", "placement.policy=random")),
            ("llama3", step(131072, "engine.fidelity=analytic")),
            ("llama3", step(1024, "transport.qps_per_connection=1")),
            ("llama3", step(1024, batch=16384)),
            ("llama3", step(1024, "engine.fidelity=analytic", batch=65536)),
            ("grok4", []),
            ("packets/gradients", SLICE),
        ]:
            ratio, used = self.ratio(text, keys)
            with self.subTest(keys=keys, used=f"{used:.0f} MB"):
                self.assertGreaterEqual(used, 50)
                self.assertGreaterEqual(ratio, 1)
                self.assertLessEqual(ratio, 2)


unittest.main()
