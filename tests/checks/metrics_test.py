"""--metrics in a real Prometheus: its tools take the files, its answers are the counters of the run's results, every panel of the
dashboards shows something, and every alert is as runs say."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import derive_alerts  # noqa: E402
from prometheus_server import START, Prometheus, load  # noqa: E402

# What promtool finds in names that are not ours.
OTHERS_NAMES = re.compile(
    r"^(nccl_collective_exec_time_microseconds use base unit|nvswitch_interface_|node_ethtool_|sonic_)"
)

# Small, and with all that dashboards show: queues, marks, CNPs, pauses.
INCAST = """
name = "Incast"
[traffic]
pattern = "incast"
fan_in = 12
size = "1 MB"
background = 0.1
[cluster]
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Spectrum-4"
hosts_per_leaf = 8
link_rate = "400 Gb/s"
buffer = "64 MiB"
[transport.pfc]
alpha = 0.00390625
[engine]
fidelity = "packet"
"""
STEP = """
name = "A step"
[model]
preset = "llama3-8b"
[training]
global_batch = 32
[parallel]
tensor = 2
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Spectrum-4"
hosts_per_leaf = 8
[engine]
fidelity = "flow"
"""

# A network for a collective, or a trace, of four.
ALONE = """
name = "alone"
[cluster]
gpus = 4
[fabric]
topology = "star"
link_rate = "400 Gb/s"
switch_latency = "500 ns"
[engine]
fidelity = "flow"
"""


def railyard(*arguments):
    return subprocess.run(
        [RAILYARD, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT
    )


def run(folder, name, scenario, threads=1, ending="om"):
    file = folder / f"{name}.toml"
    file.write_text(scenario)
    done = railyard(
        "run", file, "--threads", threads, "--no-advice", "--quiet", "--json", folder / f"{name}.json",
        "--metrics", folder / f"{name}.{ending}", "--metrics-run", name,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads((folder / f"{name}.json").read_text())


def last_time(metrics):
    lines = metrics.read_text().splitlines()
    return max(float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")) - START


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.results = run(cls.folder, "incast", INCAST)
        cls.step = run(cls.folder, "step", STEP)
        cls.ends = {}
        for name in ("incast", "step"):
            load(cls.folder / f"{name}.om", cls.folder / "data")
            cls.ends[name] = last_time(cls.folder / f"{name}.om")
        cls.server = Prometheus(cls.folder / "data").__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()
        cls.place.cleanup()

    def ask(self, expression, run_name="incast"):
        return self.server.at(expression, self.ends[run_name])

    def total(self, metric, labels=""):
        found = self.ask(f'sum({metric}{{run="incast"{labels}}})')
        return found[0][1] if found else 0

    def test_counters_of_the_fabric_are_those_of_the_results(self):
        r = self.results
        self.assertGreater(r["pfc"]["pauses"], 0)
        self.assertGreater(r["cnp"]["sent"], 0)
        self.assertEqual(
            self.total("sonic_queue_wred_ecn_marked_packets_total"), r["ecn"]["marked"]
        )
        self.assertEqual(self.total("node_infiniband_np_cnp_packets_sent_total"), r["cnp"]["sent"])
        self.assertEqual(self.total("rdma_rp_cnp_handled_total"), r["cnp"]["handled"])
        sent = self.total("nvswitch_interface_sp_tx_pause") + self.total(
            "rdma_roce_pfc_pause_frames_total", ',direction="tx"'
        )
        self.assertEqual(sent, r["pfc"]["pauses"])
        paused = self.total("nvswitch_interface_sp_rx_pause_duration") + self.total(
            "rdma_roce_pfc_pause_duration_total", ',direction="rx"'
        )
        self.assertAlmostEqual(paused, r["pfc"]["paused_us"], delta=1e-6 * paused)

    def test_every_nic_and_port_is_as_in_the_results(self):
        for nic in self.results["nics"]:
            labels = f',place="{nic["nic"]}"'
            self.assertEqual(self.total("rdma_np_cnp_sent_total", labels), nic["cnp_sent"])
            self.assertEqual(
                self.total("rdma_np_ecn_marked_roce_packets_total", labels), nic["ecn_marked"]
            )
            self.assertEqual(
                self.total("rdma_out_of_sequence_total", labels), nic["out_of_sequence"]
            )
        rows = self.results["port_priorities"]
        self.assertGreater(len(rows), 2)
        for row in rows:
            if row["port"].startswith("GPU"):
                continue
            labels = f',place="{row["port"]}",switch_priority="{row["priority"]}"'
            self.assertEqual(
                self.total("nvswitch_interface_sp_rx_pause", labels), row["pauses_received"]
            )
            self.assertEqual(
                self.total("nvswitch_interface_sp_tx_pause", labels), row["pauses_sent"]
            )

    def test_bytes_of_nics_are_those_of_their_tier(self):
        up = next(t for t in self.results["tiers"] if t["tier"] == "host to leaf")
        self.assertEqual(
            self.total("node_infiniband_port_data_transmitted_bytes_total"), up["carried_bytes"]
        )

    def test_counters_only_rise_and_rates_keep_to_links(self):
        text = (self.folder / "incast.om").read_text()
        names = re.findall(r"^# TYPE (\S+) counter$", text, re.M)
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertEqual(
                self.ask(f'sum(resets({name}_total{{run="incast"}}[1h]))')[0][1], 0, name
            )
        most = self.ask(
            'max(max_over_time(rate(node_infiniband_port_data_received_bytes_total{run="incast"}[20s])[30m:1s])'
            ' / ignoring() node_infiniband_rate_bytes_per_second) * scalar(railyard_time_dilation_ratio{run="incast"})'
        )
        self.assertGreater(most[0][1], 0.9)
        self.assertLess(most[0][1], 1.1)

    def test_time_in_queues_is_a_histogram_of_all_packets(self):
        count = self.ask('railyard_queue_time_seconds_count{run="incast"}')[0][1]
        self.assertEqual(count, self.results["queue_time_ns"]["packets"])
        self.assertEqual(count, self.results["queue_depth_bytes"]["packets"])
        self.assertEqual(count, sum(b["packets"] for b in self.results["queue_time_ns"]["buckets"]))

    def test_the_dilation_is_in_the_file(self):
        self.assertEqual(self.ask('railyard_time_dilation_ratio{run="incast"}')[0][1], 1e6)
        self.assertEqual(self.ask('railyard_time_dilation_ratio{run="step"}', "step")[0][1], 1e3)
        self.assertAlmostEqual(self.ends["step"], 1e3 * self.step["step_time_s"], places=2)

    def test_collectives_of_a_step_are_under_the_names_of_the_inspector(self):
        calls = sum(op["calls"] for op in self.step["network"]["ops"])
        found = self.server.at(
            'sum(count_over_time(nccl_bus_bandwidth_gbs{run="step"}[1h]))', self.ends["step"] + 1
        )
        self.assertGreater(found[0][1], 0)
        self.assertLessEqual(found[0][1], calls)
        port = self.step["network"]["by_port"]["ports"][0]
        bytes_of_port = self.ask(
            f'sum(railyard_port_collective_bytes_total{{run="step",place="{port["port"]}"}})',
            "step",
        )
        self.assertAlmostEqual(bytes_of_port[0][1] / port["bytes"], 1, places=6)

    def test_bytes_of_collectives_and_of_traces_are_told_by_port(self):
        """In the file itself: the last values, as an exporter shows them."""
        collective = (
            ALONE + '[collective]\nkind = "all_gather"\nalgorithm = "ring"\nsizes = ["1 MiB"]\n'
        )
        trace = ALONE + f'[trace]\nfile = "{ROOT / "docs/traces/token.goal"}"\n'
        for name, text, where, what in (
            ("collective", collective, lambda r: r["by_port"], "all_gather"),
            ("trace", trace, lambda r: r["trace"]["by_port"], "send"),
        ):
            by_port = where(run(self.folder, name, text, ending="prom"))
            lines = (self.folder / f"{name}.prom").read_text().splitlines()
            found = {}
            for line in lines:
                if line.startswith("railyard_port_collective_bytes_total{"):
                    labels = dict(re.findall(r'(\w+)="([^"]*)"', line))
                    self.assertEqual(labels["collective"], what)
                    found[labels["place"]] = float(line.rsplit(" ", 1)[1])
            self.assertEqual(set(found), {port["port"] for port in by_port["ports"]})
            for port in by_port["ports"]:
                self.assertAlmostEqual(found[port["port"]] / port["bytes"], 1, places=3)

    def test_labels_of_collectives_are_those_of_the_inspector(self):
        for labels, _ in self.ask('nccl_bus_bandwidth_gbs{run="step"}', "step"):
            labels = {key: labels[key] for key in labels if key not in ("__name__", "run")}
            self.assertRegex(labels.pop("message_size"), r"^\d+-\d+[KMG]?B$")
            self.assertRegex(labels.pop("node"), r"^server-\d$")
            self.assertRegex(labels.pop("gpu"), r"^GPU[0-7]$")
            self.assertEqual((labels["n_nodes"], labels["nranks"]), ("4", "16"))
            self.assertEqual(labels["algo_proto"], "RING_SIMPLE")
            names = {"version", "slurm_job_id", "comm_name", "n_nodes", "nranks", "collective"}
            self.assertEqual(set(labels), names | {"algo_proto", "operation"})

    def test_dashboards_of_rdma_exporter_find_ports_and_what_they_carry(self):
        ports = self.ask('rdma_port_info{job="rdma_exporter",run="incast"}')
        rates = self.ask('node_infiniband_rate_bytes_per_second{run="incast"}')
        self.assertEqual(len(ports), len(rates))
        for labels, value in ports:
            self.assertEqual(
                (value, labels["state"], labels["link_speed"]), (1, "ACTIVE", "400 Gb/sec")
            )
            self.assertEqual(labels["netdev"], labels["device"].replace("mlx5_", "rdma"))
            of_port = ",".join(
                f'{key}="{labels[key]}"' for key in ("job", "instance", "device", "port")
            )
            for metric, factor in (
                ("rdma_port_rcv_data_total", 4),
                ("rdma_port_xmit_data_total", 4),
                ("rdma_port_rcv_packets_total", 1),
                ("rdma_port_xmit_packets_total", 1),
            ):
                name = {"rcv_data": "data_received_bytes", "xmit_data": "data_transmitted_bytes"}
                name |= {"rcv_packets": "packets_received", "xmit_packets": "packets_transmitted"}
                short = metric.removeprefix("rdma_port_").removesuffix("_total")
                same = f'node_infiniband_port_{name[short]}_total{{run="incast",place="{labels["place"]}"}}'
                found = self.ask(f"{metric}{{{of_port}}}")
                self.assertAlmostEqual(factor * found[0][1], self.ask(same)[0][1], delta=2)
            rate = self.server.over(
                f"4 * rate(rdma_port_rcv_data_total{{{of_port}}}[5m])", self.ends["incast"], 15
            )
            self.assertTrue(rate, labels)
        for metric in ("rdma_np_cnp_sent_total", "rdma_roce_pfc_pause_duration_total"):
            self.assertTrue(self.ask(f'{metric}{{job="rdma_exporter",run="incast"}}'), metric)

    def test_ethtool_counters_are_of_interfaces(self):
        for way in ("received", "transmitted"):
            for ending in ("", "_duration"):
                rows = self.ask(f'node_ethtool_{way}_prio3_pause{ending}{{run="incast"}}')
                self.assertTrue(rows, way + ending)
                for labels, _ in rows:
                    self.assertRegex(labels["device"], r"^rdma\d+$")
                    self.assertNotIn("port", labels)
        same = [
            self.total(name, labels)
            for name, labels in (
                ("node_ethtool_transmitted_prio3_pause_duration", ""),
                ("rdma_roce_pfc_pause_duration_total", ',direction="tx",priority="3"'),
            )
        ]
        self.assertEqual(*same)

    def test_every_panel_of_the_dashboards_shows_something(self):
        for dashboard, name in (("network", "incast"), ("training", "step")):
            board = json.loads((ROOT / f"integrations/grafana/{dashboard}.json").read_text())
            self.assertGreater(len(board["panels"]), 5)
            for panel in board["panels"]:
                for target in panel["targets"]:
                    expression = target["expr"].replace("$run", name)
                    expression = expression.replace("$__rate_interval", "20s").replace(
                        "$__range", "1h"
                    )
                    rows = self.server.over(
                        expression, self.ends[name] + 30, max(1, self.ends[name] / 200)
                    )
                    self.assertTrue(
                        any(points for _, points in rows), f"{panel['title']}: {expression}"
                    )

    def test_dashboards_are_what_their_script_writes(self):
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/make_dashboards.py", "--check"],
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Files(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def test_threads_change_no_byte(self):
        texts = set()
        for threads in (1, 2, 4):
            run(self.folder, "incast", INCAST, threads=threads)
            texts.add((self.folder / "incast.om").read_bytes())
        self.assertEqual(len(texts), 1)

    def test_promtool_takes_what_an_exporter_would_show(self):
        run(self.folder, "incast", INCAST, ending="prom")
        text = (self.folder / "incast.prom").read_text()
        self.assertNotIn("# EOF", text)
        done = subprocess.run(
            ["promtool", "check", "metrics"], input=text, capture_output=True, text=True
        )
        found = [line for line in (done.stdout + done.stderr).splitlines() if line]
        self.assertEqual([line for line in found if not OTHERS_NAMES.match(line)], [])
        self.assertIn(done.returncode, (0, 3), done.stderr)

    def test_diagnose_reads_back_what_was_written(self):
        results = run(self.folder, "incast", INCAST)
        done = railyard(
            "diagnose",
            self.folder / "incast.om",
            "--scenario",
            self.folder / "incast.toml",
            "--json",
            "-",
            "--quiet",
        )
        self.assertIn(done.returncode, (0, 1), done.stderr)
        read = json.loads(done.stdout)
        self.assertEqual(read.get("unknown_files"), [])
        self.assertGreater(results["cnp"]["sent"], 0)
        self.assertIn("counters", json.dumps(read))

    def test_dilation_start_and_label_are_as_given(self):
        file = self.folder / "incast.toml"
        file.write_text(INCAST)
        done = railyard(
            "run", file, "--threads", 1, "--no-advice", "--quiet", "--metrics", "-", "--metrics-dilation", 1000,
            "--metrics-start", 1700000000, "--metrics-run", 'my "run"',
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith("# EOF\n"))
        self.assertIn(
            'railyard_time_dilation_ratio{run="my \\"run\\""} 1000 1700000000.000', done.stdout
        )

    def test_several_jobs_have_no_metrics(self):
        done = railyard("run", "jobs/prefill-decode", "--metrics", self.folder / "x.om", "--quiet")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--metrics is of single runs", done.stderr)


class Alerts(unittest.TestCase):
    def test_rules_are_what_runs_say_and_fire_on_their_faults_alone(self):
        with tempfile.TemporaryDirectory() as place:
            tests = pathlib.Path(place) / "alerts_test.yml"
            done = subprocess.run(
                [sys.executable, ROOT / "scripts/derive_alerts.py", RAILYARD, "--tests", tests],
                capture_output=True,
                text=True,
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, derive_alerts.RULES.read_text())
            for command in (["check", "rules", derive_alerts.RULES], ["test", "rules", tests]):
                told = subprocess.run(
                    ["promtool", *map(str, command)], capture_output=True, text=True
                )
                self.assertEqual(told.returncode, 0, told.stdout + told.stderr)

    def test_every_alert_has_a_runbook(self):
        for alert in derive_alerts.ALERTS:
            page = (ROOT / f"integrations/runbooks/{alert['name']}.md").read_text()
            for title in ("## Meaning", "## First three commands", "## Likely causes", "## Fix"):
                self.assertIn(title, page, alert["name"])
            commands = page.split("## First three commands")[1].split("## ")[0]
            self.assertEqual(
                [line[:2] for line in commands.splitlines() if re.match(r"\d\.", line)],
                ["1.", "2.", "3."],
            )


if __name__ == "__main__":
    unittest.main(verbosity=2)
