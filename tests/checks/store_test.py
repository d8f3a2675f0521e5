"""Runs kept in SQLite (run --db) and tables as CSV (--csv), read by sqlite3 and by Python's csv: what is in them is what
--json says; several writers get along, and a run that is killed leaves no half."""
import csv
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
INCAST = ("packets/incast", "--no-advice")
STEP = ("llama3-8192", "--no-advice")


def railyard(*words, check=True):
    done = subprocess.run([RAILYARD, *words], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stderr}")
    return done


def query(store, sql):
    """Rows as sqlite3 gives them."""
    text = subprocess.run(
        ["sqlite3", "-json", str(store), sql], capture_output=True, text=True, check=True
    ).stdout
    return json.loads(text) if text.strip() else []


class Store(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "runs.sqlite"

    def add(self, *words):
        results = self.folder / "results.json"
        railyard("run", *words, "--quiet", "--db", str(self.store), "--json", str(results))
        return json.loads(results.read_text())

    def test_a_packet_run_is_there_with_its_ports_flows_and_series(self):
        results = self.add(*INCAST)
        (run,) = query(self.store, "SELECT * FROM runs")
        self.assertEqual(run["fingerprint"], results["fingerprint"])
        self.assertEqual(json.loads(run["results"]), results)
        self.assertEqual(run["answer"], results["verdict"]["sentences"][0]["text"])
        self.assertIn('pattern = "incast"', run["scenario"])
        ports = query(self.store, "SELECT * FROM ports")
        worst = results["worst_ports"]["deepest"][0]
        (same,) = [port for port in ports if port["name"] == worst["port"]]
        for key in ("marked", "pauses", "dropped", "deepest_bytes"):
            self.assertEqual(same[key], worst[key], key)
        self.assertEqual(sum(port["marked"] for port in ports), results["ecn"]["marked"])
        flows = query(
            self.store,
            "SELECT sum(bytes) AS bytes, max(finish_s) AS last, count(*) AS n FROM flows",
        )[0]
        self.assertEqual((flows["n"], flows["bytes"]), (32, 32 * 2_000_000))
        self.assertAlmostEqual(
            flows["last"] * 1e6, results["flows"]["delivery_us"]["max"], places=3
        )
        line = results["over_time"]["ports"][0]
        most = query(
            self.store,
            f"SELECT max(value) AS v FROM series WHERE name = '{line['port']}' AND unit = 'bytes of backlog'",
        )[0]["v"]
        self.assertEqual(most, max(line["backlog_bytes"]))

    def test_equal_samples_are_there_once_and_all_can_be_told_from_them(self):
        over_time = self.add(*INCAST)["over_time"]
        line = over_time["ports"][0]
        rows = query(
            self.store,
            f"SELECT at_s, value FROM series WHERE name = '{line['port']}' AND unit = 'bytes of backlog' ORDER BY at_s",
        )
        values = [row["value"] for row in rows]
        self.assertTrue(all(a != b for a, b in zip(values[:-1], values[1:-1])))
        self.assertLess(len(values), len(line["backlog_bytes"]))
        held = dict((round(row["at_s"] * 1e6, 3), row["value"]) for row in rows)
        last = None
        for at, backlog in zip(over_time["at_us"], line["backlog_bytes"]):
            last = held.get(round(at, 3), last)
            self.assertEqual(last, backlog, at)
        instants = query(self.store, "SELECT count(*) AS n FROM instants")
        self.assertEqual(instants, [{"n": len(over_time["at_us"])}], "once for all lines")

    def test_a_step_is_there_with_its_figures(self):
        results = self.add(*STEP)
        figures = {
            row["key"]: row["value"] for row in query(self.store, "SELECT key, value FROM figures")
        }
        self.assertEqual(figures["step_time_s"], results["step_time_s"])
        self.assertEqual(figures["mfu.causal"], results["mfu"]["causal"])
        carried = {}
        for port in query(self.store, "SELECT tier, carried_bytes FROM ports"):
            carried[port["tier"]] = carried.get(port["tier"], 0) + port["carried_bytes"]
        for tier in results["network"]["tiers"]:
            self.assertAlmostEqual(carried[tier["tier"]] / tier["carried_bytes"], 1, places=6)
        why = query(self.store, "SELECT value FROM figures WHERE key = 'network.by_port.unknown'")
        self.assertIn("100,000 paths", why[0]["value"])

    def test_runs_are_listed_shown_compared_and_removed(self):
        first = self.add(*INCAST)
        self.add(*INCAST, "--set", "transport.mtu=1024")
        listed = json.loads(railyard("runs", "list", str(self.store), "--json", "-").stdout)["runs"]
        self.assertEqual([run["id"] for run in listed], [1, 2])
        self.assertIn("--set transport.mtu=1024", listed[1]["command"])
        self.assertEqual(
            json.loads(railyard("runs", "show", str(self.store), "1", "--json", "-").stdout), first
        )
        self.assertEqual(railyard("runs", "diff", str(self.store), "1", "1").returncode, 0)
        differ = railyard("runs", "diff", str(self.store), "1", "2", check=False)
        self.assertEqual(differ.returncode, 1)
        self.assertIn("transport.mtu 1 KiB instead of 4 KiB", differ.stdout)
        refused = railyard("runs", "rm", str(self.store), "1", "9", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("RY-STO-004", refused.stderr)
        self.assertEqual(
            len(query(self.store, "SELECT id FROM runs")), 2, "none of them was taken out"
        )
        railyard("runs", "rm", str(self.store), "1")
        self.assertEqual(query(self.store, "SELECT DISTINCT run FROM flows"), [{"run": 2}])
        self.assertEqual(query(self.store, "SELECT DISTINCT run FROM clocks"), [{"run": 2}])
        orphans = "SELECT count(*) AS n FROM instants WHERE clock NOT IN (SELECT id FROM clocks)"
        self.assertEqual(query(self.store, orphans), [{"n": 0}])
        self.add(*INCAST)
        self.assertEqual(
            query(self.store, "SELECT max(id) AS id FROM runs"),
            [{"id": 3}],
            "numbers are not used again",
        )

    def test_several_write_at_once(self):
        words = [RAILYARD, "run", *INCAST, "--quiet", "--threads", "1", "--db", str(self.store)]
        writers = [subprocess.Popen([*words, "--seed", str(seed)]) for seed in range(6)]
        self.assertEqual([writer.wait() for writer in writers], [0] * 6)
        self.assertEqual(query(self.store, "SELECT count(*) AS n FROM runs"), [{"n": 6}])
        self.assertEqual(query(self.store, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])

    def test_a_run_that_is_killed_leaves_no_half(self):
        self.add(*INCAST)
        for wait in (0.02, 0.1, 0.25, 0.4, 0.55, 0.7):
            child = subprocess.Popen([RAILYARD, "run", *STEP, "--quiet", "--db", str(self.store)])
            time.sleep(wait)
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.assertEqual(query(self.store, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        runs = {row["id"] for row in query(self.store, "SELECT id FROM runs")}
        for table in ("figures", "ports", "flows", "series"):
            counted = {row["run"] for row in query(self.store, f"SELECT DISTINCT run FROM {table}")}
            self.assertEqual(counted, runs, table)

    def test_mistakes_are_told(self):
        self.store.write_text("no database " * 100)
        for words in (("runs", "list", str(self.store)), ("run", *INCAST, "--db", str(self.store))):
            refused = railyard(*words, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("RY-STO-001", refused.stderr)
        self.assertTrue(self.store.read_text().startswith("no database"), "it is left as it was")
        other = self.folder / "other.sqlite"
        subprocess.run(["sqlite3", str(other), "CREATE TABLE mine (x)"], check=True)
        self.assertIn("RY-STO-002", railyard("runs", "list", str(other), check=False).stderr)
        self.assertIn(
            "RY-STO-002", railyard("run", *INCAST, "--db", str(other), check=False).stderr
        )
        refused = railyard("run", *INCAST, "--db", "/proc/runs.sqlite", check=False)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""), "before the run")
        self.assertIn("RY-STO-001", refused.stderr)
        self.store.unlink()
        self.add(*INCAST)
        for version in (2, 99):
            mark = f"PRAGMA user_version = {version}"
            subprocess.run(["sqlite3", str(self.store), mark], check=True)
            refused = railyard("runs", "list", str(self.store), check=False)
            self.assertIn("RY-STO-003", refused.stderr, version)
        new = str(self.folder / "new")
        refused = railyard(
            "run", *INCAST, "--db", new, "--json", f"{self.folder}/./new", check=False
        )
        self.assertEqual((refused.returncode, pathlib.Path(new).exists()), (2, False))
        for scenario in ("jobs/two-tenants", "jobs/prefill-decode"):
            for option in ("--db", "--trace", "--flows"):
                refused = railyard("run", scenario, option, str(self.folder / "new"), check=False)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(option, refused.stderr)
                self.assertFalse((self.folder / "new").exists())
        for words in (("show",), ("diff", "1"), ("rm",), ("list", "1")):
            action, *numbers = words
            refused = railyard("runs", action, str(self.store), *numbers, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"runs {action} takes", refused.stderr)


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, name):
        with open(self.folder / "tables" / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_every_table_of_a_run_is_a_file(self):
        json_file = self.folder / "results.json"
        railyard(
            "run",
            *INCAST,
            "--quiet",
            "--csv",
            str(self.folder / "tables"),
            "--json",
            str(json_file),
        )
        results = json.loads(json_file.read_text())
        listed = {row["file"]: int(row["rows"]) for row in self.read("tables.csv")}
        there = {file.name for file in (self.folder / "tables").iterdir()}
        self.assertEqual(there, {*listed, "tables.csv"})
        for name, rows in listed.items():
            self.assertEqual(len(self.read(name)), rows, name)
        tiers = self.read("tiers.csv")
        self.assertEqual(
            [row["tier"] for row in tiers], [tier["tier"] for tier in results["tiers"]]
        )
        self.assertEqual(
            [float(row["marked"]) for row in tiers], [tier["marked"] for tier in results["tiers"]]
        )
        samples = self.read("over_time.ports.series.csv")
        first = [float(row["gbps"]) for row in samples if row["ports"] == "0"]
        self.assertEqual(first, results["over_time"]["ports"][0]["gbps"])
        summary = {row["key"]: row["value"] for row in self.read("summary.csv")}
        self.assertEqual(
            float(summary["flows.delivery_us.max"]), results["flows"]["delivery_us"]["max"]
        )

    def test_tables_of_another_run_go_and_what_is_not_listed_stays(self):
        tables = self.folder / "tables"
        railyard("run", *INCAST, "--quiet", "--csv", str(tables))
        before = {row["file"] for row in self.read("tables.csv")}
        (tables / "notes.csv").write_text("mine")
        railyard("fabric", "fabrics/star", "--csv", str(tables))
        listed = {row["file"] for row in self.read("tables.csv")}
        self.assertTrue(before - listed, "there is something to remove")
        there = {file.name for file in tables.iterdir()}
        self.assertEqual(there, {*listed, "tables.csv", "notes.csv"})

    def test_headers_have_units(self):
        tables = self.folder / "tables"
        railyard("run", *INCAST, "--quiet", "--csv", str(tables))
        for name, header in (
            ("queue_time_ns.buckets.csv", "from_ns,to_ns,packets"),
            ("queue_depth_bytes.buckets.csv", "from_bytes,to_bytes,packets"),
        ):
            self.assertEqual((tables / name).read_text().splitlines()[0], header)
        for name, columns in (
            ("over_time.ports.series.csv", {"paused_share"}),
            ("patterns.fabric_map.over_time.links.series.csv", {"mean_thousandths"}),
            ("patterns.fabric_map.switches.series.csv", {"up_thousandths", "down_thousandths"}),
        ):
            self.assertLessEqual(columns, set(self.read(name)[0]), name)

    def test_folders_are_not_made_where_none_is_there(self):
        where = self.folder / "nowhere" / "x"
        refused = railyard("run", *INCAST, "--csv", str(where), check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("cannot write --csv", refused.stderr)
        self.assertFalse(where.parent.exists())

    def test_other_commands_have_them_too(self):
        railyard("fabric", "fabrics/star", "--csv", str(self.folder / "tables"))
        self.assertGreater(len(self.read("summary.csv")), 3)

    def test_a_file_is_no_folder(self):
        (self.folder / "tables").write_text("mine")
        refused = railyard("run", *INCAST, "--csv", str(self.folder / "tables"), check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--csv", refused.stderr)
        self.assertEqual((self.folder / "tables").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
