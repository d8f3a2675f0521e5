"""A whole site: docs/site has a host with a wrong traffic class and a spine with PFC on two priorities too many. Both are named
with device and line, nobody else is, and playing the site's traffic shows what they cost."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

RAILYARD = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "site"


def lint(*arguments, configs=SITE / "configs"):
    command = [RAILYARD, "lint", str(configs), "--json", "-", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


# A server as NCCL dumps it: widths and speeds of links, and no word of what they could be.
TOPOLOGY = """<system version="1">
  <cpu numaid="0" affinity="ffff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
      <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="90" rank="0" gdr="1"/>
      </pci>
      <pci busid="0000:12:00.0" class="0x020000" link_speed="{1} GT/s PCIe" link_width="{0}">
        <nic><net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1" maxconn="131072" gdr="1"/></nic>
      </pci>
    </pci>
  </cpu>
</system>
"""


class Site(unittest.TestCase):
    def test_both_mistakes_are_found_and_nothing_else(self):
        code, found = lint()
        self.assertEqual(code, 1)
        serious = [one for one in found["findings"] if one["severity"] != "note"]
        self.assertEqual({one["device"] for one in serious}, {"gpu06", "spine03"})
        host = next(one for one in serious if one["device"] == "gpu06")
        text = (SITE / "configs" / "gpu06.sh").read_text().splitlines()
        self.assertEqual(host["code"], "RY-LNT-140")
        self.assertIn("96", text[host["where"]["line"] - 1])
        text = (SITE / "configs" / "spine03.json").read_text().splitlines()
        for one in serious:
            if one["device"] == "spine03":
                line = one["where"]["line"]
                self.assertIn('"pfc_enable": "3,4,5"', "".join(text[line - 1 : line + 6]))

    def test_a_nic_starved_of_pcie_is_found_in_what_nccl_dumps(self):
        def found(width, speed):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "topo.xml").write_text(TOPOLOGY.format(width, speed))
                done = subprocess.run(
                    [RAILYARD, "lint", folder, "--json", "-"], capture_output=True, text=True
                )
            return [
                one["message"]
                for one in json.loads(done.stdout)["findings"]
                if one["code"] == "RY-LNT-203"
            ]

        said = "4 PCIe lanes at 8 GT/s carry 32 Gb/s, 8 % of the 400 Gb/s of the NIC's port"
        self.assertEqual(found(4, "8.0"), [said])
        self.assertEqual(len(found(16, "16.0")), 1)
        self.assertEqual(found(16, "32.0"), [])

    def test_playing_it_shows_what_they_cost(self):
        _, found = lint("--simulate", str(SITE / "fabric.toml"))
        before, after = found["simulated"]["as_it_is"], found["simulated"]["repaired"]
        self.assertGreater(before["drops"], 100)
        self.assertEqual(after["drops"], 0)
        self.assertGreater(before["time_s"], 10 * after["time_s"])

    def test_repairs_are_commands_of_both_devices(self):
        _, found = lint("--fix")
        fixes = {device: fix["commands"] for fix in found["fixes"] for device in fix["devices"]}
        self.assertEqual(set(fixes) - {"train"}, {"gpu06", "spine03"})
        self.assertTrue(any("106" in line for line in fixes["gpu06"]))
        self.assertTrue(any("pfc" in line for line in fixes["spine03"]))

    def test_what_is_not_packets_is_refused(self):
        _, found = lint("--simulate", str(SITE / "fabric.toml"), "--set", "engine.fidelity=flow")
        self.assertEqual(found["diagnostics"][0]["code"], "RY-LNT-902")

    def test_a_port_that_takes_no_full_packet_lets_nothing_through(self):
        with tempfile.TemporaryDirectory() as folder:
            configs = pathlib.Path(folder) / "configs"
            shutil.copytree(SITE / "configs", configs)
            leaf = configs / "leaf02.json"
            leaf.write_text(leaf.read_text().replace('"mtu": "9216"', '"mtu": "1500"', 1))
            _, found = lint("--simulate", str(SITE / "fabric.toml"), configs=configs)
        self.assertIn("leaf02", found["simulated"]["as_it_is"]["refused"])
        self.assertGreater(found["simulated"]["repaired"]["time_s"], 0)

    def test_a_scenario_takes_the_configurations_by_itself(self):
        command = [
            RAILYARD,
            "run",
            str(SITE / "fabric.toml"),
            "--no-advice",
            "--json",
            "-",
            "--quiet",
        ]
        fingerprints = []
        for more in ([], ["--set", f"qos.from={SITE / 'configs'}"]):
            done = subprocess.run(command + more, capture_output=True, text=True)
            fingerprints.append(json.loads(done.stdout)["fingerprint"])
        self.assertNotEqual(*fingerprints)
        _, found = lint("--simulate", str(SITE / "fabric.toml"))
        self.assertEqual(found["simulated"]["as_it_is"]["fingerprint"], fingerprints[1])


unittest.main()
