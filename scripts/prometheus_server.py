"""A Prometheus on loopback, for as long as somebody asks it: filled with files of `railyard run --metrics`."""
import json
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

START = 1735689600  # where metrics begin unless --metrics-start says otherwise
LONG = "87600h"  # kept for, so that the year of the samples does not matter
READY_WITHIN_S = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def load(metrics, folder):
    """Makes blocks of a file of OpenMetrics in a folder that Prometheus opens."""
    done = subprocess.run(
        ["promtool", "tsdb", "create-blocks-from", "openmetrics", str(metrics), str(folder)],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"promtool refuses {metrics}: {done.stdout}{done.stderr}")


class Prometheus:
    """with Prometheus(folder) as server: server.at("sum(x)", 12.5), seconds after START."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = None

    def __enter__(self):
        config = self.folder.parent / "prometheus.yml"
        config.write_text("global: {scrape_interval: 1h}\n")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(self.folder.parent / "prometheus.log", "w+")
        self.process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={config}",
                f"--storage.tsdb.path={self.folder}",
                f"--storage.tsdb.retention.time={LONG}",
                f"--web.listen-address=127.0.0.1:{port}",
                "--log.level=warn",
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.wait()
        return self

    def wait(self):
        until = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < until:
            if self.process.poll() is not None:
                self.log.seek(0)
                raise RuntimeError("prometheus ended: " + self.log.read())
            try:
                with urllib.request.urlopen(self.url + "/-/ready", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, ConnectionError, socket.timeout):
                pass
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError("prometheus was not ready in time")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def ask(self, path, **parameters):
        query = urllib.parse.urlencode(parameters).encode()
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{path}", query, timeout=60) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{parameters.get('query')}: {error.read().decode()}") from error

    def at(self, expression, seconds):
        """[(labels, value)] at an instant."""
        rows = self.ask("query", query=expression, time=START + seconds)
        return [(row["metric"], float(row["value"][1])) for row in rows]

    def over(self, expression, seconds, step):
        """[(labels, [(seconds, value)])] from the beginning to an instant."""
        rows = self.ask(
            "query_range", query=expression, start=START, end=START + seconds, step=step
        )
        return [
            (row["metric"], [(at - START, float(value)) for at, value in row["values"]])
            for row in rows
        ]
