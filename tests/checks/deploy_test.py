"""What integrations/deploy has for systemd, containers and Kubernetes, as far as that can be told without them."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
DEPLOY = ROOT / "integrations/deploy"


def known_options(command):
    text = subprocess.run([RAILYARD, command, "--help"], capture_output=True, text=True).stdout
    return set(re.findall(r"(?<!\w)--?[\w-]+", text))


class Deploy(unittest.TestCase):
    def check_arguments(self, words):
        """Options of a line that starts the program are options it has."""
        options = [word for word in words[1:] if word.startswith("-")]
        self.assertTrue(options)
        self.assertLessEqual(set(options), known_options(words[0]), words)

    def test_the_unit_is_one_and_is_shut_in(self):
        unit = (DEPLOY / "railyard.service").read_text()
        start = re.search(r"^ExecStart=/usr/bin/railyard (.*)$", unit, re.M)[1]
        self.check_arguments(start.split())
        for line in (
            "NoNewPrivileges=yes",
            "ProtectSystem=strict",
            "DynamicUser=yes",
            "CapabilityBoundingSet=",
        ):
            self.assertIn(f"\n{line}\n", unit)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_systemd_takes_the_unit(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / "railyard.service"
            text = (DEPLOY / "railyard.service").read_text()
            unit.write_text(text.replace("/usr/bin/railyard", RAILYARD))
            done = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
                capture_output=True,
                text=True,
            )
            said = [line for line in done.stderr.splitlines() if "railyard.service" in line]
            self.assertEqual(said, [])
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_job_is_yaml_and_its_scenario_is_fine(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("there is no python3-yaml")
        config, claim, job = yaml.safe_load_all((DEPLOY / "job.yaml").read_text())
        container = job["spec"]["template"]["spec"]["containers"][0]
        self.check_arguments(container["args"])
        self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
        self.assertEqual(container["imagePullPolicy"], "IfNotPresent", "latest is not pulled")
        volumes = {one["name"]: one for one in job["spec"]["template"]["spec"]["volumes"]}
        claimed = volumes["results"]["persistentVolumeClaim"]["claimName"]
        self.assertEqual(
            (claim["kind"], claim["metadata"]["name"]), ("PersistentVolumeClaim", claimed)
        )
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scenario.toml"
            file.write_text(config["data"]["scenario.toml"])
            done = subprocess.run([RAILYARD, "check", file], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_image_starts_what_there_is(self):
        text = (DEPLOY / "Dockerfile").read_text()
        words = re.findall(r'"([^"]+)"', re.search(r"^CMD (.*)$", text, re.M)[1])
        self.check_arguments(words)
        self.assertRegex(text, r"(?m)^USER \d+$")
        for source in re.findall(r"^COPY (?!--from)(\S+) ", text, re.M):
            self.assertTrue((ROOT / source).exists(), source)
        self.assertIn("COPY --from=build /package/*.deb", text, "with the package for MPI")
        definition = (DEPLOY / "railyard.def").read_text()
        self.assertIn("railyard run first", definition)
        self.assertIn("/opt/railyard-mpi.deb", definition)

    def test_what_was_built_stays_out_of_the_image(self):
        ignored = (ROOT / ".dockerignore").read_text().split()
        self.assertLessEqual({"build", ".git", "web/node_modules"}, set(ignored))

    def test_a_build_folder_of_another_checkout_is_made_anew(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            build = folder / "build/release"
            build.mkdir(parents=True)
            (folder / "CMakePresets.json").write_text("{}")
            (folder / "cmake").write_text("#!/bin/sh\nmkdir -p build/release\n")
            (folder / "cmake").chmod(0o755)

            def configure():
                line = f". {ROOT}/scripts/setup.sh; PATH=$PWD:$PATH configure release"
                return subprocess.run(
                    ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=True
                ).stderr

            for home, kept in ((folder, True), ("/elsewhere", False)):
                (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
                for file in ("build.ninja", "configured"):
                    (build / file).write_text("")
                said = configure()
                self.assertEqual((build / "CMakeCache.txt").exists(), kept, said)
                self.assertEqual("of another checkout" in said, not kept)
                self.assertEqual("configuring" in said, not kept)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
