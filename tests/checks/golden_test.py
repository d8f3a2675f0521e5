"""What the terminal shows, word for word: tests/golden holds the output of commands at a width of 100 columns.

A change that is meant is written with: python3 tests/checks/golden_test.py build/release/railyard --update
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from printed import main_job, printed_once

GOLDEN = ROOT / "tests/golden"
UPDATE = "--update" in sys.argv
RAILYARD = str(pathlib.Path([word for word in sys.argv[1:] if word != "--update"][-1]).resolve())
del sys.argv[1:]

SMALL = ["--set", "engine.fidelity=flow", "--set", "jitter="]


def railyard(*words):
    done = subprocess.run(
        [RAILYARD, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
    )
    return done.returncode, done.stdout, done.stderr


class Golden(unittest.TestCase):
    def hold(self, name, words, code=0):
        got, out, err = railyard(*words)
        self.assertEqual(got, code, err)
        self.compare(name, words, out)

    def compare(self, name, words, out):
        file = GOLDEN / name
        if UPDATE:
            file.write_text(out)
        want = file.read_text()
        if out != want:
            lines = difflib.unified_diff(
                want.splitlines(),
                out.splitlines(),
                str(file),
                "railyard " + " ".join(words),
                lineterm="",
            )
            self.fail(
                "\n".join(list(lines)[:60])
                + "\nIf this is meant, write it anew: see the top of golden_test.py"
            )

    def test_the_comparison_of_the_documents_models(self):
        self.compare("compare.txt", ["compare"], main_job(RAILYARD)[0])

    def test_a_small_comparison_with_one_thread_and_with_four(self):
        for threads in ("1", "4"):
            self.hold("compare_small.txt", ["compare", "jitter", *SMALL, "--threads", threads])

    def test_where_a_number_comes_from(self):
        self.hold("explain_mfu.txt", ["compare", "--explain", "mfu.llama3.simulated"])
        self.hold("explain_published.txt", ["compare", "--explain", "mfu.gpt4.mfu-published"])

    def test_a_number_that_no_table_has_is_said_before_anything_runs(self):
        for key, hint in [
            ("nope", "--explain list shows all"),
            ("mfu.llama3.simulatd", "did you mean 'mfu.llama3.simulated'?"),
            ("mfu.lama3.simulated", "did you mean 'mfu.llama3.simulated'?"),
            ("advice.x", "RY-CMP-001"),
        ]:
            done = subprocess.run(
                [RAILYARD, "compare", "--explain", key],
                capture_output=True,
                text=True,
                cwd=ROOT,
                timeout=5,
            )
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("RY-CMP-001", done.stderr)
            self.assertIn(hint, done.stderr)

    def test_predictions_of_published_steps(self):
        for engine in ("analytic", "flow"):
            words = ["accuracy", "--csv", "--engine", engine]
            self.compare(f"accuracy_{engine}.csv", words, printed_once(RAILYARD, *words))

    def test_every_number_of_the_tables_is_explained(self):
        _, listed, _ = railyard("compare", "jitter", *SMALL, "--explain", "list")
        keys = [line.split("\t")[0] for line in listed.splitlines()]
        self.assertGreater(len(keys), 30)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "c.json"
            code, _, err = railyard("compare", "jitter", *SMALL, "--json", str(file), "--quiet")
            self.assertEqual(code, 0, err)
            comparison = json.loads(file.read_text())
        cells = [
            cell
            for table in comparison["tables"]
            for row in table["rows"]
            for cell in row["cells"][1:]
        ]
        advice = {one["key"] for one in comparison["advice"]}
        self.assertEqual({cell["key"] for cell in cells if cell["text"] != "–"} | advice, set(keys))

    def test_what_cannot_be_written_is_said_before_anything_runs(self):
        for words in (
            ["compare", "-o", "tests"],
            ["run", "llama3", "--json", "no/such/folder/x.json"],
            ["compare", "-o", "x", "--explain", "list"],
        ):
            code, out, err = railyard(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("railyard: ", err)

    def test_two_results(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (str(pathlib.Path(folder) / name) for name in ("a.json", "b.json"))
            for file, more in ((a, []), (b, ["--set", "transport.mtu=1024"])):
                code, _, err = railyard("run", "jitter", *SMALL, *more, "--json", file, "--quiet")
                self.assertEqual(code, 0, err)
            code, out, _ = railyard("diff", a, b)
            self.assertEqual(code, 1)
            for word in ("step time, s", "transport.mtu", "1 KiB"):
                self.assertIn(word, out)
            code, out, _ = railyard("diff", a, a)
            self.assertEqual(code, 0)
            self.assertIn("Nothing differs", out)
            pathlib.Path(b).write_text("{}")
            code, _, err = railyard("diff", a, b)
            self.assertEqual(code, 2)
            self.assertIn("RY-DIF-002", err)
            comparison = lambda runs: pathlib.Path(b).write_text(
                '{"schema": "railyard-comparison/1", "runs": %s}' % runs
            )
            comparison('[{"id": "x", "results": %s}]' % pathlib.Path(a).read_text())
            self.assertIn("RY-DIF-003", railyard("diff", a, b)[2])
            for broken in ("1", "[{}]", '[{"id": "a"}]', '[{"id": 1, "results": {}}]'):
                comparison(broken)
                self.assertIn("RY-DIF-002", railyard("diff", b, b)[2])
            comparison("[]")
            self.assertIn("no scenario in common", railyard("diff", b, b)[2])
            code, _, err = railyard("diff", a, a, "--json", a)
            self.assertEqual(code, 2, err)
            self.assertIn("would overwrite", err)
            self.assertIn("RY-DIF-001", railyard("diff", a, folder)[2])


unittest.main()
