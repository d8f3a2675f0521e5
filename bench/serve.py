#!/usr/bin/env python3
"""serve.py PROGRAM [--clients 200] [--seconds 30] [--fuzz SECONDS] [--seed N]: a server under many clients while four runs go on, and under
requests that are wrong in every way. Prints how long answers took; fails if one is wrong, or if the server ends."""
import argparse
import http.client
import json
import pathlib
import random
import socket
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests/checks"))
from serve_client import Server

LONG = 'name = "long"\nextends = "first"\n[engine]\nfidelity = "packet"\n'
FIRST = (ROOT / "scenarios/first.toml").read_text()


class Client(threading.Thread):
    """Asks for states, results and pages over one connection, as fast as it is answered."""

    def __init__(self, server, paths, end, seed):
        super().__init__()
        self.server, self.paths, self.end = server, paths, end
        self.random = random.Random(seed)
        self.times, self.wrong = [], []

    def run(self):
        connection = self.server.connection()
        while time.time() < self.end:
            path = self.random.choice(self.paths)
            begun = time.time()
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status != 200 or (not path.endswith("page") and not json.loads(text)):
                    self.wrong.append(f"{path}: {answer.status}")
            except (OSError, http.client.HTTPException, ValueError) as problem:
                self.wrong.append(f"{path}: {problem!r}")
                connection.close()
                connection = self.server.connection()
            self.times.append(time.time() - begun)
        connection.close()


def crowd(program, clients, seconds):
    with Server(program, "--parallel", "4") as server:
        done = server.submit(FIRST)
        server.wait(done)
        going = [server.submit(LONG) for _ in range(4)]
        for run in going:
            server.wait(run, ("running",))
        paths = [f"/api/v1/runs/{run}" for run in going]
        paths += [f"/api/v1/runs/{done}/results", "/api/v1/runs", "/api/v1/status"]
        end = time.time() + seconds
        all_clients = [Client(server, paths, end, seed) for seed in range(clients)]
        for client in all_clients:
            client.start()
        for client in all_clients:
            client.join()
        still = [server.run(run)["state"] for run in going]
    times = sorted(t for client in all_clients for t in client.times)
    wrong = [w for client in all_clients for w in client.wrong]
    print(
        f"{clients} clients, 4 runs in progress ({', '.join(still)}): {len(times)} answers in {seconds} s, "
        f"median {statistics.median(times) * 1e3:.1f} ms, 99 % within {times[len(times) * 99 // 100] * 1e3:.0f} ms, "
        f"longest {times[-1] * 1e3:.0f} ms, {len(wrong)} wrong"
    )
    for one in wrong[:5]:
        print("  " + one)
    return not wrong


SEEDS = sorted((ROOT / "tests/fuzz/seeds/serve").glob("*.txt"))
WORDS = [
    b"\r\n",
    b"\0",
    b"%2e%2e/",
    b"../",
    b"%",
    b"\xff\xfe",
    b" ",
    b":",
    b"Content-Length: 99999999999999999999\r\n",
    b"Range: bytes=0-,1-\r\n",
]
WORDS += [
    b"Host: evil.example\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"A" * 9000,
    b"HTTP/1.1",
    b"GET ",
    b"Expect: 100-continue\r\n",
]


def mutated(text, source):
    text = bytearray(text)
    for _ in range(source.randint(1, 6)):
        at = source.randint(0, len(text))
        kind = source.randint(0, 3)
        if kind == 0:
            text[at:at] = source.choice(WORDS)
        elif kind == 1:
            del text[at : at + source.randint(1, 20)]
        elif kind == 2 and at < len(text):
            text[at] = source.randint(0, 255)
        else:
            text[at:at] = bytes(text[source.randint(0, len(text)) :][:40])
    return bytes(text)


def send(port, text, source):
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.settimeout(0.2)
            connection.sendall(text)
            if source.random() < 0.7:
                connection.shutdown(socket.SHUT_WR)
            return connection.recv(65536)
    except OSError:
        return b""


def fuzz(program, seconds, seed):
    source = random.Random(seed)
    with Server(program, "--queue", "2", "--time-limit", "1") as server:
        outside = server.data.parent / "outside.txt"
        outside.write_text("what nobody may read")
        end, sent = time.time() + seconds, 0
        while time.time() < end:
            text = mutated(source.choice(SEEDS).read_bytes(), source)
            answer = send(server.port, text, source)
            sent += 1
            if b"nobody may read" in answer or (answer and not answer.startswith(b"HTTP/1.1 ")):
                print(f"seed {seed}, request {sent}: {text!r} is answered with {answer[:200]!r}")
                return False
            if server.process.poll() is not None:
                print(
                    f"seed {seed}, request {sent}: {text!r} ends the server: {server.process.stderr.read()}"
                )
                return False
        status = server.ask("GET", "/api/v1/status")[0]
    print(f"{sent} requests that were wrong, in {seconds} s: the server is still there ({status})")
    return status == 200


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--fuzz", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    program = str(pathlib.Path(asked.program).absolute())
    fine = asked.seconds == 0 or crowd(program, asked.clients, asked.seconds)
    fine = (asked.fuzz == 0 or fuzz(program, asked.fuzz, asked.seed)) and fine
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
