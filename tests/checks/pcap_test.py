"""Captures of runs, read by tshark and by railyard capture: every frame dissects, and counts are the run's own counters."""
import collections
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

RAILYARD = os.path.abspath(sys.argv.pop())
ROOT = pathlib.Path(__file__).resolve().parents[2]

INCAST = """
name = "eight to one"
[traffic]
pattern = "incast"
fan_in = 8
size = "{size}"
[cluster]
gpus = 12
[fabric]
topology = "star"
link_rate = "100 Gb/s"
buffer = "{buffer}"
switch_latency = "600 ns"
link_delay = "500 ns"
host_latency = "1 us"
{more}
[engine]
fidelity = "packet"
"""
CONGESTED = INCAST.format(
    size="1 MB",
    buffer="4 MiB",
    more="""
[transport.ecn]
kmin = "100 KB"
kmax = "400 KB"
[transport.pfc]
xoff = "150 KB"
xon = "100 KB"
""",
)
LOSSY = INCAST.format(size="300 kB", buffer="300 KB", more="[transport.pfc]\nenabled = false\n")

FIELDS = [
    "frame.interface_name",
    "frame.time_epoch",
    "eth.type",
    "ip.dsfield.ecn",
    "ip.dsfield.dscp",
    "ip.checksum.status",
    "udp.dstport",
    "infiniband.bth.opcode",
    "infiniband.bth.psn",
    "infiniband.aeth.syndrome.opcode",
    "infiniband.aeth.syndrome.error_code",
    "infiniband.reth.dmalen",
    "macc.opcode",
    "macc.cbfc.enbv",
    "macc.cbfc.pause_time.c3",
    "_ws.malformed",
    "_ws.expert.severity",
    "_ws.col.Info",
]


def railyard(*args, fails=False):
    done = subprocess.run([RAILYARD, *map(str, args)], capture_output=True, text=True, timeout=300)
    if not fails and done.returncode != 0:
        raise AssertionError(f"{args}: {done.stdout}{done.stderr}")
    return done


def frames_of(path):
    """What tshark says of every frame: a dictionary by field."""
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", "separator=|"]
    command += ["-o", "ip.check_checksum:TRUE"]
    for field in FIELDS:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [dict(zip(FIELDS, line.split("|"))) for line in done.stdout.splitlines()]


def blocks_of(path):
    """Frames of a pcapng file, read here: (interface, nanoseconds, size on the wire, bytes)."""
    data = pathlib.Path(path).read_bytes()
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:
            interface, high, low, kept, size = struct.unpack_from("<IIIII", data, at + 8)
            yield interface, high << 32 | low, size, data[at + 28 : at + 28 + kept]
        at += length


def invariant_crc(frame):
    """Of a whole RoCEv2 frame over IPv4 without a tag, by the rule of the specification, with Python's own CRC-32."""
    packet = bytearray(b"\xff" * 8 + frame[14:-4])
    for masked in (9, 16, 18, 19, 34, 35, 40):
        packet[masked] = 0xFF
    return struct.pack("<I", zlib.crc32(bytes(packet)))


