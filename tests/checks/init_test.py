"""railyard init: what it asks, what it writes, and that every file it writes checks and runs."""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = os.path.abspath(sys.argv.pop())
TRANSPORTS = ["roce", "infiniband", "tcp", "uec", "srd"]
MODELS = ["llama3-8b", "mixtral-8x7b", "deepseek-v2-lite-16b"]  # dense, experts, MLA


def railyard(*args, stdin="", cwd=None):
    return subprocess.run(
        [RAILYARD, *args], input=stdin, capture_output=True, text=True, cwd=cwd, timeout=300
    )


def topologies():
    """All that the program knows but a drawing."""
    shown = " ".join(railyard("keys", "fabric.topology").stdout.split())
    listed = re.search(r"its shape: ([^[]*)", shown)[1].split(" | ")
    return [name.strip() for name in listed if name.strip() != "file"]


def models():
    shown = railyard("catalog", "models").stdout
    return re.findall(r"^  ([a-z][\w.-]*) ", shown, re.M)[1:]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, *flags, name="cluster.toml"):
        done = railyard("init", "--quiet", "--force", "-o", name, *flags, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), flags)
        return self.folder / name

    def assert_clean(self, path, flags):
        checked = railyard("check", str(path))
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), flags)
        first, *notes = checked.stdout.splitlines()
        self.assertEqual(first, f"{path}: fine", flags)
        for note in notes:  # what cannot matter, and may well be asked for
            self.assertRegex(note, ": note RY-RUN-(07|086)", flags)  # 086: what two sites need


class Written(Folder):
    def test_every_topology_transport_and_kind_of_model_checks_and_runs(self):
        self.assertGreater(len(topologies()), 8)
        for topology in topologies():
            for transport in TRANSPORTS:
                for model in MODELS:
                    flags = ["--gpus", "64", "--topology", topology, "--model", model]
                    flags += ["--transport", transport]
                    path = self.written(*flags)
                    self.assert_clean(path, flags)
                    run = railyard("run", str(path), "--quiet")
                    self.assertEqual((run.returncode, run.stderr), (0, ""), flags)

    def test_every_model_finds_a_plan(self):
        self.assertGreater(len(models()), 20)
        for model in models():
            flags = ["--gpus", "1024", "--gpu", "H200-SXM-141", "--model", model]
            self.assert_clean(self.written(*flags), flags)

    def test_every_gpu_nic_and_switch_is_taken(self):
        for kind, flag in [("speeds", "--gpu"), ("nics", "--nic"), ("switches", "--switch")]:
            shown = railyard("catalog", kind).stdout
            names = re.findall(r"^  ([A-Z][\w.-]*) ", shown, re.M)
            self.assertGreater(len(names), 6, kind)
            for name in names:
                flags = [flag, name, "--gpus", "144", "--model", "llama3-8b"]
                self.assert_clean(self.written(*flags), flags)

    def test_oversubscription_and_parallelism_are_as_asked_for(self):
        path = self.written(
            *["--topology", "rail-optimized", "--oversubscription", "2:1", "--gpus", "512"],
            *["--parallel", "tp8 pp2", "--model", "llama3-70b"],
        )
        text = path.read_text()
        for line in ['oversubscription = "2:1"', "tensor = 8\n", "pipeline = 2\n"]:
            self.assertIn(line, text)
        self.assert_clean(path, "")

    def test_names_and_ratios_are_taken_as_people_write_them(self):
        flags = ["--topology", "rail-optimised", "--switch", "Tomahawk5", "--gpus", "512"]
        text = self.written(*flags, "--oversubscription", "2").read_text()
        for line in [
            'oversubscription = "2:1"',
            'topology = "rail-optimized"',
            'switch = "Tomahawk-5"',
        ]:
            self.assertIn(line, text)

    def test_memory_is_told_in_one_unit(self):
        text = self.written("--gpus", "512", "--model", "llama3-70b").read_text()
        self.assertIn("GiB", text)
        self.assertNotIn(" GB", text)

    def test_ultra_ethernet_goes_over_any_switch_of_ethernet(self):
        for switch in ["Tomahawk-5", "Tomahawk-4", "Spectrum-4"]:
            flags = ["--gpus", "64", "--model", "llama3-8b", "--transport", "uec", "--switch"]
            self.assert_clean(self.written(*flags, switch), switch)

    def test_the_same_flags_give_the_same_bytes(self):
        texts = {self.written(name=f"{i}.toml").read_text() for i in range(2)}
        self.assertEqual(len(texts), 1)


