"""The layer check must fail when a forbidden include is added, and pass when it is taken out again."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(root):
    return subprocess.run(
        [sys.executable, ROOT / "scripts/check_layers.py", root], capture_output=True, text=True
    )


class Layers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        shutil.copytree(ROOT / "src", self.root / "src")
        shutil.copytree(ROOT / "cmake", self.root / "cmake")

    def tearDown(self):
        self.folder.cleanup()

    def add(self, file, line):
        path = self.root / "src" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + line + "\n")

    def test_the_tree_as_it_is_passes(self):
        self.assertEqual(check(self.root).returncode, 0)

    def test_forbidden_includes_fail_and_name_the_line(self):
        for file, include, sentence in [
            (
                "engine/engine.h",
                '#include "workload/step_graph.h"',
                "engine/ may not include workload/",
            ),
            ("base/units.h", '#include "scenario/load.h"', "base/ may not include scenario/"),
            (
                "fabric/build.cpp",
                '#include "plan/workload_plan.h"',
                "fabric/ may not include plan/workload_plan.h of plan/",
            ),
            (
                "workload/step.cpp",
                '#include "plan/scenario.h"',
                "workload/ may not include plan/scenario.h of plan/",
            ),
            (
                "sim/simulate.cpp",
                '#include "scenario/load.h"',
                "sim/ may not include scenario/",
            ),
            (
                "tools/compare/trials.cpp",
                '#include "scenario/read/spec.h"',
                "tools/compare/ may not include scenario/read/spec.h of scenario/",
            ),
            (
                "analysis/results.cpp",
                '#include "engine/engine.h"',
                "analysis/ may not include engine/",
            ),
            (
                "tools/expect/expect.cpp",
                '#include "tools/explain/explain.h"',
                "tools/expect/ may not include tools/explain/",
            ),
            (
                "engine/flow/flow.cpp",
                '#include "engine/analytic/x.h"',
                "engine/flow/ may not include engine/analytic/",
            ),
            (
                "engine/rates/max_min.h",
                '#include "engine/flow/lanes.h"',
                "engine/rates/ may not include engine/flow/",
            ),
            ("sim/play.cpp", '#include "play.h"', "write includes from src/"),
            ("attic/x.cpp", '#include "base/units.h"', "src/attic has no line in cmake/layers.txt"),
        ]:
            with self.subTest(sentence):
                path = self.root / "src" / file
                before = path.read_text() if path.exists() else None
                self.add(file, include)
                result = check(self.root)
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(sentence, result.stdout)
                self.assertIn(f"src/{file}", result.stdout)
                path.unlink() if before is None else path.write_text(before)


unittest.main()
