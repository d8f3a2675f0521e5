"""railyard serve on a socket: what it answers, what it refuses, what it never reads, and what a kill leaves."""
import concurrent.futures
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from serve_client import TOML, Server

RAILYARD = os.path.abspath(sys.argv.pop())
FIRST = pathlib.Path("scenarios/first.toml").read_text()
SECRET = "root:x:0"


def codes(answer):
    return [one["code"] for one in answer["diagnostics"]]


def long_scenario():
    """One that takes minutes: a gigabyte, packet by packet."""
    return 'name = "long"\nextends = "first"\n[engine]\nfidelity = "packet"\n'


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(RAILYARD, "--parallel", "2", "--queue", "3")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_a_scenario_runs_and_its_results_are_those_of_the_program(self):
        run = self.server.submit(FIRST)
        states = self.server.events(run)
        self.assertEqual(states[-1]["state"], "finished")
        self.assertEqual(sorted(s["share"] for s in states), [s["share"] for s in states])
        status, results = self.server.json("GET", f"/api/v1/runs/{run}/results")
        self.assertEqual(status, 200)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.json"
            subprocess.run(
                [RAILYARD, "run", "scenarios/first.toml", "--quiet", "--json", file], check=True
            )
            own = json.loads(file.read_text())
        self.assertEqual(results["fingerprint"], own["fingerprint"])
        status, headers, page = self.server.ask("GET", f"/api/v1/runs/{run}/page")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("sandbox", headers["Content-Security-Policy"])
        self.assertIn(b'id="data"', page)
        self.assertEqual(self.server.ask("GET", f"/api/v1/runs/{run}/scenario")[2].decode(), FIRST)
        other = self.server.submit(FIRST.replace('name = "', 'name = "Other '))
        self.server.wait(other)
        status, found = self.server.json("GET", f"/api/v1/runs/{other}/compare?with={run}")
        self.assertEqual((status, found["schema"]), (200, "railyard-differences/1"))
        self.assertEqual(self.server.ask("DELETE", f"/api/v1/runs/{run}")[0], 204)
        self.assertEqual(self.server.ask("GET", f"/api/v1/runs/{run}/page")[0], 404)
        self.assertFalse((self.server.data / "runs" / run).exists())

    def test_mistakes_have_lines_and_columns(self):
        found = self.server.check('name = "x"\n[transport]\nmtx = 3\n')
        self.assertIn(
            ("RY-SCN-010", 3, 1), [(one["code"], one["line"], one["column"]) for one in found]
        )
        self.assertEqual(self.server.check(FIRST), [])
        self.assertEqual(self.server.check("[")[0]["code"], "RY-SCN-002")
        run = self.server.wait(self.server.submit("[nothing]\na = 1\n"))
        self.assertEqual(run["state"], "failed")
        self.assertTrue(run["diagnostics"])

    def test_presets_can_be_started_from_and_extended(self):
        presets = self.server.json("GET", "/api/v1/presets")[1]["presets"]
        names = [one["name"] for one in presets]
        self.assertIn("llama3", names)
        for name in ("llama3", "first", "fabrics/drawn", "packets/incast"):
            text = self.server.ask("GET", f"/api/v1/presets/text?name={name}")[2].decode()
            wrong = [one for one in self.server.check(text) if one["severity"] == "error"]
            wrong = [one for one in wrong if one["code"] != "RY-SCN-020"]  # networks without a job
            self.assertEqual(wrong, [], name)
        self.assertEqual(self.server.check('extends = "llama3"\n'), [])

    def test_keys_are_those_of_the_program(self):
        sections = self.server.json("GET", "/api/v1/keys")[1]["sections"]
        keys = {f"{s['path']}.{k['name']}": k for s in sections for k in s["keys"]}
        self.assertIn("adaptive", keys["routing.policy"]["values"])
        self.assertIn("H100-SXM-80", keys["cluster.gpu"]["values"])

    def test_every_route_is_described(self):
        described = self.server.json("GET", "/api/v1/openapi.json")[1]
        self.assertEqual(described["openapi"], "3.1.0")
        for path, methods in described["paths"].items():
            real = path.replace("{id}", "0" * 32)
            status, headers, _ = self.server.ask("PUT", real)
            self.assertEqual(status, 405, path)
            self.assertEqual(
                set(headers["Allow"].lower().split(", ")), set(methods), f"{path} has no others"
            )
            for method in methods:
                status, _, _ = self.server.ask(method.upper(), real)
                self.assertIn(str(status), methods[method]["responses"], f"{method} {path}")

    def test_nothing_outside_the_data_folder_is_read(self):
        secret = pathlib.Path(tempfile.mkdtemp()) / "secret.toml"
        secret.write_text('name = "root:x:0"\n')
        files = self.server.data / "files"
        (files / "link").symlink_to(secret)
        (files / "loop").symlink_to(files / "loop")
        (files / "out").symlink_to("/etc")
        (files / "flows.csv").write_text("start_us,source,destination,bytes\n0,0,1,1000\n")
        ways = ["/etc/passwd", "../../lock", "files/link", "files/out/passwd", "files/loop"]
        ways += [
            str(secret),
            f"files/../../../../../../../../..{secret}",
            "state.json",
            "-",
            "/dev/stdin",
        ]
        keys = ["traffic.file", "trace.file", "trace.groups", "fabric.file", "placement.file"]
        keys += ["training.expert_load", "qos.from", "extends"]
        for key in keys:
            for way in ways:
                found = self.server.check(f'{key} = "{way}"\n')
                self.assertIn("RY-WEB-040", [one["code"] for one in found], f"{key} {way}")
                self.assertNotIn(SECRET, str(found))
        job = '[[job]]\nname = "a"\n[job.traffic]\nfile = "/etc/passwd"\n'
        self.assertIn("RY-WEB-040", [one["code"] for one in self.server.check(job)])
        inside = self.server.check('[traffic]\npattern = "file"\nfile = "files/flows.csv"\n')
        self.assertNotIn("RY-WEB-040", [one["code"] for one in inside])
        run = self.server.wait(self.server.submit('[trace]\nfile = "/etc/passwd"\n'))
        self.assertEqual((run["state"], codes(run)), ("failed", ["RY-WEB-040"]))

    def test_a_file_inside_that_leads_outside_is_shut_in_by_the_kernel(self):
        """What an operator put there may name more files; the process may not read them."""
        files = self.server.data / "files"
        (files / "leads.toml").write_text('[traffic]\npattern = "file"\nfile = "/etc/passwd"\n')
        found = self.server.check('extends = "files/leads.toml"\n')
        self.assertNotIn(SECRET, str(found))
        self.assertIn(
            "RY-SCN-001", [one["code"] for one in found], "Landlock is there from 5.13 on"
        )

    def test_no_path_of_an_address_leads_anywhere(self):
        for path in (
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/api/v1/runs/..%2f..%2flock",
            "/api/v1/runs/%2e%2e/state.json",
            "//etc/passwd",
            "/files/flows.csv",
            "/api/v1/presets/text?name=../../etc/passwd",
            "/api/v1/runs/" + "0" * 31 + "%00/page",
        ):
            status, _, text = self.server.ask("GET", path)
            self.assertEqual(status, 404, path)
            self.assertNotIn(SECRET.encode(), text)

    def test_a_browser_is_not_led_astray(self):
        ask = lambda headers: self.server.json("GET", "/api/v1/runs", None, headers)
        self.assertEqual(codes(ask({"Host": "evil.example"})[1]), ["RY-WEB-003"])
        self.assertEqual(codes(ask({"Origin": "http://evil.example"})[1]), ["RY-WEB-004"])
        self.assertEqual(codes(ask({"Sec-Fetch-Site": "cross-site"})[1]), ["RY-WEB-004"])
        status, headers, _ = self.server.ask(
            "OPTIONS", "/api/v1/runs", None, {"Origin": "http://x"}
        )
        self.assertEqual(status, 403)
        status, headers, page = self.server.ask("GET", "/")
        self.assertEqual(status, 200)
        self.assertNotIn("Access-Control-Allow-Origin", headers)
        self.assertIn(b"Content-Security-Policy", page)
        plain = self.server.json("POST", "/api/v1/runs", FIRST, {"Content-Type": "text/plain"})
        self.assertEqual((plain[0], codes(plain[1])), (415, ["RY-WEB-007"]))

    def test_what_is_too_much_is_refused(self):
        large = self.server.json("POST", "/api/v1/check", "#" * (1 << 20) + "\n", TOML)
        self.assertEqual((large[0], codes(large[1])), (413, ["RY-WEB-006"]))
        runs = [self.server.submit(long_scenario()) for _ in range(2)]
        for run in runs:
            self.server.wait(run, ("running",))
        runs += [self.server.submit(long_scenario()) for _ in range(3)]
        full = self.server.json("POST", "/api/v1/runs", FIRST, TOML)
        self.assertEqual((full[0], codes(full[1])), (429, ["RY-WEB-010"]))
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            asked = pool.map(lambda i: self.server.run(runs[i % 5])["state"], range(200))
            self.assertLessEqual(set(asked), {"running", "queued"})
        for run in runs:
            status, after = self.server.json("POST", f"/api/v1/runs/{run}/cancel")
            self.assertEqual((status, after["state"]), (200, "cancelled"))

    def test_rubbish_does_not_end_it(self):
        for rubbish in (
            b"\0" * 100,
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=" + b"0-1," * 1500 + b"0-1\r\n\r\n",
            b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2000 + b"\r\n",
        ):
            with socket.create_connection(("127.0.0.1", self.server.port), 10) as connection:
                connection.sendall(rubbish)
                connection.shutdown(socket.SHUT_WR)
                try:
                    connection.recv(100)
                except ConnectionResetError:
                    pass
        self.assertEqual(self.server.ask("GET", "/api/v1/status")[0], 200)

    def test_a_request_without_a_length_has_no_body(self):
        run = self.server.submit(long_scenario())
        runs = "/api/v1/runs"
        for path, status in ((f"{runs}/{run}/cancel", 200), (runs, 415), ("/nowhere", 404)):
            begun = time.time()
            with socket.create_connection(("127.0.0.1", self.server.port), 30) as connection:
                connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                answer = connection.recv(1000).decode()
            self.assertIn(f"HTTP/1.1 {status} ", answer)
            self.assertLess(time.time() - begun, 5, path)
        self.assertEqual(self.server.run(run)["state"], "cancelled")

    def test_many_may_wait_for_a_connection(self):
        """Nobody of a burst of clients is let down: with room for five, most time out."""
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            burst = [
                socket.create_connection(("127.0.0.1", self.server.port), 5) for _ in range(64)
            ]
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        for connection in burst:
            connection.close()
        self.assertEqual(self.server.ask("GET", "/api/v1/status")[0], 200)


