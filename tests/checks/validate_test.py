"""railyard validate: plans with files for runners, each checked for its format, and judgements of logs."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import yaml

RAILYARD = os.path.abspath(sys.argv.pop())
CLUSTER = """name = "{name}"
[cluster]
gpu = "{gpu}"
gpus = 64
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 32
spines = 4
"""
HEAD = """# nThread 1 nGpus 1 minBytes 1073741824 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
PERFTEST = """                    RDMA_Write BW Test
 Dual-port       : OFF          Device         : {device}
 Number of qps   : 4            Transport type : IB
 TX depth        : 128
 Mtu             : 4096[B]
 Link type       : Ethernet
 GID index       : 3
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 8388608    5000             0.00               {rate}              0.006
---------------------------------------------------------------------------------------
"""


def railyard(*args):
    return subprocess.run([RAILYARD, *map(str, args)], capture_output=True, text=True, timeout=300)


def all_reduce(gbs):
    size, ranks = 8 << 30, 16
    time_us = size * 2 * (ranks - 1) / ranks / gbs / 1e3
    row = f"{size // 4} float sum -1 {time_us:.1f} {size / time_us / 1e3:.2f} {gbs:.2f} 0"
    again = f"{time_us:.1f} {size / time_us / 1e3:.2f} {gbs:.2f} 0"
    ranks_text = "".join(
        f"#  Rank {r:2} Group  0 Pid {4000 + r} on node{r // 8} device {r % 8:2} [0000:11:00] NVIDIA H100\n"
        for r in range(ranks)
    )
    lines = HEAD.splitlines(keepends=True)
    return (
        lines[0]
        + "# Using devices\n"
        + ranks_text
        + "".join(lines[1:])
        + f"  {size} {row} {again}\n# Out of bounds values : 0 OK\n"
    )


