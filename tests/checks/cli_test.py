"""The program from outside: exit codes, streams, files, mistakes."""
import json
import os
import pathlib
import pty
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

RAILYARD = sys.argv.pop()
FIRST = "scenarios/first.toml"


def railyard(*args, env=None):
    return subprocess.run(
        [RAILYARD, *args], capture_output=True, text=True, env={**os.environ, **(env or {})}
    )


def results_head(name):
    """What every results file has."""
    head = {"schema": "railyard-results/1", "name": name, "engine": "flow", "fingerprint": "0"}
    return {**head, "inputs": [], "diagnostics": []}


def helped_groups():
    """Commands by the group that --help lists them under."""
    parts = re.split(r"^(\w+):\n", railyard("--help").stdout.split("Options:\n")[1], flags=re.M)
    return {
        title: re.findall(r"^  (\w+) ", listed, re.M)
        for title, listed in zip(parts[1::2], parts[2::2])
    }


def helped_commands():
    return [command for group in helped_groups().values() for command in group]


def helped_options(command):
    """What --help lists of a command, or of the program: {"-o", "--output", …}."""
    text = railyard(*([command] if command else []), "--help").stdout
    return {name for names in re.findall(r"^  (-\S+)", text, re.M) for name in names.split(",")}


def bash_replies(script, *words):
    """What bash offers for the last word."""
    line = shlex.join(["railyard", *words])
    shell = (
        f"source /dev/stdin; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _railyard 2>/dev/null"
    )
    reply = subprocess.run(
        ["bash", "-c", shell + '; printf "%s\\n" "${COMPREPLY[@]}"'],
        input=script,
        text=True,
        capture_output=True,
    )
    return set(reply.stdout.split())


def bash_offers(script, command):
    return bash_replies(script, command, "-") if command else bash_replies(script, "")


def zsh_offers(script, command):
    line = (
        rf"^ *{command}\) compadd -- (-.*) ;;"
        if command
        else r"CURRENT == 2.* compadd -- (.*); return"
    )
    return set(re.search(line, script, re.M)[1].split())


def fish_offers(script, command):
    place = rf"seen_subcommand_from [^']*\b{command}\b" if command else "use_subcommand"
    offered = set()
    for line in re.findall(rf"^complete -c railyard -n '__fish_{place}[^']*'(.*)", script, re.M):
        offered |= {"--" + name for name in re.findall(r" -l ([\w-]+)", line)}
        offered |= {"-" + letter for letter in re.findall(r" -s (\w)\b", line)}
        offered |= set("".join(re.findall(r" -f -a '([^']*)'", line)).split())
    return offered


