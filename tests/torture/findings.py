"""What broke Railyard once: each with the command that showed it. None may come back."""

LLAMA = """name = "a failure that ends"
[model]
preset = "llama3-70b"
sequence = 8192
[training]
global_batch = 1024
[parallel]
tensor = 8
pipeline = 4
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus = 512
gpus_per_node = 8
[fabric]
topology = "rail-optimized"
switch = "Tomahawk-5"
hosts_per_leaf = 32
oversubscription = 2
[engine]
fidelity = "flow"
[failures]
"spine 0" = { from = "5 s", until = "10 s" }
"""
RAIL_ONLY = """name = "inside a domain of a rail-only fabric"
[traffic]
pattern = "all-to-all"
size = "1 kB"
[cluster]
gpus = 8
gpus_per_node = 2
scale_up_domain = 2
scale_up_rate = "1600 Gb/s"
[fabric]
topology = "rail-only"
radix = 16
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "500 ns"
[engine]
fidelity = "packet"
"""
SCALE_UP = """name = "traffic of which half stays inside domains"
[traffic]
pattern = "all-to-all"
size = "100 kB"
[cluster]
gpus = 16
gpus_per_node = 4
scale_up_domain = 4
scale_up_rate = "3600 Gb/s"
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "500 ns"
[engine]
fidelity = "flow"
"""
ROUNDED_UP = """name = "sixths of a line in whole bits"
[traffic]
pattern = "incast"
fan_in = 6
size = "4 MB"
[cluster]
gpus = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
link_rate = "1 Gb/s"
link_delay = "100 ns"
switch_latency = "600 ns"
[engine]
fidelity = "flow"
"""
HYBRID = """name = "unlike paths that share perfectly"
[traffic]
pattern = "permutation"
size = "300 kB"
[cluster]
gpus = 16
[fabric]
topology = "hybrid"
hosts_per_leaf = 4
spines = 2
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "300 ns"
host_latency = "500 ns"
island = { gpus = 8, gateways = 2, link_rate = "200 Gb/s", boundary_rate = "100 Gb/s" }
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
"""
LIBRARY = """name = "a library whose rates packets measure"
[collective]
kind = "all_reduce"
sizes = ["1 kB", "1 MiB"]
[cluster]
gpu = "H100-SXM-80"
gpus = 16
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
[engine]
fidelity = "packet"
"""


class Finding:
    """`args` after the program's name; `{}` is the scenario in `text`.

    It may end with the exit codes in `may`, `wants` a word on stderr, takes no more than `seconds`,
    and is `stuck` if some messages are meant to never arrive. `files` are beside it, and as they
    were when it ends, unless they are in `changes`; so are `links`, symbolic ones.
    """

    def __init__(self, name, args, text=None, **more):
        self.name, self.args, self.text = name, args, text
        self.may = more.pop("may", (0,))
        self.wants = more.pop("wants", "")
        self.files = more.pop("files", {})
        self.links = more.pop("links", {})
        self.changes = more.pop("changes", ())
        self.stuck = more.pop("stuck", False)
        self.seconds = more.pop("seconds", None)
        assert not more, more


def sets(*keys):
    return [word for key in keys for word in ("--set", key)]


