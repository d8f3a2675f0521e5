"""railyard settings: the sheet, the files it writes, and what it refuses."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RAILYARD = os.path.abspath(sys.argv.pop())
SWITCHES = {"sonic": ".json", "nvue": ".nvue", "eos": ".cfg", "nxos": ".cfg", "junos": ".conf"}


def railyard(*args):
    return subprocess.run([RAILYARD, *args], capture_output=True, text=True, timeout=300)


class Settings(unittest.TestCase):
    def sheet(self, *args):
        done = railyard("settings", *args, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return json.loads(done.stdout)

    def test_answers_first_and_gives_reasons(self):
        done = railyard("settings", "packets/incast")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = " ".join(done.stdout.split("\n\n")[0].split())
        self.assertIn("Data is marked with DSCP 26 and travels in priority 3", answer)
        for title in ["PFC and buffers", "ECN", "DCQCN", "Hash", "NICs", "Jobs"]:
            self.assertIn(f"\n{title}\n", done.stdout)

    def test_rows_have_values_statuses_and_sources(self):
        sheet = self.sheet("packets/incast")
        self.assertEqual(sheet["schema"], "railyard-settings/1")
        rows = {r["setting"]: r for s in sheet["sections"] for r in s["settings"]}
        self.assertEqual(rows["NCCL_IB_TC"]["value"], "106")
        for row in rows.values():
            self.assertTrue(row["value"] and row["why"] and row["source"], row)
            self.assertIn(row["status"], ["given", "measured", "published", "estimated", "assumed"])
        self.assertEqual({h["switch"] for h in sheet["headroom"]}, {"leaf", "spine"})

    def test_headroom_is_that_of_railyard_headroom(self):
        port = self.sheet("packets/incast")["headroom"][0]
        alone = railyard(
            "headroom",
            *("--speed", f"{port['rate_gbps']:g}G", "--cable", f"{port['cable_m']:g}m"),
            *("--switch", "Tomahawk-5", "--json", "-"),
        )
        self.assertEqual(json.loads(alone.stdout)["headroom"], port["headroom"])

    def test_works_for_every_kind_of_workload(self):
        for name in [
            "llama3",
            "gpt4",
            "first",
            "mi300x-llama3",
            "fabrics/drawn",
            "fabrics/fat-tree",
        ]:
            self.assertTrue(self.sheet(name)["answer"], name)

    def test_writes_a_file_for_every_class_of_device(self):
        for language, ending in SWITCHES.items():
            with tempfile.TemporaryDirectory() as folder:
                inside = os.path.join(folder, "new")
                done = railyard(
                    *("settings", "packets/incast", "--for", f"{language},mlnx,nccl", "-o", inside)
                )
                self.assertEqual((done.returncode, done.stderr), (0, ""), language)
                written = sorted(p.name for p in pathlib.Path(inside).iterdir())
                expected = ["host.sh", "job.env", f"leaf{ending}", f"spine{ending}"]
                self.assertEqual(written, expected)
                for name in written:
                    self.assertIn(f"wrote {os.path.join(inside, name)}", done.stdout)

    def test_one_file_goes_to_standard_output_as_it_is(self):
        done = railyard("settings", "packets/incast", "--for", "nccl")
        self.assertEqual(done.returncode, 0)
        self.assertIn("\nNCCL_IB_TC=106\n", done.stdout)
        self.assertNotIn("==>", done.stdout)
        both = railyard("settings", "packets/incast", "--for", "sonic").stdout
        first, second = both.split("==> spine.json <==\n")
        leaf = json.loads(first.removeprefix("==> leaf.json <==\n"))
        self.assertEqual(leaf["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"], "3")
        self.assertNotEqual(
            leaf["DEVICE_METADATA"]["localhost"], json.loads(second)["DEVICE_METADATA"]["localhost"]
        )

    def test_what_is_written_and_read_back_gives_the_same_simulation(self):
        """Settings of a scenario, read by one that does not have them; Junos says ECN in whole per cent."""
        own = ["transport.ecn.kmin=400000", "transport.ecn.kmax=1600000", "transport.ecn.pmax=0.2"]
        own = [word for one in own for word in ("--set", one)]
        run = ("run", "packets/incast", "--no-advice", "--quiet", "--json", "-")
        wanted = json.loads(railyard(*run, *own).stdout)
        self.assertNotEqual(wanted["fingerprint"], json.loads(railyard(*run).stdout)["fingerprint"])
        for language in ("sonic", "nvue", "eos", "nxos", "junos"):
            with tempfile.TemporaryDirectory() as folder:
                done = railyard("settings", "packets/incast", *own, "--for", language, "-o", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(railyard("lint", folder).returncode, 0, language)
                read = json.loads(railyard(*run, "--set", f"qos.from={folder}").stdout)
            if language == "junos":
                times = [one["flows"]["delivery_us"]["max"] for one in (read, wanted)]
                self.assertAlmostEqual(times[0] / times[1], 1, delta=0.05)
            else:
                self.assertEqual(read["fingerprint"], wanted["fingerprint"], language)

    def test_scripts_are_shell(self):
        for nic, tool in [("ConnectX-7", "mlnx"), ("Pollara-400", "nicctl")]:
            script = railyard(
                *("settings", "packets/incast", "--for", tool, "--set", f"cluster.nic={nic}")
            )
            self.assertEqual(script.returncode, 0, script.stderr)
            checked = subprocess.run(["sh", "-n"], input=script.stdout, text=True)
            self.assertEqual(checked.returncode, 0, tool)

    def test_refuses_what_makes_no_sense(self):
        for args, said in [
            (["--for", "sonik"], "sonik"),
            (["-o", "x"], "-o needs --for"),
            (["--for", "nicctl"], "RY-SET-002"),
            (
                [
                    "--for",
                    "sonic",
                    "--set",
                    "transport.kind=infiniband",
                    "--set",
                    "fabric.switch=Quantum-2",
                ],
                "RY-SET-002",
            ),
            (["--for", "sonic", "--set", "transport.pfc.alpha=0.3"], "RY-CFG-011"),
        ]:
            done = railyard("settings", "packets/incast", *args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(said, done.stderr, args)


unittest.main()
