"""What the program writes: whole or not at all, never over what it reads, into devices and pipes."""
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

RAILYARD = sys.argv.pop()
FIRST = "scenarios/first.toml"
HEALTHY = "tests/verdicts/healthy.toml"
FLOWS = ["--set", "engine.fidelity=flow"]
TRAFFIC = """name = "flows of a file"
[fabric]
topology = "star"
link_rate = "400 Gb/s"
switch_latency = "500 ns"
[cluster]
gpus = 4
[traffic]
pattern = "file"
file = "flows.csv"
[engine]
fidelity = "flow"
"""
RING = """extends = "base.toml"
[placement]
policy = "file"
file = "ranks.txt"
"""


def railyard(*args, **kwargs):
    return subprocess.run(
        [RAILYARD, *args], capture_output=True, text=True, **{"timeout": 300, **kwargs}
    )


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def file(self, name, text=""):
        path = self.folder / name
        path.write_text(text)
        return str(path)


class Targets(Case):
    OPTIONS = [
        ["run", FIRST, "--quiet", "--json"],
        ["run", FIRST, "--quiet", "-o"],
        ["run", FIRST, "--quiet", *FLOWS, "--flows"],
        ["fabric", FIRST, "--quiet", "--svg"],
        ["fabric", FIRST, "--quiet", "--dot"],
        ["check", FIRST, "--quiet", "--json"],
        ["collective", "all_reduce", "--scenario", FIRST, "-e", "16", "--quiet", "--json"],
        ["experts", "--scenario", "deepseek-v3", "--ranks", "8", "--quiet", "--json"],
        ["claims", "ports-800g", "--quiet", "--json"],
        ["claims", "ports-800g", "--quiet", "--write"],
    ]

    def test_links_lead_to_their_files_and_stay(self):
        for args in self.OPTIONS:
            there, missing = self.folder / "there", self.folder / "missing"
            there.write_text("old")
            (self.folder / "link").symlink_to("there")
            (self.folder / "to_nothing").symlink_to(missing)
            for link in ["link", "to_nothing"]:
                done = railyard(*args, str(self.folder / link))
                self.assertEqual(done.returncode, 0, (args, done.stderr))
                self.assertTrue((self.folder / link).is_symlink(), args)
            self.assertNotEqual(there.read_text(), "old")
            self.assertTrue(missing.is_file(), args)
            self.assertEqual(self.names(), ["link", "missing", "there", "to_nothing"])
            for name in self.names():
                (self.folder / name).unlink()

    def test_pipes_get_everything_and_stay(self):
        for args in self.OPTIONS:
            pipe = self.folder / "pipe"
            os.mkfifo(pipe)
            got = []
            reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
            reader.start()
            done = railyard(*args, str(pipe))
            reader.join(20)
            self.assertEqual((done.returncode, done.stderr), (0, ""), args)
            self.assertTrue(got and got[0], args)
            self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode), args)
            self.assertEqual(self.names(), ["pipe"], args)
            pipe.unlink()

    def test_devices_stay_devices(self):
        for args in self.OPTIONS:
            link = self.folder / "null"
            link.symlink_to("/dev/null")  # even where the program may rename in /dev
            self.assertEqual(railyard(*args, str(link)).returncode, 0, args)
            self.assertTrue(link.is_symlink(), args)
            link.unlink()
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_standard_output_by_any_name(self):
        for args in self.OPTIONS:
            as_dash = railyard(*args, "-").stdout
            for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]:
                done = railyard(*args, name)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (args, name))
                lines, dashed = done.stdout.splitlines(), as_dash.splitlines()
                self.assertEqual(lines[0], dashed[0], (args, name))
                self.assertEqual(len(lines), len(dashed), (args, name))
        loud = railyard("run", FIRST, "--json", "/dev/stdout")
        self.assertEqual(json.loads(loud.stdout)["schema"], "railyard-results/1")

    def test_standard_output_in_a_file(self):
        path = self.folder / "out"
        for how in ["w", "a"]:
            with open(path, how) as out:
                done = subprocess.run(
                    [RAILYARD, "run", FIRST, "--json", "/dev/stdout"], stdout=out, timeout=60
                )
            self.assertEqual(done.returncode, 0)
        text = path.read_text()
        self.assertEqual(text.count('"schema": "railyard-results/1"'), 2)
        with open(path, "w") as out:
            subprocess.run([RAILYARD, "run", FIRST, "--json", str(path)], stdout=out, timeout=60)
        self.assertEqual(json.loads(path.read_text())["schema"], "railyard-results/1")

    def test_what_a_shell_makes_of_a_process(self):
        out = self.folder / "out"
        for args in self.OPTIONS:
            line = " ".join([RAILYARD, *args]) + f" >(cat > {out})"
            done = subprocess.run(
                ["bash", "-c", line + "; wait $!"], capture_output=True, text=True, timeout=60
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), args)
            self.assertTrue(out.read_text(), args)
            out.unlink()

    def test_permissions_of_the_file_that_is_replaced(self):
        path = self.folder / "secret"
        path.write_text("old")
        path.chmod(0o600)
        self.assertEqual(railyard("run", FIRST, "--quiet", "--json", str(path)).returncode, 0)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_a_file_that_lies_in_the_way_is_left_alone(self):
        """Names of unfinished files: nobody's file is followed or cut short."""
        victim = self.folder / "victim"
        victim.write_text("precious")
        script = (
            "import os, sys; folder = sys.argv[1]\n"
            "for name in ['x.json.partial-%d' % os.getpid(), '.railyard-%d-0.partial' % os.getpid()]:\n"
            "    os.symlink(folder + '/victim', folder + '/' + name)\n"
            "os.execv(sys.argv[2], sys.argv[2:])"
        )
        for args in [["--json"], [*FLOWS, "--flows"]]:
            subprocess.run(
                [sys.executable, "-c", script, self.folder, RAILYARD, "run", FIRST, "--quiet"]
                + [*args, f"{self.folder}/x.json"],
                timeout=60,
                check=True,
            )
            self.assertEqual(victim.read_text(), "precious")
            self.assertTrue((self.folder / "x.json").read_text())
            self.assertFalse((self.folder / "x.json").is_symlink())
            for name in self.names():
                if name != "victim":
                    (self.folder / name).unlink()