class Limits(unittest.TestCase):
    def test_a_run_that_takes_too_much_memory_or_time_fails_alone(self):
        with Server(RAILYARD, "--memory", "64 MiB", "--time-limit", "60") as server:
            large = 'extends = "first"\ncluster.gpus = 32768\nengine.fidelity = "flow"\n'
            large += '[fabric]\ntopology = "clos3"\nhosts_per_leaf = 32\n'
            huge = server.wait(server.submit(large))
            self.assertEqual((huge["state"], codes(huge)), ("failed", ["RY-WEB-020"]))
        with Server(RAILYARD, "--time-limit", "1") as server:
            slow = server.wait(server.submit(long_scenario()))
            self.assertEqual((slow["state"], codes(slow)), ("failed", ["RY-WEB-021"]))
            self.assertEqual(server.ask("GET", "/api/v1/status")[0], 200)

    def test_elsewhere_a_token_is_needed(self):
        with Server(RAILYARD, listen="0.0.0.0:0") as server:
            token = (server.data / "token").read_text().strip()
            self.assertEqual((server.data / "token").stat().st_mode & 0o777, 0o600)
            refused = server.json("GET", "/api/v1/runs")
            self.assertEqual((refused[0], codes(refused[1])), (401, ["RY-WEB-005"]))
            bearer = {"Authorization": f"Bearer {token}"}
            self.assertEqual(server.ask("GET", "/api/v1/runs", None, bearer)[0], 200)
            status, headers, _ = server.ask("POST", "/api/v1/session", None, bearer)
            self.assertEqual(status, 204)
            self.assertIn("HttpOnly; SameSite=Strict", headers["Set-Cookie"])
            cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
            self.assertEqual(server.ask("GET", "/api/v1/runs", None, cookie)[0], 200)
            self.assertEqual(server.ask("GET", "/")[0], 200)

    def test_what_cannot_be_served_is_said(self):
        def refused(*options):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [RAILYARD, "serve", "--data", folder, *options], capture_output=True, text=True
                )
                self.assertEqual(done.returncode, 2)
                return done.stderr

        self.assertIn("RY-WEB-031", refused("--listen", "nowhere"))
        self.assertIn("RY-WEB-031", refused("--listen", "192.0.2.1:80"))
        with Server(RAILYARD) as first:
            taken = refused("--listen", f"127.0.0.1:{first.port}")
            self.assertIn("RY-WEB-031", taken, "a port is not shared")
        self.assertIn("RY-WEB-032", refused("--listen", "127.0.0.1:0", "--token-file", "/none"))
        self.assertIn("RY-WEB-033", refused("--listen", "127.0.0.1:0", "--memory", "3 apples"))
        self.assertIn("RY-WEB-033", refused("--listen", "127.0.0.1:0", "--memory", "1 MiB"))