class Flags(Folder):
    def test_without_answers_defaults_are_taken_and_told(self):
        for flags, stdin in [([], ""), (["--defaults"], "64 H100\n8\n")]:
            done = railyard("init", *flags, stdin=stdin)
            self.assertEqual(done.returncode, 0)
            self.assertIn("gpus = 512", done.stdout)
            self.assertIn("not given, so the default is taken: --gpus 512", done.stderr)
            self.assertNotIn("1/8", done.stderr)
            self.assertIn("railyard run", done.stderr)
        told = railyard("init", "--nic", "ConnectX-7").stderr
        self.assertNotIn("--nic", told)
        told = railyard("init", "--gpus", "64", "--model", "llama3-8b", "--topology", "star").stderr
        self.assertIn("--gpu H100-SXM-80", told)
        self.assertNotIn("--oversubscription", told)  # a star has none
        told = railyard("init", "--oversubscription", "2:1").stderr
        self.assertIn("--topology leaf-spine", told)

    def test_what_it_prints_can_be_run_from_a_pipe(self):
        text = railyard("init", "--gpus", "16", "--model", "llama3-8b").stdout
        done = railyard("run", "-", "--quiet", stdin=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_file_that_exists_is_left_alone(self):
        path = self.folder / "cluster.toml"
        path.write_text("mine")
        done = railyard("init", "-o", str(path))
        self.assertEqual(done.returncode, 2)
        self.assertIn("cluster.toml exists; --force overwrites it", done.stderr)
        self.assertEqual(path.read_text(), "mine")
        done = railyard("init", "-o", str(path), "--force")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith(f"next: railyard run {path}\n"), done.stdout)
        self.assertIn("[fabric]", path.read_text())

    def test_wrong_flags_are_named_with_value_reason_and_remedy(self):
        for flags, blamed, says in [
            (["--nic", "ConectX-7"], "--nic ConectX-7", "did you mean 'ConnectX-7'?"),
            (["--switch", "foo"], "--switch foo", "choose one of Jericho2, "),
            (["--model", "foo"], "--model foo", "choose one of dbrx-132b, "),
            (["--gpus", "abc"], "--gpus abc", "'abc' is no whole number; write how many GPUs"),
            (["--gpus", "64", "--gpu", "Q"], "--gpu Q", "there is no GPU 'Q'; choose one of A100"),
            (
                ["--gpus", "8"] + ["--gpus-per-server", "3"],
                "--gpus 8 --gpus-per-server 3",
                "6 or 9",
            ),
            (["--gpus-per-server", "7"], "--gpus-per-server 7", "use 511 or 518 GPUs, or servers"),
            (["--oversubscription", "2to1"], "--oversubscription 2to1", "as in 2:1"),
            (["--oversubscription", "1:2"], "--oversubscription 1:2", "write 1:1 or more"),
            (["--parallel", "tensor=3"], "--parallel tensor=3", "divides 512, or 'find'"),
            (["--parallel", "pipeline=128"], "--parallel pipeline=128", "more than the 80 layers"),
            (
                ["--gpus", "8", "--parallel", "tp16"],
                "--parallel tp16 --gpus 8",
                "16, which does not",
            ),
            (["--topology", "Q"], "--topology Q", "choose one of star, leaf-spine"),
            (
                ["--gpus", "500"],
                "--gpus 500 with --gpus-per-server 8 (the default)",
                "500 GPUs do not fill servers of 8; use 496 or 504 GPUs, or servers of 1, 2, 4, 5 or 10",
            ),
            (
                ["--transport", "infiniband", "--switch", "Tomahawk-5"],
                "--transport infiniband --switch Tomahawk-5",
                "infiniband does not go with Tomahawk-5",
            ),
            (
                ["--topology", "star", "--gpus", "1024"],
                "--topology star --gpus 1024 with ",
                "a star of 1024 endpoints needs a switch",
            ),
            (
                ["--model", "llama3-405b", "--gpus", "8"],
                "--model llama3-405b --gpus 8",
                "no plan for llama3-405b fits",
            ),
            (["--gpus", "a\x1b[31m"], "--gpus ", "'a?[31m' is no whole number"),
        ]:
            done = railyard("init", *flags)
            self.assertEqual((done.returncode, done.stdout), (2, ""), flags)
            told = " ".join(done.stderr.split())
            self.assertTrue(told.startswith(f"railyard: {blamed}"), told)
            self.assertIn(says, told, flags)

    def test_a_file_that_cannot_be_written_is_refused(self):
        done = railyard("init", "-o", "/nowhere/x.toml")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot write /nowhere/x.toml", done.stderr)