class Refusals(Case):
    def refused(self, args, *sentences, kept=(), **kwargs):
        before = {name: (self.folder / name).read_text() for name in kept}
        done = railyard(*args, **kwargs)
        self.assertEqual(done.returncode, 2, (args, done.stdout, done.stderr))
        for sentence in sentences:
            self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stdout, "", args)
        for name, text in before.items():
            self.assertEqual((self.folder / name).read_text(), text, args)

    def test_no_output_goes_over_what_is_read(self):
        base = self.file("base.toml", pathlib.Path(FIRST).read_text())
        ranks = self.file("ranks.txt", " ".join(str(i) for i in reversed(range(64))))
        ring = self.file("ring.toml", RING)
        flows = self.file("flows.csv", "start_us,source,destination,bytes\n0,0,1,4096\n")
        traffic = self.file("traffic.toml", TRAFFIC)
        os.link(base, self.folder / "hard.toml")
        (self.folder / "soft.toml").symlink_to("base.toml")
        self.assertEqual(railyard("run", ring, "--quiet").returncode, 0)
        self.assertEqual(railyard("run", traffic, "--quiet").returncode, 0)
        kept = self.names()
        over = "would overwrite what is read"
        for option in ["--json", "-o", "--flows"]:
            for target in [ring, base, ranks, str(self.folder / "hard.toml")]:
                self.refused(["run", ring, *FLOWS, option, target], over, kept=kept)
            self.refused(["run", traffic, option, flows], over, kept=kept)
            self.refused(["run", ring, option, "./soft.toml"], over, kept=kept, cwd=self.folder)
        for option in ["--svg", "--dot", "--json"]:
            self.refused(["fabric", ring, option, base], over, kept=kept)
        self.refused(["check", ring, traffic, "--json", flows], over, kept=kept)
        sweep = ["collective", "all_reduce", "--scenario", ring, "-e", "16"]
        self.refused([*sweep, "--json", base], over, kept=kept)
        self.refused(["compare", ring, "-o", base], over, kept=kept)
        self.refused(["compare", ring, "--json", ranks], over, kept=kept)
        case = pathlib.Path("tests/diagnose/cases/s03")
        logs = self.folder / "logs"
        shutil.copytree(case, logs)
        named = ["diagnose", "--scenario", str(logs / "cluster.toml"), str(logs / "rccl.log")]
        found = ["diagnose", "--scenario", str(case / "cluster.toml"), str(logs)]
        measured = ["logs/rccl.log", "logs/cluster.toml"]
        for option in ["--json", "-o"]:
            for target in measured:
                for question in [named, found]:
                    self.refused(
                        [*question, option, str(self.folder / target)], over, kept=measured
                    )
        # Also where mistakes are all there is to write.
        self.refused(["run", ring, "--set", "transport.mtu=7", "--json", base], over, kept=kept)
        with open(base) as text:
            self.refused(["run", "-", "--json", base], over, kept=kept, stdin=text)
        results = self.file("r.json")
        self.assertEqual(railyard("run", FIRST, "--quiet", "--json", results).returncode, 0)
        self.refused(["diff", results, results, "--json", results], over, kept=["r.json"])

    def test_expert_load_and_drawing_are_read_too(self):
        load = self.file("load.txt", " ".join(["1"] * 256))
        experts = self.file(
            "experts.toml",
            f'extends = "{pathlib.Path("scenarios/deepseek-v3.toml").resolve()}"\n'
            '[training]\nexpert_load = "load.txt"\n',
        )
        over = "would overwrite what is read"
        self.refused(["run", experts, "-o", load], over, kept=["load.txt"])
        shutil.copytree("tests/scenarios/flow", self.folder / "flow")
        scenario = self.folder / "flow" / "pinned_drawn.toml"
        drawing = scenario.parent / scenario.read_text().split('file = "')[1].split('"')[0]
        shutil.copy(
            pathlib.Path("tests/scenarios/flow") / drawing.relative_to(scenario.parent), drawing
        )
        before = drawing.read_text()
        self.refused(["fabric", str(scenario), "--svg", str(drawing)], over)
        self.assertEqual(drawing.read_text(), before)

    def test_no_two_outputs_are_one_file(self):
        same = "would write to the same file"
        there = self.file("there", "old")
        os.link(there, self.folder / "hard")
        (self.folder / "soft").symlink_to("there")
        (self.folder / "later").symlink_to("new")
        for a, b in [
            ("x", "./x"),
            ("x", str(self.folder / "x")),
            ("there", "soft"),
            ("there", "hard"),
            ("later", "new"),
            ("-", "-"),
            ("-", "/dev/stdout"),
        ]:
            for args in [
                ["run", FIRST, "-o", a, "--json", b],
                ["run", FIRST, *FLOWS, "--flows", a, "--json", b],
                ["run", FIRST, *FLOWS, "--flows", a, "-o", b],
                ["fabric", FIRST, "--json", a, "--svg", b],
                ["fabric", FIRST, "--svg", a, "--dot", b],
                ["claims", "ports-800g", "--json", a, "--write", b],
                ["compare", FIRST, "--json", a, "-o", b],
            ]:
                args[1] = str(pathlib.Path(FIRST).resolve()) if args[1] == FIRST else args[1]
                self.refused(args, same, cwd=self.folder)
                self.assertEqual(self.names(), ["hard", "later", "soft", "there"])
        self.assertEqual((self.folder / "there").read_text(), "old")
        both = railyard("run", FIRST, "--quiet", "-o", "/dev/null", "--json", "/dev/null")
        self.assertEqual((both.returncode, both.stderr), (0, ""))

    def test_what_cannot_be_written_is_2_before_the_work(self):
        (self.folder / "folder").mkdir()
        (self.folder / "loop").symlink_to("loop")
        scenario = str(pathlib.Path(FIRST).resolve())
        long_work = ["--set", "collective.sizes=1 GiB", "--set", "cluster.gpus=8192"]
        for target in ["nowhere/x", "folder", "loop", "x" * 300, "/proc/nothing"]:
            for args in [
                ["run", scenario, *long_work, "--json"],
                ["run", scenario, *long_work, "-o"],
                ["run", scenario, *FLOWS, *long_work, "--flows"],
                ["compare", "-o"],
                ["compare", "--json"],
                ["claims", "--write"],
                ["claims", "--json"],
                ["calibrate", "--write"],
                ["check", scenario, "--json"],
                ["experts", "--scenario", "deepseek-v3", "--json"],
                ["collective", "all_reduce", "--scenario", scenario, "--json"],
                ["fabric", scenario, "--json"],
                ["fabric", scenario, "--svg"],
                ["fabric", scenario, "--dot"],
                ["diff", "a", "b", "--json"],
            ]:
                self.refused([*args, target], "cannot write", cwd=self.folder, timeout=5)
        self.assertEqual(self.names(), ["folder", "loop"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_what_may_not_be_written_is_2_before_the_work(self):
        (self.folder / "closed").mkdir(mode=0o500)
        path = pathlib.Path(self.file("read_only", "old"))
        path.chmod(0o400)
        for target in ["closed/x", "read_only"]:
            self.refused(["run", FIRST, "--json", str(self.folder / target)], "cannot write")
        self.assertEqual(path.read_text(), "old")

    def test_a_full_disk_is_1_and_leaves_the_old_file(self):
        for option in [["--json"], ["-o"], [*FLOWS, "--flows"]]:
            done = railyard("run", FIRST, "--quiet", *option, "/dev/full")
            self.assertEqual(done.returncode, 1, option)
            self.assertIn("cannot write /dev/full", done.stderr)
            old = pathlib.Path(self.file("old", "old"))
            line = f"ulimit -f 1; exec {RAILYARD} run {FIRST} --quiet {' '.join(option)} {old}"
            if option == ["--json"]:
                line += " --set 'collective.sizes=[1,2,3,4,5,6,7,8]'"
            done = subprocess.run(
                ["bash", "-c", line.replace("engine.fidelity=flow", "'engine.fidelity=flow'")],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 1, (option, done.stderr))
            self.assertIn("cannot write", done.stderr)
            self.assertEqual((old.read_text(), self.names()), ("old", ["old"]))


class ClosedPipe(Case):
    """Whoever reads standard output may go away: files are there nevertheless."""

    def test_files_come_before_what_is_printed(self):
        for name, args in {
            "page.html": ["run", FIRST, "-o"],
            "results.json": ["run", FIRST, "--json"],
            "comparison.html": ["compare", HEALTHY, "--engine", "analytic", "-o"],
            "claims.json": ["claims", "--recorded", "--json"],
        }.items():
            with self.subTest(name=name):
                reader, writer = os.pipe()
                os.close(reader)
                subprocess.run([RAILYARD, *args, str(self.folder / name)], stdout=writer)
                os.close(writer)
                self.assertIn(name, self.names())


unittest.main()