class Kills(unittest.TestCase):
    def test_a_kill_loses_the_run_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as data:
            server = Server(RAILYARD, data=data)
            done = server.submit(FIRST)
            server.wait(done)
            runs = server.submit(long_scenario())
            server.wait(runs, ("running",))
            waits = server.submit(FIRST)
            children = subprocess.run(
                ["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True
            ).stdout.split()
            self.assertEqual(len(children), 1)
            server.kill()
            end = time.time() + 10
            while os.path.exists(f"/proc/{children[0]}") and time.time() < end:
                time.sleep(0.05)
            self.assertFalse(os.path.exists(f"/proc/{children[0]}"), "children die with it")
            with Server(RAILYARD, data=data) as again:
                lost = again.run(runs)
                self.assertEqual((lost["state"], codes(lost)), ("lost", ["RY-WEB-023"]))
                self.assertEqual(again.run(done)["state"], "finished")
                self.assertEqual(again.ask("GET", f"/api/v1/runs/{done}/results")[0], 200)
                self.assertEqual(again.wait(waits)["state"], "finished")
                second = subprocess.run(
                    [RAILYARD, "serve", "--listen", "127.0.0.1:0", "--data", data],
                    capture_output=True,
                    text=True,
                )
                self.assertIn("RY-WEB-030", second.stderr)
            self.assertFalse(list(pathlib.Path(data).rglob("*.partial")))

    def test_it_ends_when_asked_with_a_run_and_a_reader(self):
        with tempfile.TemporaryDirectory() as data:
            server = Server(RAILYARD, data=data)
            run = server.submit(long_scenario())
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                states = pool.submit(server.events, run)
                server.wait(run, ("running",))
                begun = time.time()
                server.kill(signal.SIGTERM)
                self.assertLess(time.time() - begun, 15)
                self.assertTrue(states.result())
            self.assertEqual(server.process.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