class Piped(unittest.TestCase):
    def test_lines_answer_the_questions_that_no_flag_does(self):
        done = railyard("init", "--nic", "ConnectX-7", stdin="64 h200\n\nSpectrum-4\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ["gpus = 64\n", 'gpu = "H200-SXM-141"', 'switch = "Spectrum-4"']:
            self.assertIn(line, done.stdout)
        for line in ["1/8 Number and kind of GPUs: 64 h200\n", "2/8 GPUs per server: 8\n", "4/8 "]:
            self.assertIn(line, done.stderr)
        self.assertNotIn("3/8", done.stderr)
        told = " ".join(done.stderr.split())
        self.assertIn("the default is taken: --topology leaf-spine", told)  # where lines end

    def test_a_line_that_cannot_be_taken_ends_it(self):
        done = railyard("init", stdin="512\nh100\n")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        told = " ".join(done.stderr.split())
        self.assertIn(
            "answers \"2/8 GPUs per server\" with 'h100': 'h100' is no whole number", told
        )
        self.assertIn("nothing is written", told)

    def test_nothing_is_read_where_flags_say_it_all(self):
        flags = ["--gpus", "64", "--gpus-per-server", "8", "--nic", "ConnectX-7", "--switch"]
        flags += ["Tomahawk-5", "--topology", "leaf-spine", "--model", "llama3-8b"]
        flags += ["--parallel", "find", "--transport", "roce"]
        read, write = os.pipe()  # stays open and says nothing
        done = subprocess.run(
            [RAILYARD, "init", *flags], stdin=read, capture_output=True, timeout=60
        )
        os.close(read)
        os.close(write)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_help_says_how(self):
        told = " ".join(railyard("help", "init").stdout.split())
        self.assertIn("standard input, one a line", told)


class Asked(Folder):
    def on_terminal(self, answers, *flags):
        """All that a terminal shows while `answers` are typed, one for each prompt, and the exit code."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execv(RAILYARD, [RAILYARD, "init", *flags])
        seen, waiting, deadline = "", list(answers), time.time() + 120
        while time.time() < deadline:
            ready, _, _ = select.select([terminal], [], [], 1)
            if not ready:
                continue
            try:
                chunk = os.read(terminal, 4096)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk.decode()
            if seen.endswith("> ") and waiting:
                os.write(terminal, (waiting.pop(0) + "\n").encode())
            elif seen.endswith("> "):
                os.write(terminal, b"\x04")
        os.close(terminal)
        return seen.replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_eight_questions_with_defaults_and_choices(self):
        seen, code = self.on_terminal([""] * 8)
        self.assertEqual(code, 0, seen)
        for number in range(1, 9):
            self.assertRegex(seen, rf"(?m)^{number}/8 .* \[.+\]$")
        self.assertIn("[512 H100-SXM-80]", seen)
        self.assertIn("rail-optimized", seen)
        self.assertTrue(
            seen.endswith("wrote cluster.toml\nnext: railyard run cluster.toml\n"), seen
        )
        self.assert_clean(self.folder / "cluster.toml", "")

    def test_wrong_input_is_asked_again_with_the_reason(self):
        answers = ["64 H10O-SXM-80", "64 H100", "7", "8", "Foo", "", "Tomahwk-5", ""]
        answers += [
            "star 2:1",
            "rail-optimized 2:1",
            "lama3-8b",
            "llama3-8b",
            "tensr 8",
            "find one",
        ]
        answers += ["infiniband", "roce"]
        seen, code = self.on_terminal(answers)
        self.assertEqual(code, 0, seen)
        for reason in [
            "did you mean 'H100-SXM-80'?",
            "64 GPUs do not fill servers of 7",
            "there is no NIC 'Foo'",
            "did you mean 'Tomahawk-5'?",
            "a star has no oversubscription",
            "did you mean 'llama3-8b'?",
            "did you mean 'tensor'?",
            "infiniband does not go with ConnectX-7 and Tomahawk-5",
        ]:
            self.assertIn(reason, seen)
        self.assertIn('topology = "rail-optimized"', (self.folder / "cluster.toml").read_text())

    def test_what_flags_say_is_not_asked(self):
        flags = ["--gpus", "64", "--gpus-per-server", "8", "--nic", "ConnectX-7", "--switch"]
        flags += ["Tomahawk-5", "--topology", "leaf-spine", "--parallel", "find", "--transport"]
        seen, code = self.on_terminal(["llama3-8b"], *flags, "roce")
        self.assertEqual(code, 0, seen)
        self.assertEqual(re.findall(r"(?m)^(\d)/8 ", seen), ["6"])

    def test_answers_that_end_write_nothing(self):
        seen, code = self.on_terminal(["64 H100", "8"])
        self.assertEqual(code, 2, seen)
        self.assertIn("nothing is written", seen)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_file_that_exists_is_told_before_anything_is_asked(self):
        (self.folder / "cluster.toml").write_text("mine")
        seen, code = self.on_terminal([])
        self.assertEqual(code, 2)
        self.assertNotIn("1/8", seen)
        self.assertEqual((self.folder / "cluster.toml").read_text(), "mine")


unittest.main()
