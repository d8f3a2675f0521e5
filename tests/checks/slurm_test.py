"""Slurm's own controller reads the topology.conf that `railyard fabric` writes, and `railyard place` reads it again."""
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
PATIENCE = 60  # s


def railyard(*words):
    return subprocess.run([RAILYARD, *words], capture_output=True, text=True, check=True).stdout


def free_ports(count):
    """Ports that nobody listens on now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def node_lines(nodes):
    """Addresses of their own, so that nobody has to be asked for them."""
    for first in range(0, nodes, 128):
        last = min(first + 128, nodes) - 1
        addresses = f"127.0.{first // 128 + 1}.[1-{last - first + 1}]"
        yield f"NodeName=server[{first}-{last}] NodeAddr={addresses} CPUs=8 State=UNKNOWN\n"


class Controller:
    """slurmctld with a topology.conf, for as long as it is asked; no daemon of another kind, no keys."""

    def __init__(self, folder, nodes):
        self.folder = folder
        self.config = folder / "slurm.conf"
        (folder / "state").mkdir()
        listens, sends = free_ports(2)
        self.config.write_text(
            f"ClusterName=test\nSlurmctldHost={socket.gethostname()}(127.0.0.1)\nSlurmUser=root\n"
            "AuthType=auth/none\nCredType=cred/none\n"
            f"StateSaveLocation={folder}/state\nSlurmctldPidFile={folder}/pid\nSlurmctldPort={listens}\nSlurmdPort={sends}\n"
            "TopologyPlugin=topology/tree\n"
            + "".join(node_lines(nodes))
            + "PartitionName=all Nodes=ALL Default=YES State=UP\n"
        )

    def __enter__(self):
        self.log = open(self.folder / "log", "w")
        self.daemon = subprocess.Popen(
            ["slurmctld", "-D", "-c", "-f", str(self.config)],
            stdout=self.log,
            stderr=self.log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self

    def __exit__(self, *_):
        os.killpg(self.daemon.pid, signal.SIGKILL)
        self.daemon.wait()
        self.log.close()

    def topology(self):
        """What scontrol says, once the controller is up: {switch: (level, nodes)}."""
        begun = time.monotonic()
        while time.monotonic() - begun < PATIENCE:
            said = subprocess.run(
                ["scontrol", "show", "topology"],
                env={**os.environ, "SLURM_CONF": str(self.config)},
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            ).stdout
            found = re.findall(r"SwitchName=(\S+) Level=(\d+) LinkSpeed=\d+ Nodes=(\S+)", said)
            if found:
                return {name: (int(level), nodes) for name, level, nodes in found}
            if self.daemon.poll() is not None:
                break
            time.sleep(0.3)
        raise AssertionError((self.folder / "log").read_text()[-2000:])


class Slurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, scenario, nodes, *options):
        railyard(
            "fabric", scenario, *options, "--slurm-topology", str(self.folder / "topology.conf")
        )
        with Controller(self.folder, nodes) as controller:
            return controller.topology()

    def test_rails_are_places_below_spines(self):
        found = self.read("fabrics/rail-optimized", 128)
        self.assertEqual(found["rails0"], (0, "server[0-31]"))
        self.assertEqual(found["rails3"], (0, "server[96-127]"))
        self.assertEqual(found["spine0"], (1, "server[0-127]"))
        self.assertEqual(len(found), 5)
        self.assertNotIn("error: TOPOLOGY", (self.folder / "log").read_text())

    def test_pods_are_below_what_joins_them(self):
        found = self.read("fabrics/optical-pods", 576)
        top = found["top"]
        self.assertEqual(top, (2, "server[0-575]"))
        pods = [nodes for level, nodes in found.values() if level == 1]
        self.assertEqual(len(pods), 9)

    def test_place_reads_it_again(self):
        file = self.folder / "topology.conf"
        railyard("fabric", "place/experts", "--slurm-topology", str(file))
        told = railyard("place", "place/experts", "--nodes", str(file), "--threads", "1")
        self.assertIn("server", told)


if __name__ == "__main__":
    unittest.main()