class Commands(unittest.TestCase):
    def test_run_prints_a_report_and_is_fine(self):
        result = railyard("run", FIRST)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ["algbw", "busbw", "GB/s", "What this rests on", "estimated", "fingerprint"]:
            self.assertIn(word, result.stdout)

    def test_quiet_prints_nothing(self):
        result = railyard("run", FIRST, "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_json_to_stdout_is_json_alone(self):
        document = json.loads(railyard("run", FIRST, "--json", "-").stdout)
        self.assertEqual(document["schema"], "railyard-results/1")
        for key in ["name", "engine", "fingerprint", "wall_s", "diagnostics", "points"]:
            self.assertIn(key, document)
        for key in ["size", "time_us", "algbw_gbs", "busbw_gbs", "algorithm", "protocol"]:
            self.assertIn(key, document["points"][0])

    def test_json_file_appears_whole_beside_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "r.json"
            result = railyard("run", FIRST, "--json", str(path))
            self.assertEqual(result.returncode, 0)
            self.assertIn("busbw", result.stdout)
            json.loads(path.read_text())
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["r.json"])

    def test_a_json_file_that_cannot_be_written_is_an_error_with_a_sentence(self):
        result = railyard("run", FIRST, "--json", "/nonexistent/r.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write /nonexistent/r.json", result.stderr)

    def test_json_goes_through_links_and_into_devices_and_never_over_the_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            link, target = pathlib.Path(folder) / "link.json", pathlib.Path(folder) / "target.json"
            target.write_text("old")
            link.symlink_to(target)
            self.assertEqual(railyard("run", FIRST, "--quiet", "--json", str(link)).returncode, 0)
            self.assertTrue(link.is_symlink())
            json.loads(target.read_text())
            own = pathlib.Path(folder) / "own.toml"
            own.write_text(pathlib.Path(FIRST).read_text())
            self.assertEqual(railyard("run", str(own), "--json", str(own)).returncode, 2)
            self.assertIn("[collective]", own.read_text())
        for args in [["--json", "/dev/full"], ["--json", "-"], []]:
            with open("/dev/full", "w") as full:
                result = subprocess.run(
                    [RAILYARD, "run", FIRST, *args], stdout=full, stderr=subprocess.PIPE, text=True
                )
            self.assertEqual(result.returncode, 1, args)
            self.assertNotEqual(result.stderr, "")

    def test_a_page_has_the_document_and_goes_nowhere_else(self):
        with tempfile.TemporaryDirectory() as folder:
            page, results = (
                pathlib.Path(folder) / "report.html",
                pathlib.Path(folder) / "results.json",
            )
            done = railyard(
                "run", FIRST, "-o", str(page), "--json", str(results), "--set", "transport.mtu=1024"
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.splitlines()[-1], f"page: {page}")
            text = page.read_text()
            begin = '<script type="application/json" id="data">'
            data = json.loads(text.split(begin)[1].split("</script>")[0])
            self.assertEqual(data["runs"][0]["results"], json.loads(results.read_text()))
            self.assertEqual(data["command"], f"railyard run {FIRST} --set transport.mtu=1024")
            self.assertIn("[collective]", data["runs"][0]["scenario"])
            self.assertEqual(
                sorted(path.name for path in pathlib.Path(folder).iterdir()),
                ["report.html", "results.json"],
            )
            same = railyard("run", FIRST, "-o", str(page), "--json", str(page))
            self.assertEqual(same.returncode, 2)
            self.assertIn("would write to the same file", same.stderr)
        over = railyard("run", FIRST, "-o", FIRST)
        self.assertEqual(over.returncode, 2)
        self.assertIn("would overwrite what is read", over.stderr)
        nowhere = railyard("run", FIRST, "-o", "/nowhere/report.html")
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn("cannot write /nowhere/report.html", nowhere.stderr)

    def test_a_scenario_may_come_from_standard_input(self):
        result = subprocess.run(
            [RAILYARD, "check", "-"],
            input=pathlib.Path(FIRST).read_text(),
            capture_output=True,
            text=True,
        )
        self.assertEqual((result.returncode, result.stdout), (0, "-: fine\n"))

    def test_check_tells_what_run_would_refuse(self):
        result = railyard("check", "tests/scenarios/refused/packet_step.toml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("error RY-RUN-010", result.stderr)
        result = railyard("check", "tests/scenarios/mistakes/memory.toml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("RY-MEM-001", result.stderr)
        result = railyard("check", FIRST, "--set", "fabric.oversubscription=3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--set fabric.oversubscription=3: error RY-FAB-001", result.stderr)

    def test_check_explain_expect_catalog_keys(self):
        self.assertEqual(railyard("check", FIRST).stdout, f"{FIRST}: fine\n")
        explained = railyard("explain", FIRST).stdout
        for stage in [
            "1. scenario",
            "2. fabric",
            "3. placement",
            "4. collective",
            "5. engine",
            "6. analysis",
        ]:
            self.assertIn(stage, explained)
        explained = railyard("explain", "scenarios/llama3.toml").stdout
        for stage in [
            "1. model",
            "2. layout",
            "3. blocks",
            "4. virtual stages",
            "5. timeline",
            "6. memory",
            "7. traffic",
            "8. analysis",
            "9. scenario",
        ]:
            self.assertIn(stage, explained)
        rank = railyard("explain", "scenarios/llama3.toml", "--rank", "9")
        self.assertEqual(rank.returncode, 0)
        self.assertIn("tensor 1, context 0, data 0, stage 1", rank.stdout)
        for wrong in [["scenarios/llama3.toml", "--rank", "16384"], [FIRST, "--rank", "0"]]:
            self.assertIn("RY-RUN-014", railyard("explain", *wrong).stderr)
        self.assertEqual(railyard("expect", FIRST).returncode, 0)
        self.assertIn("switches", railyard("catalog").stdout)
        self.assertIn("Tomahawk-5", railyard("catalog", "switches").stdout)
        self.assertIn("Source: ", railyard("catalog", "switches").stdout)
        self.assertIn("989 TFLOP/s", railyard("catalog", "gpu", "H100-SXM-80").stdout)
        self.assertIn("rpg_ai_rate", railyard("keys", "transport.dcqcn").stdout)

    def test_calibrate_writes_what_the_catalog_has(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "tcp.toml"
            shown = railyard("calibrate", "tcp", "--write", str(path), env={"COLUMNS": "80"})
            written = path.read_text()
        self.assertEqual(shown.returncode, 0)
        self.assertRegex(shown.stdout, r"tcp +ecmp +dctcp")
        self.assertLessEqual(max(len(line) for line in shown.stdout.splitlines()), 80)
        catalog = pathlib.Path("catalog/transports.toml").read_text()
        for key in ["[tcp-ecmp]", "efficiency", "fingerprint"]:
            self.assertIn(
                next(line for line in written.splitlines() if line.startswith(key)), catalog
            )
        self.assertIn("efficiency", railyard("catalog", "transports").stdout)

    def test_claims_shows_tests_and_records(self):
        shown = railyard("claims", "--recorded", env={"COLUMNS": "80"})
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for columns in ["80", "200"]:
            for line in railyard(
                "claims", "--recorded", env={"COLUMNS": columns}
            ).stdout.splitlines():
                self.assertLessEqual(len(line), int(columns), line)
        some = railyard("claims", "roce-same-rack", "ports-800g", "--json", "-")
        self.assertEqual(some.returncode, 0)
        claims = json.loads(some.stdout)["claims"]
        self.assertEqual([c["id"] for c in claims], ["ports-800g", "roce-same-rack"])
        self.assertEqual(claims[1]["test"]["command"], "railyard run transports/latency")
        contradicted = json.loads(
            railyard("claims", "--recorded", "--verdict", "contradicted", "--json", "-").stdout
        )
        self.assertEqual({c["verdict"] for c in contradicted["claims"]}, {"contradicted"})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "recorded.toml"
            self.assertEqual(
                railyard(
                    "claims", "roce-same-rack", "ports-800g", "--quiet", "--write", str(path)
                ).returncode,
                0,
            )
            self.assertEqual(
                path.read_text(), pathlib.Path("catalog/claims/recorded.toml").read_text()
            )

    def test_a_verdict_that_changes_is_named_and_is_1(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "transports" / "latency"
            other.parent.mkdir()
            slow = (
                pathlib.Path("scenarios/transports/latency.toml")
                .read_text()
                .replace("[fabric]", '[fabric]\nswitch_latency = "9 us"')
            )
            other.write_text(slow)
            result = subprocess.run(
                [RAILYARD, "claims", "roce-same-rack", "--quiet"],
                capture_output=True,
                text=True,
                cwd=folder,
            )
        self.assertEqual(result.returncode, 1)
        self.assertIn("roce-same-rack: was reproduced, is contradicted", result.stderr)
        self.assertIn("roce-same-rack: 3.61 µs was recorded, 11.7 µs is found", result.stderr)

    def test_version_and_help(self):
        self.assertRegex(railyard("--version").stdout, r"^railyard \d+\.\d+\.\d+\n$")
        for args in [["--help"], ["run", "--help"]]:
            self.assertEqual(railyard(*args).returncode, 0)

    def test_help_lists_commands_by_what_they_are_for(self):
        groups = helped_groups()
        self.assertEqual(list(groups), ["Answer", "Design", "Operate", "Connect", "Trust"])
        self.assertIn("run", groups["Answer"])
        self.assertIn("init", groups["Design"])
        self.assertIn("diagnose", groups["Operate"])
        self.assertIn("completion", groups["Connect"])
        self.assertIn("accuracy", groups["Trust"])

    def test_help_of_a_command_is_what_the_command_says(self):
        self.assertEqual(railyard("help").stdout, railyard("--help").stdout)
        for command in helped_commands():
            shown = railyard("help", command)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), command)
            self.assertEqual(shown.stdout, railyard(command, "--help").stdout)
        wrong = railyard("help", "rnu")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("unknown command 'rnu'; did you mean 'run'?", wrong.stderr)
        self.assertEqual(railyard("help", "run", "check").returncode, 2)

    def test_help_fits_eighty_columns_and_a_wide_screen(self):
        for command in [[], *([name] for name in helped_commands())]:
            for columns, most in [(None, 80), ("80", 80), ("200", 100)]:
                shown = railyard("help", *command, env={"COLUMNS": columns} if columns else {})
                for line in shown.stdout.splitlines():
                    self.assertLessEqual(len(line), most, command)

    def test_help_tells_how_to_list_what_goes_by_name(self):
        said = " ".join(railyard("help").stdout.split())
        self.assertIn("railyard catalog lists what goes by name: presets", said)
        for command in ["run", "check", "fabric", "explain", "expect"]:
            said = " ".join(railyard("help", command).stdout.split())
            self.assertIn("railyard catalog presets lists them", said, command)
        listed = railyard("catalog", "presets").stdout
        self.assertRegex(listed, r"(?m)^  llama3 +Llama 3 405B on 16,384 H100")
        self.assertRegex(listed, r"(?m)^  packets/incast +Incast: 32 to 1$")
        self.assertIn(
            'name = "Incast: 32 to 1"', railyard("catalog", "presets", "packets/incast").stdout
        )
        self.assertIn("did you mean 'llama3'?", railyard("catalog", "presets", "lama3").stderr)
        self.assertIn("railyard catalog presets", railyard("run", "nosuchthing").stderr)

    def test_rates_are_written_as_ports_are_sold(self):
        for rate in ["400G", "0.4T", "400GbE", "400Gb/s"]:
            done = railyard("check", FIRST, "--set", f"fabric.link_rate={rate}")
            self.assertEqual((done.returncode, done.stderr), (0, ""), rate)
        for set_, says in [
            ("fabric.link_rate=400Gb", "write Gb/s for bits or GB/s for bytes"),
            ("cluster.scale_up_rate=900G", "could be bits or bytes"),
        ]:
            self.assertIn(says, railyard("check", FIRST, "--set", set_).stderr)

    def test_the_bubble_of_the_answer_and_waiting_have_their_names(self):
        text = " ".join(railyard("run", "gpt4", "--no-advice").stdout.split())
        self.assertIn("the pipeline's own bubble (", text)
        self.assertIn("waiting for other stages", text)
        share = re.search(r"the pipeline's own bubble \(([\d.]+) %\)", text)[1]
        self.assertIn(f"({share} % of the step) would be left", text)

    def test_diff_begins_with_a_sentence_and_key_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (str(pathlib.Path(folder) / name) for name in ["a.json", "b.json"])
            railyard("run", FIRST, "--quiet", "--json", a)
            railyard("run", FIRST, "--quiet", "--json", b, "--set", "routing.policy=adaptive")
            brief, full = railyard("diff", a, b), railyard("diff", a, b, "--all")
            self.assertEqual((brief.returncode, full.returncode), (1, 1))
            told = " ".join(brief.stdout.split())
            self.assertIn("With routing.policy adaptive instead of ecmp, the time of the", told)
            self.assertIn("falls by 59.7 %, from 215.6 ms to 86.98 ms.", told)
            self.assertIn("--all shows them.", told)
            self.assertNotIn("What was described otherwise", brief.stdout)
            self.assertIn("What was described otherwise", full.stdout)
            self.assertIn("Other numbers", full.stdout)
            self.assertLess(len(brief.stdout.splitlines()), 12)

    def test_diff_tells_the_shell_what_diff_and_cmp_do(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (str(pathlib.Path(folder) / name) for name in ["a.json", "b.json"])
            railyard("run", FIRST, "--quiet", "--json", a)
            railyard("run", FIRST, "--quiet", "--json", b, "--set", "transport.mtu=1024")
            self.assertEqual(railyard("diff", a, a).returncode, 0)
            self.assertEqual(railyard("diff", a, b).returncode, 1)
            self.assertEqual(railyard("diff", a, b, "--quiet").stdout, "")
            self.assertEqual(railyard("diff", a, folder + "/none.json").returncode, 2)
            self.assertEqual(railyard("diff", a).returncode, 2)
            self.assertEqual(railyard("diff", a, a, "--json", "/dev/full").returncode, 2)
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [RAILYARD, "diff", a, a], stdout=full, stderr=subprocess.DEVNULL
                )
            self.assertEqual(done.returncode, 2)
        helped = railyard("help", "diff").stdout
        self.assertIn("0 nothing differs, 1 something differs, 2 trouble", helped)

    def test_completion_scripts_offer_commands_and_keys(self):
        for shell in ["bash", "zsh", "fish"]:
            script = railyard("completion", shell).stdout
            self.assertIn("explain", script)
            self.assertIn("transport.mtu=", script)
        checked = subprocess.run(
            ["bash", "-n"],
            input=railyard("completion", "bash").stdout,
            text=True,
            capture_output=True,
        )
        self.assertEqual(checked.stderr, "")
        reply = subprocess.run(
            [
                "bash",
                "-c",
                'source /dev/stdin; COMP_WORDS=(railyard ru); COMP_CWORD=1; _railyard; echo "${COMPREPLY[@]}"',
            ],
            input=railyard("completion", "bash").stdout,
            text=True,
            capture_output=True,
        )
        self.assertEqual(reply.stdout, "run runs\n")
        reply = subprocess.run(
            [
                "bash",
                "-c",
                'source /dev/stdin; COMP_WORDS=(railyard expect --); COMP_CWORD=2; _railyard; echo "${COMPREPLY[@]}"',
            ],
            input=railyard("completion", "bash").stdout,
            text=True,
            capture_output=True,
        )
        self.assertEqual(reply.stdout, "--help --set --seed --threads --quiet\n")

    def test_completion_offers_every_command_and_option_that_help_shows(self):
        script = {shell: railyard("completion", shell).stdout for shell in ["bash", "zsh", "fish"]}
        for command in ["", *helped_commands()]:
            options = helped_options(command)
            self.assertIn("--help", options)
            for shell, offered in [
                ("bash", bash_offers(script["bash"], command)),
                ("zsh", zsh_offers(script["zsh"], command)),
                ("fish", fish_offers(script["fish"], command)),
            ]:
                self.assertEqual({o for o in offered if o[0] == "-"}, options, (shell, command))
                if not command:
                    self.assertLessEqual(set(helped_commands()), offered, shell)

    def test_completion_offers_values_that_are_known(self):
        script = railyard("completion", "bash").stdout
        for words, value in [
            (["run", "l"], "llama3"),
            (["run", "--set", "transport.m"], "transport.mtu="),
            (["accuracy", "--engine", ""], "flow"),
            (["collective", "all_r"], "all_reduce"),
            (["catalog", "g"], "gpus"),
            (["keys", "transport.d"], "transport.dcqcn"),
            (["claims", "--verdict", "p"], "plausible"),
            (["help", "ru"], "run"),
            (["init", "--gpu", "H1"], "H100-SXM-80"),
            (["init", "--topology", "rail"], "rail-optimized"),
            (["headroom", "--switch", "Tomahawk-6"], "Tomahawk-6"),
            (["run", "--set", "routing.policy=ad"], "routing.policy=adaptive"),
            (["run", "x.toml", "--set", "routing.policy", "=", "ad"], "adaptive"),
            (["run", "x.toml", "--set", "routing.policy", "="], "adaptive"),
            (["check", "--set", "cluster.gpu=H1"], "cluster.gpu=H100-SXM-80"),
            (["run", "--set", "parallel.sequence=t"], "parallel.sequence=true"),
        ]:
            self.assertIn(value, bash_replies(script, *words), words)
        self.assertEqual(bash_replies(script, "run", "--threads", ""), set())
        self.assertEqual(bash_replies(script, "init", "--gpus", ""), set())
        self.assertEqual(bash_replies(script, "run", "--set", "transport.mtu="), set())
        self.assertEqual(bash_replies(script, "catalog", "gpus", "s"), set())

    def test_completion_offers_every_choice_that_the_parser_takes(self):
        scripts = {shell: railyard("completion", shell).stdout for shell in ["bash", "zsh", "fish"]}
        keys = re.findall(
            r"^### `(\[\[|)\[?([^`\]]*)\]*`|^\| `(\w+)` \| ([^|]*(?:\\\|[^|]*)*) \|",
            railyard("keys", "--markdown").stdout,
            re.M,
        )
        section, is_list, checked = "", False, 0
        for opening, title, key, takes in keys:
            section, is_list = (title, opening == "[[") if title else (section, is_list)
            values = takes.removeprefix("list of ").split(" \\| ")
            if title or is_list or len(values) < 2:  # keys of lists follow a name: job.NAME.network
                continue
            path = key if section == "(top)" else f"{section}.{key}"
            self.assertIn(
                f"{path}={values[-1]}", bash_replies(scripts["bash"], "run", "--set", f"{path}=")
            )
            self.assertRegex(
                scripts["zsh"], rf"\b{re.escape(path)}\b.*\) compadd --.* {values[-1]}\b"
            )
            self.assertTrue(re.search(rf" {re.escape(path)}={values[-1]}\b", scripts["fish"]), path)
            checked += 1
        self.assertGreater(checked, 40)

    def test_tables_fit_the_terminal(self):
        for columns in ["80", "120", "200"]:
            for args in [
                ["run", FIRST],
                ["catalog", "nics", "ConnectX-7"],
                ["keys"],
                ["catalog", "gpus"],
                ["explain", FIRST],
            ]:
                for line in railyard(*args, env={"COLUMNS": columns}).stdout.splitlines():
                    self.assertLessEqual(len(line), int(columns), line)


class Mistakes(unittest.TestCase):
    def test_bad_usage_is_2_with_a_sentence(self):
        for args, sentence in [
            ([], "subcommand"),
            (["rnu", FIRST], "did you mean 'run'?"),
            (["calibrate", "ucx"], "ucx not in {roce,infiniband,tcp,uec}"),
            (["run"], "SCENARIO"),
            (
                ["run", FIRST, "--thread", "2"],
                "unknown option '--thread'; did you mean '--threads'?",
            ),
            (
                ["run", FIRST, "--frobnicate"],
                "unknown option '--frobnicate'; railyard run --help lists the options",
            ),
            (["run", FIRST, "--threads", "-1"], "--threads"),
            (["run", FIRST, "--seed", "x"], "--seed"),
            (["run", FIRST, "--seed", "-1"], "--seed"),
            (["run", FIRST, "--seed", "9223372036854775808"], "from 0 to 9223372036854775807"),
            (["run", FIRST, "--seed", "18446744073709551616"], "--seed"),
            (["--frob"], "unknown option '--frob'; railyard --help lists the options"),
            (["--frob=3", "run", FIRST], "unknown option '--frob'"),
            (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
            (["keys", "retries"], "did you mean 'transport.retries'?"),
            (["check", FIRST, "--set", "transport.retry=3"], "did you mean 'retries'?"),
            (["check", FIRST, "--set", "retries=3"], "did you mean 'transport.retries'?"),
            (["check", FIRST, "--set", "dcqcn.g=3"], "did you mean 'transport.dcqcn'?"),
            (["run", FIRST, "--set", "cluster.gpus=99999999999999999999"], "out of range"),
            (["run", FIRST, "--set", "extends=x.toml"], "RY-SCN-004"),
            (["catalog", "switches", "Tomahwk-9"], "there is no switch"),
            (["completion", "tcsh"], "tcsh"),
            (["catalog", "swithces"], "did you mean 'switches'?"),
            (["claims", "lama3-mfu"], "did you mean 'llama3-mfu'?"),
            (["claims", "--topic", "mfuu"], "did you mean 'mfu'?"),
            (["claims", "--recorded", "--verdict", "contradictd"], "did you mean 'contradicted'?"),
            (["catalog", "switches", "Tomahawk5"], "did you mean 'Tomahawk-5'?"),
            (["keys", "transport.dcqnc"], "did you mean 'transport.dcqcn'?"),
        ]:
            result = railyard(*args)
            self.assertEqual(result.returncode, 2, args)
            self.assertIn(sentence, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_the_largest_seed_is_taken(self):
        done = railyard("run", FIRST, "--quiet", "--seed", "9223372036854775807")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_keys_shows_one_key(self):
        shown = railyard("keys", "transport.retries").stdout
        self.assertIn("retries", shown)
        self.assertNotIn("queue_limit", shown)

    def test_many_mistakes_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.toml"
            path.write_text("".join(f"wrong_{i} = {i}\n" for i in range(100_000)))
            result = subprocess.run(
                [RAILYARD, "check", str(path)], capture_output=True, text=True, timeout=120
            )
            self.assertEqual(result.returncode, 2)
            lines = result.stderr.splitlines()
            self.assertEqual(len(lines), 52)
            self.assertRegex(lines[50], r"^… and \d+,\d+ more; --json lists them all$")
            self.assertRegex(lines[51], r"^\d+ findings; docs")
            path.write_text("".join(f"wrong_{i} = {i}\n" for i in range(1000)))
            result = railyard("check", str(path), "--json", "-")
            self.assertGreaterEqual(len(json.loads(result.stdout)["diagnostics"]), 1000)

    def test_bad_input_is_2_on_stderr_and_in_json(self):
        result = railyard("run", FIRST, "--set", "transport.mtu=1000", "--json", "-")
        self.assertEqual(result.returncode, 2)
        self.assertIn(
            "--set transport.mtu=1000: error RY-SCN-043: mtu = 1000 is not an RDMA MTU",
            result.stderr,
        )
        self.assertEqual(json.loads(result.stdout)["diagnostics"][0]["code"], "RY-SCN-043")

    def test_what_is_not_built_is_refused_with_one_sentence(self):
        result = railyard("run", "tests/scenarios/refused/packet_step.toml")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("RY-RUN-010", result.stderr)

    def test_a_broken_expectation_is_1_and_says_what_was_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.toml"
            first = pathlib.Path(FIRST).resolve()
            path.write_text(
                f'extends = "{first}"\n[expect]\nfingerprint = "0000000000000000"\ndiagnostics = ["RY-SCN-010"]\n'
                '[expect.values]\n"points[0].size" = 1\nnowhere = 2\nname = "x"\n'
            )
            result = railyard("expect", str(path))
            self.assertEqual(result.returncode, 1)
            for sentence in [
                "points[0].size is 65536, expected 1",
                "the results have no nowhere",
                'expected "x"',
                "the fingerprint is",
                "expected the diagnostic RY-SCN-010, which did not come",
            ]:
                self.assertIn(sentence, result.stderr)

    def test_keys_without_effect_are_warned_about(self):
        result = railyard("run", FIRST, "--set", "transport.dcqcn.rpg_ai_rate=5 Mb/s")
        self.assertEqual(result.returncode, 0)
        self.assertIn(
            "warning RY-RUN-020: transport.dcqcn.rpg_ai_rate has no effect",
            " ".join(result.stdout.split()),
        )


class Terminal(unittest.TestCase):
    """What others wrote does not steer the terminal: neither in reports nor in files."""

    EVIL = "a\\u001b[31mb\\u009b2Jc\\u007f\\u0085\\u202Ed"  # as TOML writes it
    CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_clean(self, *args):
        done = subprocess.run([RAILYARD, *args], capture_output=True, timeout=60)
        for stream in [done.stdout, done.stderr]:
            text = stream.decode()  # and it is UTF-8
            self.assertEqual(self.CONTROL.findall(text), [], args)
        return done.stdout.decode()

    def test_names_of_a_scenario(self):
        path = self.folder / "evil.toml"
        first = pathlib.Path(FIRST).resolve()
        path.write_text(
            f'extends = "{first}"\nname = "{self.EVIL}"\n[expect]\n'
            f'diagnostics = ["{self.EVIL}"]\n[expect.values]\nname = "{self.EVIL}!"\n'
            f'"{self.EVIL}" = 3\n'
        )
        scenario = str(path)
        sweep = ["collective", "all_reduce", "--scenario", scenario, "-e", "16"]
        for args in [
            ["run", scenario],
            ["run", scenario, "--json", "-"],
            ["run", scenario, "-o", "-"],
            ["run", scenario, "--set", "engine.fidelity=flow", "--flows", "-"],
            ["explain", scenario],
            ["expect", scenario],
            ["check", scenario],
            ["fabric", scenario],
            ["fabric", scenario, "--svg", "-"],
            ["fabric", scenario, "--dot", "-"],
            ["fabric", scenario, "--json", "-"],
            sweep,
            [*sweep, "--json", "-"],
        ]:
            self.assert_clean(*args)
        self.assertIn("a?[31mb?2Jc???d", self.assert_clean(*sweep))
        self.assertIn("a?[31mb?2Jc???d", self.assert_clean("fabric", scenario, "--svg", "-"))
        name = json.loads(self.assert_clean("run", scenario, "--json", "-"))["name"]
        self.assertEqual(name, "a\x1b[31mb\x9b2Jc\x7f\x85\u202ed")

    def test_names_of_a_drawing_and_of_results(self):
        evil = "a\x1b[31m\u009b2J"
        drawing = self.folder / "d.txt"
        drawing.write_text(
            f'switch {evil}\ngpu h0\ngpu "h,1"\nlink h0 {evil} 400Gbps 1us\nlink "h,1" {evil} 400Gbps 1us\n'
        )
        scenario = self.folder / "d.toml"
        scenario.write_text(
            'name = "d"\n[fabric]\ntopology = "file"\nfile = "d.txt"\nswitch_latency = "500 ns"\n'
            '[traffic]\npattern = "permutation"\n[engine]\nfidelity = "flow"\n'
        )
        for args in [
            ["run", "--flows", "-"],
            ["run"],
            ["fabric"],
            ["fabric", "--svg", "-"],
            ["check"],
        ]:
            self.assert_clean(args[0], str(scenario), *args[1:])
        for i in range(2):
            (self.folder / f"{i}.json").write_text(
                json.dumps(
                    {**results_head(evil), evil: f"{evil}{i}", "x\u009b": i},
                    ensure_ascii=False,
                )
            )
        results = [str(self.folder / f"{i}.json") for i in range(2)]
        self.assert_clean("diff", *results)
        self.assert_clean("diff", *results, "--json", "-")

    def test_words_of_the_command_line(self):
        evil = "a\x1b[31m\u009b2J"
        for args in [
            [evil],
            ["--" + evil],
            ["run", evil],
            ["run", FIRST, "--" + evil],
            ["run", FIRST, "--set", evil],
            ["run", FIRST, "--set", evil + "=" + evil],
            ["run", FIRST, "--json", "/nowhere/" + evil],
            ["run", FIRST, "--seed", evil],
            ["keys", evil],
            ["catalog", evil],
            ["catalog", "gpus", evil],
            ["claims", evil],
            ["compare", evil],
            ["diff", evil, evil],
            ["expect", evil],
            ["accuracy", "--table", evil],
            ["collective", evil, "--scenario", FIRST],
            ["init", "--nic", evil],
            ["init", "--parallel", evil],
            ["init", "--gpus", "16", "--model", "llama3-8b", "--defaults"],
            ["help", evil],
        ]:
            self.assert_clean(*args)


class Colour(unittest.TestCase):
    """Errors, warnings and the first line of an answer, on a terminal alone."""

    def on_terminal(self, *args, **env):
        """What a terminal gets of both streams."""
        child, terminal = pty.fork()
        if child == 0:
            os.environ.pop("NO_COLOR", None)
            os.environ.update({"TERM": "xterm", "COLUMNS": "100", **env})
            os.execv(RAILYARD, [RAILYARD, *args])
        seen = b""
        while True:
            try:
                chunk = os.read(terminal, 4096)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        os.close(terminal)
        os.waitpid(child, 0)
        text = seen.decode().replace("\r\n", "\n")
        return re.sub(
            "\r\x1b\\[K( *[0-9.]+ %[^\r\n]*)?", "", text
        )  # progress, where the machine is slow

    def test_what_matters_is_coloured(self):
        lines = self.on_terminal("run", FIRST, "--no-advice").splitlines()
        answer = lines[2 : lines.index("")]  # the first paragraph
        for line in answer:
            self.assertRegex(line, "^\x1b\\[1m[^\x1b]+\x1b\\[0m$")
        self.assertNotIn("\x1b", "".join(lines[:2] + lines[2 + len(answer) :]))
        wrong = self.on_terminal("check", FIRST, "--set", "transport.mtu=1000")
        self.assertIn("\x1b[1;31merror RY-SCN-043\x1b[0m:", wrong)
        warned = self.on_terminal("check", FIRST, "--set", "transport.dcqcn.rpg_ai_rate=5 Mb/s")
        self.assertIn("\x1b[1;33mwarning RY-RUN-020\x1b[0m:", warned)
        self.assertIn("\x1b[1;31mrailyard:\x1b[0m unknown command", self.on_terminal("rnu"))

    def test_it_can_be_turned_off_and_changes_no_word(self):
        for args in [
            ["run", FIRST, "--no-advice"],
            ["check", FIRST, "--set", "transport.mtu=1"],
            ["rnu"],
        ]:  # each of them short enough for one line
            piped = railyard(*args, env={"COLUMNS": "100", "TERM": "xterm"})
            plain = piped.stdout + piped.stderr
            self.assertNotIn("\x1b", plain)
            for env in [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}]:
                self.assertEqual(self.on_terminal(*args, **env), plain, (args, env))
            shown = re.sub("\x1b\\[[0-9;]*m", "", self.on_terminal(*args))
            self.assertEqual(shown, plain)

    def test_messages_are_no_wider_than_the_terminal(self):
        for args in [
            ["check", FIRST, "--set", "fabric.foo=2"],
            ["check", FIRST, "--set", "transport.dcqcn.rpg_ai_rate=5 Mb/s"],
            ["init", "--model", "foo", "--defaults"],
        ]:
            lines = {}
            for columns in [80, 200]:
                seen = self.on_terminal(*args, COLUMNS=str(columns), NO_COLOR="1").splitlines()
                self.assertLessEqual(max(map(len, seen)), min(columns, 100), args)
                lines[columns] = " ".join(" ".join(seen).split())
            self.assertEqual(lines[80], lines[200])
            piped = railyard(*args)
            told = (piped.stdout + piped.stderr).splitlines()
            self.assertEqual(" ".join(told), lines[80])  # one line each, for programs

    def test_prose_is_no_wider_than_can_be_read(self):
        seen = railyard("run", FIRST, "--no-advice", env={"COLUMNS": "200"}).stdout
        prose = [line for line in seen.splitlines() if not line.startswith("  ")]
        self.assertLessEqual(max(map(len, prose)), 100)

    def test_files_have_none(self):
        with tempfile.TemporaryDirectory() as folder:
            page, results = folder + "/p.html", folder + "/r.json"
            self.on_terminal("run", FIRST, "-o", page, "--json", results)
            self.assertNotIn("\x1b", pathlib.Path(results).read_text())
            self.assertNotIn("\x1b[1m", pathlib.Path(page).read_text())


class Readers(unittest.TestCase):
    """Files that are not what they should be."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        (self.folder / name).write_text(text, newline="")
        return str(self.folder / name)

    def test_what_never_ends_is_refused(self):
        own = self.file("own.toml", 'name = "x"\n')
        for args, code in [
            (["diff", "/dev/zero", own], "RY-DIF-001"),
            (["diff", own, "/dev/zero"], "RY-DIF-001"),
            (["run", "/dev/zero"], "RY-SCN-001"),
            (
                ["check", FIRST, "--set", "fabric.topology=file", "--set", "fabric.file=/dev/zero"],
                "RY-SCN-001",
            ),
        ]:
            done = subprocess.run([RAILYARD, *args], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            self.assertIn(code, done.stderr)

    def test_diff_takes_results_alone(self):
        head = '{"schema":"railyard-results/1"'
        good = head + ',"name":"a","engine":"flow","fingerprint":"0","inputs":[],"diagnostics":[]'
        file = self.file("r.json", good + ',"points":[3]}')
        done = railyard("diff", file, file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text, says in [
            (head + ',"runs":3}', 'has no "name"'),
            (good + ',"runs":3}', '"runs", which only a comparison has'),
            (good.replace('"flow"', "7") + "}", '"engine" is an integer, not a string'),
            (good.replace("[]", "7", 1) + "}", '"inputs" is an integer, not an array'),
            (
                '{"schema":"railyard-comparison/1","runs":3}',
                '"runs" is an integer, not an array',
            ),
            (
                '{"schema":"railyard-comparison/1","runs":[{"id":"a","results":{}}]}',
                'runs[0].results has no "name"',
            ),
        ]:
            file = self.file("r.json", text)
            done = railyard("diff", file, file)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("RY-DIF-002", done.stderr)
            self.assertIn(says, " ".join(done.stderr.split()))
        for text in [
            "",
            "[]",
            "{}",
            '{"schema":"railyard-comparison/1","runs":[{"id":3}]}',
            "[" * 99,
        ]:
            file = self.file("r.json", text)
            done = railyard("diff", file, file)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("RY-DIF-00", done.stderr)

    def test_traffic_of_many_lines_and_of_spreadsheets(self):
        scenario = self.file(
            "t.toml",
            'name = "t"\n[fabric]\ntopology = "star"\nlink_rate = "400 Gb/s"\n'
            'switch_latency = "500 ns"\n[cluster]\ngpus = 4\n[traffic]\npattern = "file"\n'
            'file = "f.csv"\n[engine]\nfidelity = "flow"\n',
        )
        head, line = "start_us,source,destination,bytes", "0.5,0,1,1000"
        self.file("f.csv", "\ufeff" + "\r\n".join([head, line, line]) + "\r\n")
        self.assertEqual(railyard("run", scenario, "--quiet").returncode, 0)
        self.file("f.csv", "\n".join([head] + [line] * 500_000))  # 6.5 MB, without a comment
        done = railyard("check", scenario)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


unittest.main()
