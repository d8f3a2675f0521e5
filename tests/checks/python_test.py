"""import railyard, with Debian's Python: the same figures as the program, frames, rows that are not copied, progress, Ctrl-C,
mistakes with their places, and the notebooks of examples/."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv[-2]).resolve())
sys.path.insert(0, str(pathlib.Path(sys.argv.pop()).resolve()))
sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]

import numpy
import pandas
import railyard

STAR = {
    "name": "two messages",
    "cluster": {"gpus": 4, "nic": "ConnectX-7"},
    "fabric": {"topology": "star", "switch": "Tomahawk-5", "link_rate": "400 Gb/s"},
    "traffic": {"pattern": "incast", "fan_in": 2, "size": "1 MB"},
    "engine": {"fidelity": "packet"},
}
LONG = {**STAR, "traffic": {"pattern": "permutation", "size": "64 MB", "rounds": 500}}


def program(*words):
    return json.loads(
        subprocess.run([RAILYARD, *words, "--json", "-"], capture_output=True, check=True).stdout
    )


class Runs(unittest.TestCase):
    def test_figures_are_those_of_the_program(self):
        for name, overrides in (
            ("packets/incast", {}),
            ("mi300x-llama3", {"fabric.oversubscription": 2}),
        ):
            words = [
                word for key, value in overrides.items() for word in ("--set", f"{key}={value}")
            ]
            expected = program("run", name, "--no-advice", *words)
            results = railyard.run(name, set=overrides)
            self.assertEqual(results.fingerprint, expected["fingerprint"])
            for key in set(expected) - {"verdict", "wall_s"}:
                self.assertEqual(results.dict[key], expected[key], key)
            self.assertIn(results.scenario.name, str(results))

    def test_a_dict_and_toml_and_a_file_are_the_same_scenario(self):
        from railyard.scenarios import toml_text

        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "star.toml"
            file.write_text(toml_text(STAR))
            prints = {
                railyard.run(one).fingerprint
                for one in (STAR, toml_text(STAR), file, railyard.load(STAR))
            }
        self.assertEqual(len(prints), 1)
        again = railyard.run(railyard.load(STAR), set={"traffic.size": "2 MB"})
        self.assertNotIn(again.fingerprint, prints)

    def test_toml_is_written_as_python_reads_it(self):
        import tomllib

        from railyard.scenarios import toml_text

        odd = {
            "a": 'q"\\\n\x7fä',
            "b": [1, 2.5, True],
            "c": {"d e": {"f": -1}, "g": [{"h": 1, "i": {"j": 2}}, {"h": 2}]},
            "k": [[1], []],
        }
        self.assertEqual(tomllib.loads(toml_text(odd)), odd)

    def test_results_do_not_depend_on_threads_or_on_who_else_runs(self):
        wanted = railyard.run("packets/incast", threads=1).fingerprint
        found = []
        others = [
            threading.Thread(
                target=lambda: found.append(railyard.run("packets/incast", threads=2).fingerprint)
            )
            for _ in range(3)
        ]
        for other in others:
            other.start()
        for other in others:
            other.join()
        self.assertEqual(found, [wanted] * 3)

    def test_mistakes_say_where_they_are(self):
        with self.assertRaises(railyard.Error) as caught:
            railyard.run({**STAR, "fabric": {"topology": "star", "swich": "Tomahawk-5"}})
        found = caught.exception.diagnostics
        self.assertTrue(
            any("swich" in one["message"] and one["line"] > 0 and one["hint"] for one in found),
            found,
        )
        self.assertIn(found[0]["code"], str(caught.exception))
        with self.assertRaises(railyard.Error) as caught:
            railyard.run("lama3")
        self.assertIn("llama3", str(caught.exception))
        with self.assertRaises(TypeError):
            railyard.run(3)
        with self.assertRaises(TypeError):
            railyard.load({"name": object()})
        with self.assertRaises(KeyError):
            railyard.run(STAR)["flows.nothing"]


class Rows(unittest.TestCase):
    def setUp(self):
        self.results = railyard.run("packets/incast")

    def test_tables_are_frames_with_numbers(self):
        tiers = self.results.frame("tiers")
        self.assertEqual(tiers["marked"].sum(), self.results["ecn.marked"])
        self.assertEqual(len(self.results.frames()), len(self.results.tables))
        series = self.results.frame("over_time.ports.series")
        self.assertEqual(
            series["backlog_bytes"].max(), self.results["worst_ports.deepest[0].deepest_bytes"]
        )
        with self.assertRaises(KeyError):
            self.results.frame("tires")

    def test_flows_and_samples_are_the_memory_of_the_run(self):
        flows, samples = self.results.flows, self.results.samples
        self.assertEqual(flows["bytes"].sum(), 32 * 2_000_000)
        self.assertEqual(set(flows["what"]), {"incast"})
        raw = railyard._railyard.flows(self.results._session)
        self.assertTrue(numpy.shares_memory(flows["bytes"].to_numpy(), raw["bytes"]))
        self.assertTrue(numpy.shares_memory(samples, self.results.samples))
        self.assertFalse(samples.flags.writeable)
        names = self.results.port_names
        self.assertEqual(samples.shape, (len(self.results.sample_times_ps), len(names)))
        deepest = self.results["worst_ports.deepest[0]"]
        self.assertEqual(
            samples["backlog_bytes"][:, names.index(deepest["port"])].max(),
            deepest["deepest_bytes"],
        )
        kept = self.results.flows
        del self.results
        self.assertEqual(kept["bytes"].sum(), 32 * 2_000_000)

    def test_without_pandas_all_but_frames_works(self):
        code = (
            "import sys; sys.modules['pandas'] = None; import railyard\n"
            "results = railyard.run('packets/incast'); print(results['flows.delivery_us.max'])\n"
            "results.frame('worst_ports.deepest')"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(pathlib.Path(railyard.__file__).parents[1])},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1)
        self.assertGreater(float(done.stdout), 0)
        self.assertIn("apt install python3-pandas", done.stderr)

    def test_sweeps_comparisons_and_differences(self):
        table = railyard.sweep(
            STAR,
            {"traffic.size": ["1 MB", "2 MB"], "transport.mtu": [1024, 7]},
            ["flows.delivery_us.max"],
        )
        self.assertEqual(list(table["transport.mtu"]), [1024, 7, 1024, 7])
        times = table["flows.delivery_us.max"]
        self.assertTrue(times[0] < times[2] and pandas.isna(times[1]))
        self.assertIn("RY-", table["error"][1])
        both = railyard.compare(
            {"one": STAR, "two": "packets/incast"}, ["flows.delivery_us.max", "nothing"]
        )
        alone = railyard.run(STAR)["flows.delivery_us.max"]
        self.assertEqual(both.loc["one", "flows.delivery_us.max"], alone)
        self.assertTrue(both["nothing"].isna().all())
        changed = railyard.diff(
            railyard.run(STAR), railyard.run(STAR, set={"traffic.size": "2 MB"})
        )
        self.assertTrue(any(one["a"] != one["b"] for one in changed["figures"]))
        self.assertFalse(
            any(
                one["a"] != one["b"]
                for one in railyard.diff(railyard.run(STAR), railyard.run(STAR))["figures"]
            )
        )


class Waiting(unittest.TestCase):
    def test_progress_is_told_and_may_give_up(self):
        told = []
        railyard.run(
            "packets/permutation",
            set={"traffic.size": "16 MB"},
            progress=lambda share, now: told.append(share),
        )
        self.assertEqual(told, sorted(told))

        class Enough(Exception):
            pass

        def give_up(share, now):
            raise Enough

        begun = time.monotonic()
        with self.assertRaises(Enough):
            railyard.run(LONG, progress=give_up)
        self.assertLess(time.monotonic() - begun, 20)

    def test_control_c_ends_a_run(self):
        script = f"import sys; sys.path.insert(0, {sys.path[0]!r}); import railyard; print('go', flush=True); railyard.run({LONG!r})"
        child = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        child.stdout.readline()
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
        self.assertIn(b"KeyboardInterrupt", errors)
        self.assertNotEqual(child.returncode, 0)


class Notebooks(unittest.TestCase):
    def test_every_one_runs_and_draws(self):
        scripts = sorted((ROOT / "examples").glob("*.py"))
        self.assertEqual(len(scripts), 3)
        with tempfile.TemporaryDirectory() as folder:
            for script in scripts:
                picture = pathlib.Path(folder) / f"{script.stem}.png"
                done = subprocess.run(
                    [sys.executable, str(script), str(picture)],
                    env={**os.environ, "PYTHONPATH": sys.path[0], "MPLCONFIGDIR": folder},
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
                self.assertTrue(done.stdout.strip())


if __name__ == "__main__":
    unittest.main()