class Validate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def cluster(self, gpu="H100-SXM-80"):
        file = self.root / "cluster.toml"
        file.write_text(CLUSTER.format(name="New & shiny", gpu=gpu))
        return file

    def log(self, name, text):
        file = self.root / "logs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def plan(self, gpu="H100-SXM-80"):
        done = railyard("validate", "plan", self.cluster(gpu), "-o", self.root / "plan")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.root / "plan"

    def judge(self, *args):
        return railyard("validate", "judge", self.cluster(), self.root / "logs", *args)

    def test_a_plan_has_all_phases_with_commands_and_thresholds(self):
        plan = self.plan()
        text = (plan / "plan.md").read_text()
        titles = re.findall(r"^## \d\. (.*)$", text, re.M)
        self.assertEqual(
            titles,
            ["Laboratory", "Baseline", "Synthetic load", "AI workload", "Failures", "Operational"],
        )
        for named in re.findall(r"(?:bash|sbatch) ((?:commands|sbatch)/\S+)", text):
            self.assertTrue((plan / named).exists(), named)
        for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
            self.assertEqual(len({row.count("|") for row in table.splitlines()}), 1, table)

    def test_thresholds_are_below_what_is_expected(self):
        document = json.loads((self.plan() / "thresholds.json").read_text())
        self.assertEqual(document["schema"], "railyard-validation/1")
        self.assertGreater(len(document["values"]), 40)
        for value in document["values"]:
            if "at_least" in value:
                self.assertLess(value["at_least"], value["expected"], value)
            else:
                self.assertGreater(value["at_most"], value["expected"], value)
        phases = {value["phase"] for value in document["values"]}
        self.assertEqual(phases, {"baseline", "synthetic", "ai-workload", "failures"})

    def test_shell_files_are_shell(self):
        plan = self.plan()
        scripts = [*plan.glob("commands/*.sh"), *plan.glob("sbatch/*.sbatch")]
        self.assertGreater(len(scripts), 6)
        for script in scripts:
            done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)
        job = (plan / "sbatch/pair.sbatch").read_text()
        self.assertIn("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n", job)
        for test in ["all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv"]:
            self.assertIn(f"/{test}_perf ", job)
        pairs = (plan / "commands/perftest_same-leaf.sh").read_text()
        self.assertEqual(pairs.count("ib_write_bw_mlx5_7.txt"), 4, "eight servers are four pairs")

    def test_superbench_rules_name_metrics_of_the_baseline(self):
        plan = self.plan()
        rules = yaml.safe_load((plan / "superbench/rules.yaml").read_text())["superbench"]["rules"]
        baseline = json.loads((plan / "superbench/baseline.json").read_text())
        self.assertEqual(rules["failure-rule"]["function"], "failure_check")
        named = set()
        for name, rule in rules.items():
            self.assertIsInstance(eval(rule["criteria"])(0), bool)
            self.assertTrue(rule["categories"] and rule["metrics"])
            if name != "failure-rule":
                self.assertEqual(rule["function"], "variance")
                self.assertTrue(eval(rule["criteria"])(-0.5))
                self.assertFalse(eval(rule["criteria"])(-0.01))
                named.update(rule["metrics"])
        self.assertEqual(named, set(baseline))
        self.assertIn("nccl-bw:server/allreduce_8589934592_busbw:0", named)

    def test_health_checks_are_lines_of_nhc(self):
        text = (self.plan() / "nhc/nhc.conf").read_text()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        for line in lines:
            self.assertRegex(line, r"^ \* \|\| check_\w+( \S+)*$")
        self.assertEqual(sum("check_hw_ib 400 mlx5_" in line for line in lines), 8)
        least = float(re.search(r"check_nccl_allreduce (\S+) 1 \S+ 8G", text).group(1))
        self.assertTrue(380 < least < 460, least)

    def test_cvs_files_are_for_rccl(self):
        self.assertFalse((self.plan() / "cvs").exists())
        plan = self.plan("MI300X")
        rccl = json.loads((plan / "cvs/rccl_pair_config.json").read_text())["rccl"]
        self.assertEqual(
            set(rccl),
            {"mpi_params", "env_source_script", "rccl_test_params", "cvs_params", "results"},
        )
        self.assertEqual(rccl["mpi_params"]["no_of_nodes"], "2")
        least = float(rccl["results"]["all_reduce_perf-float-16"]["8589934592"]["bus_bw"])
        self.assertTrue(250 < least < 350, least)
        server = json.loads((plan / "cvs/rccl_server_config.json").read_text())["rccl"]
        self.assertEqual(server["cvs_params"]["fabric"], "scale_up")
        self.assertIn("all_reduce_perf-float-8", server["results"]["scale_up"])
        ibperf = json.loads((plan / "cvs/ibperf_config.json").read_text())["ibperf"]
        self.assertGreater(float(ibperf["expected_results"]["ib_write_bw"]["8388608"]["4"]), 370)

    def test_healthy_logs_pass(self):
        self.log("pair.txt", all_reduce(470))
        self.log("node0/ib.txt", PERFTEST.format(device="mlx5_0", rate=391.2))
        done = self.judge()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = done.stdout.split("Phases")[0]
        self.assertIn("Not finished: 2 of 6 phases pass and none fails.", answer)

    def test_a_slow_pair_fails_and_says_so_everywhere(self):
        self.log("pair.txt", all_reduce(200))
        junit, page, out = (self.root / name for name in ["junit.xml", "report.html", "out.json"])
        done = self.judge("--junit", junit, "-o", page, "--json", out)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("Not accepted: 1 of 6 phases fail (Baseline)", done.stdout)
        document = json.loads(out.read_text())
        self.assertEqual(document["outcome"], "fail")
        phases = {phase["phase"]: phase["outcome"] for phase in document["phases"]}
        self.assertEqual(phases["baseline"], "fail")
        self.assertEqual(phases["failures"], "not measured")
        suites = xml.parse(junit).getroot()
        self.assertEqual(suites.tag, "testsuites")
        self.assertEqual(suites.get("name"), "New & shiny")
        for suite in suites:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
        self.assertEqual(int(suites.get("failures")), 1)
        text = page.read_text()
        self.assertIn("<title>Acceptance of New &amp; shiny</title>", text)
        self.assertNotIn("<script", text)
        self.assertNotIn("http", text)

    def test_one_phase_alone(self):
        self.log("pair.txt", all_reduce(470))
        done = self.judge("--phase", "baseline", "--json", "-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual([p["phase"] for p in json.loads(done.stdout)["phases"]], ["baseline"])

    def test_mistakes_are_explained(self):
        self.log("pair.txt", all_reduce(470))
        self.log("empty/nothing.txt", "nothing to see\n")
        hosts = self.root / "hosts.toml"
        hosts.write_text('name = "hosts"\n[cluster]\ngpus = 64\nnic = "ConnectX-7"\n')
        full = self.root / "full"
        full.mkdir()
        (full / "letter.txt").write_text("dear")
        logs = self.root / "logs"
        for code, args in [
            ("RY-VAL-001", ["judge", self.cluster(), logs, "--phase", "basline"]),
            ("RY-VAL-002", ["plan", hosts, "-o", self.root / "plan"]),
            ("RY-VAL-003", ["judge", self.cluster(), logs / "empty"]),
            ("RY-VAL-004", ["plan", self.cluster(), "-o", full]),
            ("needs a folder", ["plan", self.cluster()]),
            ("needs logs", ["judge", self.cluster()]),
            ("ACTION", ["plann", self.cluster()]),
        ]:
            done = railyard("validate", *args)
            self.assertEqual(done.returncode, 2, (code, done.stdout, done.stderr))
            self.assertIn(code, done.stderr)
        self.assertEqual([f.name for f in full.iterdir()], ["letter.txt"])


if __name__ == "__main__":
    unittest.main()