SMALL_RUN = """name = "small"
[traffic]
pattern = "ring"
size = "1 kB"
[cluster]
gpus = 4
[fabric]
topology = "star"
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "500 ns"
[engine]
fidelity = "flow"
"""
FROM_FILE = SMALL_RUN.replace('"ring"\nsize = "1 kB"', '"file"\nfile = "f.csv"')
OUTPUTS = {"a.toml": SMALL_RUN, "t.csv": "as it was"}
HEADER = "start_us,source,destination,bytes\n"
FLOWS = HEADER + "0,0,1,1000\n"
OVERTAKEN = """name = "overtaken"
[cluster]
gpus = 16
gpus_per_node = 2
scale_up_domain = 2
scale_up_rate = "1600 Gb/s"
[engine]
fidelity = "packet"
[fabric]
topology = "clos3"
hosts_per_leaf = 2
link_rate = "200 Gb/s"
link_delay = "2 us"
switch_latency = "1 us"
host_latency = "1 us"
switching = "store-and-forward"
[routing]
policy = "adaptive"
[traffic]
pattern = "file"
file = "f.csv"
[transport]
kind = "tcp"
mtu = 1024
header = 0
"""
PODS = """name = "a ring of pods"
[traffic]
pattern = "ring"
size = "1 kB"
[cluster]
gpus = 131072
[fabric]
topology = "optical"
radix = 16
hosts_per_leaf = 2
hosts_per_pod = 16
circuits = "ring"
link_rate = "800 Gb/s"
link_delay = "2 us"
switch_latency = "300 ns"
host_latency = "500 ns"
"""
RESULTS = '{"schema":"railyard-results/1","runs":3}'
SMALL = sets("traffic.size=4 KiB")
PERMUTATION = ["run", "transports/permutation", *sets("cluster.gpus=16384", "transport.kind=uec")]
BARE = sets("fabric.hosts_per_leaf=", "fabric.switch=", "fabric.switch_latency=500 ns")
STAR = ["run", "packets/incast", *sets("fabric.topology=star", "cluster.gpus=1100"), *BARE]
INCAST = ["run", "transports/incast", *sets("cluster.gpus=8", "traffic.fan_in=7")]
WIDE = ["fabric.radix=4096", "fabric.hosts_per_leaf=1000", "fabric.oversubscription=20"]
LEAVES = sets(*WIDE, "fabric.switch=", "fabric.switch_latency=500ns", 'collective.sizes=["1 kB"]')
MANY = ["run", "first", *sets("cluster.gpus=66000"), *LEAVES]
PACKETS = sets("engine.fidelity=packet")
DIRECT = [*MANY, *sets("collective.kind=all_to_all", "collective.algorithm=direct")]

