"""A railyard serve of one's own, and how to ask it: what tests and measurements of the server share."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

TOML = {"Content-Type": "application/toml"}


class Server:
    """Runs until it is stopped; its data folder stays for another one."""

    def __init__(self, program, *options, data=None, listen="127.0.0.1:0"):
        self.folder = tempfile.TemporaryDirectory() if data is None else None
        self.data = pathlib.Path(data or self.folder.name) / ("data" if data is None else "")
        command = [program, "serve", "--listen", listen, "--data", str(self.data), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://(.+):(\d+)/", line)
        if not found:
            raise RuntimeError(f"the server says: {line}{self.process.stderr.read()}")
        self.port = int(found[2])

    def connection(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer."""
        connection = self.connection()
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, headers=None):
        status, _, text = self.ask(method, path, body, headers)
        return status, json.loads(text) if text else None

    def submit(self, text):
        status, run = self.json("POST", "/api/v1/runs", text, TOML)
        assert status == 202, run
        return run["id"]

    def check(self, text):
        status, found = self.json("POST", "/api/v1/check", text, TOML)
        assert status == 200, found
        return found["diagnostics"]

    def run(self, run_id):
        return self.json("GET", f"/api/v1/runs/{run_id}")[1]

    def wait(self, run_id, states=("finished", "failed", "cancelled", "lost"), seconds=120):
        end = time.time() + seconds
        while time.time() < end:
            run = self.run(run_id)
            if run["state"] in states:
                return run
            time.sleep(0.05)
        raise TimeoutError(f"{run_id} is {run['state']}")

    def events(self, run_id):
        """Every state that the stream tells."""
        connection = self.connection()
        connection.request("GET", f"/api/v1/runs/{run_id}/events")
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        text = answer.read().decode()
        connection.close()
        return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]

    def kill(self, how=signal.SIGKILL):
        os.kill(self.process.pid, how)
        self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()

    def stop(self):
        if self.process.poll() is None:
            self.kill(signal.SIGTERM)
        if self.folder:
            self.folder.cleanup()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
