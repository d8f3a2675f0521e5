"""What railyard lint writes with --sarif is SARIF 2.1.0, and its exit codes say what they should.

The schema of OASIS is not at hand where tests run. So its required properties, types and enumerations are written down here, for
the objects that railyard writes (sections 3.13 to 3.58 of the standard); a property that is not listed fails the test.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RAILYARD = sys.argv.pop()

JOB = "#!/bin/sh\nexport NCCL_IB_DISABLE=1\nexport NCCL_DEBUG=TRACE\nsrun train.py\n"
POLICY_OF_LEVELS = {"none", "note", "warning", "error"}


def text(value):
    return isinstance(value, str)


def whole(least):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*choices):
    return lambda value: value in choices


def uri_reference(value):
    return isinstance(value, str) and re.fullmatch(r"[\w.~:/?#\[\]@!$&'()*+,;=%-]+", value, re.A)


def truth(value):
    return isinstance(value, bool)


def any_object(value):
    return isinstance(value, dict)


def strings(value):
    return isinstance(value, dict) and all(map(text, value.values()))


# By object: properties that must be there, and all that railyard writes, each with what it is: a check, the name of an object,
# or a list with either.
SCHEMA = {
    "log": (
        {"version", "runs"},
        {"$schema": uri_reference, "version": one_of("2.1.0"), "runs": ["run"]},
    ),
    "run": ({"tool"}, {"tool": "tool", "invocations": ["invocation"], "results": ["result"]}),
    "tool": ({"driver"}, {"driver": "component"}),
    "component": ({"name"}, {"name": text, "version": text, "rules": ["rule"]}),
    "rule": (
        {"id"},
        {
            "id": text,
            "shortDescription": "message",
            "fullDescription": "message",
            "help": "message",
            "defaultConfiguration": "configuration",
            "properties": any_object,
        },
    ),
    "configuration": (set(), {"level": one_of(*POLICY_OF_LEVELS)}),
    "message": ({"text"}, {"text": text}),
    "invocation": (
        {"executionSuccessful"},
        {"executionSuccessful": truth, "toolExecutionNotifications": ["notification"]},
    ),
    "notification": (
        {"message"},
        {"message": "message", "level": one_of(*POLICY_OF_LEVELS), "locations": ["location"]},
    ),
    "result": (
        {"message"},
        {
            "ruleId": text,
            "ruleIndex": whole(0),
            "level": one_of(*POLICY_OF_LEVELS),
            "message": "message",
            "locations": ["location"],
            "partialFingerprints": strings,
            "suppressions": ["suppression"],
        },
    ),
    "suppression": ({"kind"}, {"kind": one_of("inSource", "external"), "justification": text}),
    "location": (set(), {"physicalLocation": "physical", "logicalLocations": ["logical"]}),
    "physical": ({"artifactLocation"}, {"artifactLocation": "artifact", "region": "region"}),
    "artifact": (set(), {"uri": uri_reference}),
    "region": ({"startLine"}, {"startLine": whole(1), "startColumn": whole(1)}),
    "logical": (set(), {"name": text, "fullyQualifiedName": text, "kind": text}),
}


def problems(value, kind, path):
    """What of a value is not as the schema has it, each with its path."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{path} is no list"]
        return [p for i, one in enumerate(value) for p in problems(one, kind[0], f"{path}[{i}]")]
    if callable(kind):
        return [] if kind(value) else [f"{path} is {value!r}"]
    if not isinstance(value, dict):
        return [f"{path} is no object"]
    required, properties = SCHEMA[kind]
    found = [f"{path} lacks {name}" for name in sorted(required - value.keys())]
    found += [f"{path} has {name}" for name in sorted(value.keys() - properties.keys())]
    for name in value.keys() & properties.keys():
        found += problems(value[name], properties[name], f"{path}.{name}")
    return found


class Sarif(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.job = pathlib.Path(self.folder.name) / "train one.sh"
        self.job.write_text(JOB)

    def lint(self, *arguments, code):
        done = subprocess.run([RAILYARD, "lint", *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def log(self):
        return json.loads(self.lint(str(self.job), "--sarif", "-", code=1).stdout)

    def test_the_log_has_the_structure_of_the_schema(self):
        self.assertEqual(problems(self.log(), "log", "log"), [])

    def test_the_check_can_fail(self):
        log = self.log()
        log["version"] = "2.0.0"
        log["runs"][0]["results"][0]["level"] = "fatal"
        del log["runs"][0]["tool"]["driver"]["name"]
        log["runs"][0]["extra"] = 1
        self.assertEqual(len(problems(log, "log", "log")), 4)

    def test_results_point_at_rules_and_places(self):
        run = self.log()["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
        results = {result["ruleId"]: result for result in run["results"]}
        self.assertIn("RY-LNT-131", results)
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual(
                rules[result["ruleIndex"]]["defaultConfiguration"]["level"], result["level"]
            )
        place = results["RY-LNT-131"]["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("train%20one.sh"))
        self.assertEqual(place["region"]["startLine"], 2)

    def test_exit_codes(self):
        self.lint(str(self.job), "--fail-on", "error", code=1)
        self.job.write_text("export NCCL_DEBUG=TRACE\n")
        self.lint(str(self.job), code=0)
        self.lint(str(self.job), "--fail-on", "note", code=1)
        self.lint(str(self.job) + ".missing", code=2)
        self.lint(code=2)
        self.lint("--explain", "RY-LNT-999", code=2)

    def test_fixes_are_commands_by_device(self):
        done = self.lint(str(self.job), "--quiet", "--fix", code=1)
        self.assertIn("unset NCCL_IB_DISABLE", done.stdout)

    def test_nothing_to_look_at_is_told(self):
        other = pathlib.Path(self.folder.name) / "poem"
        other.write_text("roses are red\n")
        self.assertIn("RY-LNT-900", self.lint(str(other), code=2).stderr)
        self.assertIn("RY-LNT-901", self.lint("--explain", "RY-LNT-1", code=2).stderr)

    def test_json_has_the_same_findings(self):
        found = json.loads(self.lint(str(self.job), "--json", "-", code=1).stdout)
        self.assertEqual(found["schema"], "railyard-lint/1")
        codes = [finding["code"] for finding in found["findings"]]
        self.assertEqual(codes, [result["ruleId"] for result in self.log()["runs"][0]["results"]])
        self.assertEqual(found["counts"]["error"], codes.count("RY-LNT-131"))

    def test_inputs_are_not_written_over(self):
        self.lint(str(self.job), "--sarif", str(self.job), code=2)
        self.assertEqual(self.job.read_text(), JOB)


unittest.main()