FINDINGS = [
    # Aborts and freezes.
    Finding("wide switch", [*PERMUTATION, *SMALL], may=(0, 2)),
    Finding("wide star", [*STAR, *SMALL], may=(0, 2)),
    Finding("xon 0: xoff", [*INCAST, *sets("transport.pfc.xoff=1 KiB")]),
    Finding("xon 0: xon", [*INCAST, *sets("transport.pfc.xoff=10 KiB", "transport.pfc.xon=0 B")]),
    Finding("2^32 packets", ["run", "packets/incast", *sets("traffic.size=18 TB")], may=(2,)),
    Finding("broadcast", [*MANY, *sets("collective.kind=broadcast")], may=(0, 2)),
    Finding("direct over 66,000", DIRECT, may=(2,), wants="RY-RUN-005"),
    Finding(
        "diff of no runs", ["diff", "a.json", "a.json"], may=(0, 1, 2), files={"a.json": RESULTS}
    ),
    Finding(
        "diff without end", ["diff", "/dev/zero", "a.json"], may=(2,), files={"a.json": RESULTS}
    ),
    Finding("failure that ends", ["run", "{}"], LLAMA),
    Finding("rail-only domain", ["run", "{}"], RAIL_ONLY),
    # Numbers that cannot be.
    Finding("storm", ["run", "tests/scenarios/packet/storm_drop.toml"], may=(0, 1), stuck=True),
    Finding(
        "loop", ["run", "tests/scenarios/packet/routing_loop_lossy.toml"], may=(0, 1), stuck=True
    ),
    Finding("library and packets", ["run", "{}"], LIBRARY),
    Finding("inside domains", ["run", "{}"], SCALE_UP),
    Finding("inside domains, packets", ["run", "{}", *sets("engine.fidelity=packet")], SCALE_UP),
    Finding("hybrid", ["run", "{}"], HYBRID),
    Finding("rates in whole bits", ["run", "{}"], ROUNDED_UP),
    Finding("bursts", ["run", "tests/scenarios/transport/uec_permutation.toml"]),
    Finding("wide bursts", ["run", "transports/permutation", *sets("cluster.gpus=64")]),
    Finding(
        "sent again after the end", ["run", "tests/scenarios/packet/sent_again_after_the_end.toml"]
    ),
    # Runs without an end.
    Finding(
        "livelock",
        ["run", "tests/scenarios/packet/livelock.toml"],
        may=(1,),
        wants="RY-RUN-035",
        stuck=True,
        seconds=30,
    ),
    # Memory.
    Finding(
        "direct over 20,000",
        [*DIRECT, *sets("cluster.gpus=20000", "engine.fidelity=flow")],
        may=(2,),
        wants="RY-RUN-034",
    ),
    Finding(
        "packets over 16,000",
        [*MANY, *sets("cluster.gpus=16000", "collective.algorithm=direct"), *PACKETS],
        may=(2,),
        wants="RY-RUN-034",
    ),
    # Files.
    Finding(
        "a link stays a link",
        ["run", "a.toml", "--flows", "l.csv"],
        files=OUTPUTS,
        links={"l.csv": "t.csv"},
        changes=("t.csv",),
    ),
    Finding(
        "over its own scenario",
        ["run", "a.toml", "--json", "./a.toml"],
        may=(2,),
        files=OUTPUTS,
    ),
    Finding(
        "over its base",
        ["run", "b.toml", "-o", "a.toml"],
        may=(2,),
        files={**OUTPUTS, "b.toml": 'extends = "a.toml"\n'},
    ),
    Finding(
        "over its traffic",
        ["run", "a.toml", "--json", "f.csv"],
        may=(2,),
        files={"a.toml": FROM_FILE, "f.csv": FLOWS},
    ),
    Finding(
        "one target twice",
        ["run", "a.toml", "-o", "./t.csv", "--json", "t.csv"],
        may=(2,),
        files=OUTPUTS,
    ),
    Finding(
        "nowhere to write",
        ["run", "a.toml", "--flows", "nowhere/x.csv"],
        may=(2,),
        files=OUTPUTS,
        wants="nowhere/x.csv",
    ),
    # Numbers that cannot be.
    Finding(
        "a short packet overtakes",
        ["run", "a.toml", "--no-advice"],
        files={"a.toml": OVERTAKEN, "f.csv": HEADER + "16,1,4,60000\n20,3,10,1500\n"},
    ),
    # Cliffs.
    Finding(
        "uneven all-to-all",
        [
            *["run", "first", *sets("cluster.gpus=128", 'collective.sizes=["1GiB"]')],
            *sets("collective.kind=all_to_all", "collective.algorithm=direct", "collective.skew=1"),
        ],
        seconds=30,
    ),
    Finding(
        "uneven all-to-all over flows",
        [
            *["run", "first", *sets("cluster.gpus=256", 'collective.sizes=["1GiB"]')],
            *sets("collective.kind=all_to_all", "collective.algorithm=direct", "collective.skew=1"),
            *sets("engine.fidelity=flow"),
        ],
        seconds=30,
    ),
    Finding(
        "direct all-reduce",
        [
            *["run", "first", *sets("cluster.gpus=512", 'collective.sizes=["1GiB"]')],
            *sets("collective.algorithm=direct", "placement.policy=in-order"),
        ],
        seconds=40,
    ),
    Finding(
        "long traffic file",
        ["run", "a.toml"],
        files={"a.toml": FROM_FILE, "f.csv": FLOWS + "0,2,3,1\n" * 100_000},
        seconds=30,
    ),
    Finding(
        "rounds of an all-to-all",
        ["check", "a.toml", *sets("cluster.gpus=4096", "traffic.rounds=3")],
        may=(2,),
        files={"a.toml": SMALL_RUN.replace('"ring"', '"all-to-all"')},
        wants="RY-RUN-034",
        seconds=5,
    ),
    Finding("thousands of pods", ["check", "{}"], PODS, may=(0, 2), seconds=40),
    # Words and options.
    Finding("no explanation", ["compare", "first", "--explain", "nope"], may=(2,)),
    Finding("large seed", ["run", "first", "--seed", "9223372036854775808"], may=(2,)),
    Finding("unknown option", ["--frob"], may=(2,), wants="--frob"),
]