class Pcap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_scenario(self, text, *args):
        """The run's document, and where its capture is."""
        base = pathlib.Path(self.folder.name)
        (base / "case.toml").write_text(text)
        railyard("run", base / "case.toml", "--no-advice", "--quiet", "--json", base / "run.json")
        plain = json.loads((base / "run.json").read_text())
        command = ["run", base / "case.toml", "--no-advice", "--quiet"]
        command += ["--json", base / "run.json", "--pcap", base / "run.pcapng", *args]
        railyard(*command)
        document = json.loads((base / "run.json").read_text())
        self.assertEqual(document["fingerprint"], plain["fingerprint"], "a capture changes nothing")
        return document, base / "run.pcapng"

    def check_dissected(self, frames):
        for frame in frames:
            self.assertEqual(frame["_ws.malformed"], "", frame)
            self.assertEqual(frame["_ws.expert.severity"], "", frame)
            self.assertNotIn("Malformed", frame["_ws.col.Info"])
            if frame["ip.checksum.status"]:
                self.assertEqual(frame["ip.checksum.status"], "1", frame)  # good
                self.assertEqual(frame["udp.dstport"], "4791")
            else:
                self.assertEqual(frame["macc.opcode"], "0x0101", frame)
        times = [float(frame["frame.time_epoch"]) for frame in frames]
        self.assertEqual(times, sorted(times))

    def test_an_incast_with_pauses_and_cnps_is_what_the_run_counted(self):
        document, path = self.run_scenario(CONGESTED, "--ports", "all")
        frames = frames_of(path)
        self.check_dissected(frames)
        last = [f for f in frames if " to GPU" in f["frame.interface_name"]]
        first = [f for f in frames if f["frame.interface_name"].startswith("GPU")]
        opcodes = collections.Counter(f["infiniband.bth.opcode"] for f in last)
        self.assertGreater(document["cnp"]["handled"], 0)
        self.assertEqual(opcodes["129"], document["cnp"]["handled"])
        self.assertEqual(opcodes["17"], document["acks"])
        packets = 8 * -(-1_000_000 // 4096)
        self.assertEqual(
            (opcodes["6"], opcodes["8"]), (8, 8)
        )  # a first and a last one of each message
        self.assertEqual(opcodes["7"], packets - 16)
        self.assertEqual({f["infiniband.reth.dmalen"] for f in last} - {""}, {"1000000"})
        marked = [f for f in last if f["ip.dsfield.ecn"] == "3"]
        self.assertEqual(len(marked), document["ecn"]["marked"])
        self.assertGreater(document["pfc"]["pauses"], 0)
        pauses = [f for f in frames if f["macc.opcode"]]
        self.assertEqual({f["macc.cbfc.enbv"] for f in pauses}, {"0x0008"})  # priority 3
        stops = [f for f in pauses if f["macc.cbfc.pause_time.c3"] == "65535"]
        self.assertEqual(len(stops), document["pfc"]["pauses"])
        self.assertEqual(len(pauses) - len(stops), document["pfc"]["resumes"])
        self.assertEqual(
            {f["ip.dsfield.dscp"] for f in last if f["infiniband.bth.opcode"] == "7"}, {"26"}
        )
        self.assertEqual(
            {f["ip.dsfield.dscp"] for f in first if f["infiniband.bth.opcode"] == "129"}, {"48"}
        )

    def test_every_packet_of_a_train_is_there_in_order(self):
        _, path = self.run_scenario(CONGESTED, "--ports", "GPU 1 to leaf 0")
        numbers = [int(f["infiniband.bth.psn"]) for f in frames_of(path) if f["ip.checksum.status"]]
        self.assertEqual(numbers, list(range(-(-1_000_000 // 4096))))

    def test_losses_naks_and_retransmissions_are_what_the_run_counted(self):
        document, path = self.run_scenario(LOSSY, "--ports", "all")
        frames = frames_of(path)
        self.check_dissected(frames)
        self.assertGreater(document["naks"], 0)
        self.assertGreater(document["retransmissions"], 0)
        naks = [
            f
            for f in frames
            if f["infiniband.aeth.syndrome.opcode"] == "3"
            and f["frame.interface_name"].startswith("GPU")
        ]
        self.assertEqual(len(naks), document["naks"])
        self.assertEqual({f["infiniband.aeth.syndrome.error_code"] for f in naks}, {"0"})
        again = collections.defaultdict(lambda: -1)
        repeated = 0
        for frame in frames:
            place = frame["frame.interface_name"]
            if not place.startswith("GPU") or frame["infiniband.bth.opcode"] not in "6 7 8".split():
                continue
            number = int(frame["infiniband.bth.psn"])
            repeated += number <= again[place]
            again[place] = max(again[place], number)
        self.assertEqual(repeated, document["retransmissions"])

    def test_whole_frames_have_the_right_crc_and_cut_ones_have_their_size(self):
        _, path = self.run_scenario(CONGESTED)
        kinds = collections.Counter()
        for _, _, size, frame in blocks_of(path):
            self.assertEqual(size, len(frame))
            if frame[12:14] == b"\x08\x00":
                self.assertEqual(frame[-4:], invariant_crc(frame))
                kinds[frame[42]] += 1
        self.assertEqual(set(kinds), {0x06, 0x07, 0x08, 0x11, 0x81})
        _, path = self.run_scenario(CONGESTED, "--pcap-snaplen", "96")
        lengths = collections.Counter(size for _, _, size, frame in blocks_of(path))
        self.assertIn(4096 + 82 - 24, lengths)
        self.assertLessEqual(max(len(frame) for _, _, _, frame in blocks_of(path)), 96)

    def test_bytes_do_not_depend_on_threads(self):
        found = set()
        for threads in (1, 2, 4):
            _, path = self.run_scenario(CONGESTED, "--ports", "all", "--threads", threads)
            found.add(path.read_bytes())
        self.assertEqual(len(found), 1)

    def test_times_and_sizes_are_those_of_the_wire(self):
        """Frames of one port never overlap: each begins when the one before it has left."""
        _, path = self.run_scenario(CONGESTED, "--ports", "leaf 0 to GPU 0")
        end = 0
        for _, at, size, _ in blocks_of(path):
            self.assertGreaterEqual(at + 1, end)  # times are cut to nanoseconds
            end = at + (size + 24) * 8 / 100

    def test_railyard_reads_back_what_the_run_counted(self):
        document, path = self.run_scenario(LOSSY, "--ports", "all")
        read = json.loads(railyard("capture", path, "--json", "-").stdout)
        for name, value in [
            ("sent_again", document["retransmissions"]),
            ("messages", 8),
            ("crc_wrong", 0),
            ("other", 0),
        ]:
            self.assertEqual(read["counters"][name], value, name)
        document, path = self.run_scenario(CONGESTED)
        read = json.loads(railyard("capture", path, "--json", "-").stdout)
        for name, value in [
            ("cnps", document["cnp"]["handled"]),
            ("acks", document["acks"]),
            ("ce_marked", document["ecn"]["marked"]),
            ("naks", document["naks"]),
            ("payload_bytes", 8_000_000),
        ]:
            self.assertEqual(read["counters"][name], value, name)
        frames = frames_of(path)
        self.assertEqual(read["counters"]["frames"], len(frames))
        pauses = sum(p["pauses"] for i in read["interfaces"] for p in i["pauses"])
        self.assertEqual(pauses, document["pfc"]["pauses"])
        opcodes = collections.Counter(f["infiniband.bth.opcode"] for f in frames)
        for row in read["opcodes"]:
            self.assertEqual(row["frames"], opcodes[str(row["opcode"])])

    def test_a_capture_can_be_played_again(self):
        _, path = self.run_scenario(CONGESTED)
        traffic = path.with_name("traffic.csv")
        railyard("capture", path, "--quiet", "--traffic", traffic)
        lines = [l for l in traffic.read_text().splitlines() if l[0].isdigit()]
        self.assertEqual(len(lines), 8)
        self.assertTrue(all(l.endswith(",0,1000000") for l in lines), lines)
        again = CONGESTED.replace(
            'pattern = "incast"\nfan_in = 8\nsize = "1 MB"',
            'pattern = "file"\nfile = "traffic.csv"',
        )
        (path.parent / "again.toml").write_text(again)
        done = railyard("run", path.parent / "again.toml", "--no-advice", "--quiet", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["traffic"]["connections"], 8)

    def test_packed_captures_hold_the_same_and_are_read_as_they_are(self):
        _, path = self.run_scenario(CONGESTED)
        base, packed = path.parent, path.with_name("run.pcapng.gz")
        railyard("run", base / "case.toml", "--no-advice", "--quiet", "--pcap", packed)
        self.assertEqual(gzip.decompress(packed.read_bytes()), path.read_bytes())
        self.assertLess(packed.stat().st_size, path.stat().st_size / 10)
        self.assertEqual(frames_of(packed), frames_of(path))
        read = [json.loads(railyard("capture", p, "--json", "-").stdout) for p in (path, packed)]
        self.assertEqual(read[0]["counters"], read[1]["counters"])
        bytes_of = packed.read_bytes()
        packed.write_bytes(bytes_of[: len(bytes_of) // 2])
        self.assertIn("RY-CAP-003", railyard("capture", packed).stdout)
        damaged = bytearray(bytes_of)
        damaged[len(bytes_of) // 2] ^= 1
        packed.write_bytes(damaged)
        done = railyard("capture", packed, fails=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("RY-CAP-007", done.stderr)

    def test_what_cannot_be_captured_is_refused_before_the_run(self):
        base = pathlib.Path(self.folder.name)
        (base / "case.toml").write_text(CONGESTED)
        for args, code, words in [
            (["--ports", "leaf 0 to GPU 99"], "RY-CAP-020", "did you mean"),
            (["--set", "engine.fidelity=flow"], "RY-CAP-021", "engine.fidelity=packet"),
            (["--set", "transport.kind=tcp"], "RY-CAP-021", "RoCEv2"),
        ]:
            done = railyard(
                "run", base / "case.toml", "--pcap", base / "no.pcapng", *args, fails=True
            )
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(code, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse((base / "no.pcapng").exists())

    def test_what_is_played_instead_of_traffic_is_named(self):
        base = pathlib.Path(self.folder.name)
        trace = ROOT / "docs/traces/token.goal"
        cluster = '[cluster]\ngpus = 8\n[fabric]\ntopology = "star"\nlink_rate = "400 Gb/s"\n'
        cluster += 'switch_latency = "500 ns"\n[engine]\nfidelity = "packet"\n'
        (base / "trace.toml").write_text(f'name = "t"\n[trace]\nfile = "{trace}"\n{cluster}')
        done = railyard("run", base / "trace.toml", "--pcap", base / "no.pcapng", fails=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("this is a trace;", done.stderr.replace("\n", " "))

    def test_what_is_no_capture_is_refused(self):
        base = pathlib.Path(self.folder.name)
        (base / "text").write_text("hello")
        for name, code in [("text", "RY-CAP-002"), ("missing", "RY-CAP-001")]:
            done = railyard("capture", base / name, fails=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(code, done.stderr)


if __name__ == "__main__":
    unittest.main()
