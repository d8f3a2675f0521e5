"""Random small scenarios: every engine, transport, workload and topology. A seed names each one."""

import random

TOPOLOGIES = [
    "star",
    "leaf-spine",
    "clos3",
    "fat-tree",
    "rail-optimized",
    "rail-only",
    "multi-plane",
    "dual-tor",
    "hybrid",
    "optical",
    "two-site",
    "file",
]
CONTROLS = {
    "roce": ["dcqcn", "none", "hpcc", "timely", "swift", "dctcp"],
    "infiniband": ["none", "ibcc"],
    "tcp": ["dctcp", "cubic", "swift"],
    "uec": ["nscc", "rccc", "nscc-rccc"],
}
# Transports each engine knows.
KINDS = {
    "analytic": ["roce", "infiniband", "srd"],
    "flow": [*CONTROLS, "srd"],
    "packet": list(CONTROLS),
}
DCQCN = [
    "nvidia-default",
    "paper",
    "paper-scaled",
    "hpcc",
    "hpcc-paper",
    "conweave",
    "simai",
    "amd-pollara",
]
SOFTWARE = [
    "megatron-2021",
    "megatron-core-2024",
    "megatron-bridge-26.06",
    "fsdp-torch-1.13",
    "fsdp-eager",
    "torchtitan",
]
RATES = ["10 Gb/s", "100 Gb/s", "200 Gb/s", "400 Gb/s", "800 Gb/s"]
ETHERNET = ["Tomahawk-5", "Tomahawk-3", "Spectrum-4"]
SWITCHES = {
    "roce": ETHERNET,
    "tcp": ETHERNET,
    "infiniband": ["Quantum-2"],
    "uec": ["Tomahawk-Ultra"],
}
NICS = {
    "roce": ["ConnectX-6", "ConnectX-7", "ConnectX-8", "BlueField-3", "Pollara-400"],
    "tcp": ["ConnectX-6", "ConnectX-7", "BlueField-3"],
    "infiniband": ["ConnectX-6", "ConnectX-7", "ConnectX-8"],
    "uec": ["Pollara-400"],
    "srd": ["EFA-p4d", "EFA-p5", "EFA-p5en"],
}


def text_of(value):
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(text_of(one) for one in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {text_of(one)}" for key, one in value.items()) + " }"
    return str(value)


class Scenario:
    """Keys by their path, and the files beside the scenario."""

    def __init__(self):
        self.keys = {}
        self.files = {}

    def __setitem__(self, path, value):
        self.keys[path] = value

    def get(self, path, default=None):
        return self.keys.get(path, default)

    def toml(self):
        return "".join(line + "\n" for line, _ in self.lines())

    def drop_line(self, number):
        """Takes away the key of that line of the file, from 1; says whether there was one."""
        lines = self.lines()
        path = lines[number - 1][1] if 0 < number <= len(lines) else None
        return self.keys.pop(path, None) is not None

    def lines(self):
        """Lines of the file, each with the key it has."""
        tables = {}
        for path, value in self.keys.items():
            table, _, key = path.rpartition(".")
            tables.setdefault(table, []).append((key, value))
        lines = []
        for table in sorted(tables):
            if table:
                lines.append((f"[{table}]", None))
            for key, value in tables[table]:
                name = key if key.replace("_", "").isalnum() else text_of(key)
                path = f"{table}.{key}" if table else key
                lines.append((f"{name} = {text_of(value)}", path))
        return lines


class Maker:
    """Draws one scenario. What goes together is drawn together, so that most of them run."""

    def __init__(self, seed):
        self.rng = random.Random(f"scenario {seed}")
        self.scenario = Scenario()
        self.fidelity = self.one_of(["analytic", "flow", "packet", "packet"])
        self.workload = self.one_of(["traffic", "traffic", "collective", "collective", "step"])
        self.kind = self.one_of(KINDS[self.fidelity])

    def one_of(self, choices):
        return self.rng.choice(choices)

    def maybe(self, share, path, *choices):
        if self.rng.random() < share:
            self.scenario[path] = self.one_of(choices)

    def make(self):
        self.scenario["name"] = "drawn"
        self.cluster()
        self.fabric()
        self.transport()
        self.routing()
        getattr(self, self.workload)()
        self.scenario["engine.fidelity"] = self.fidelity
        self.maybe(0.3, "engine.seed", 2, 3, 12345)
        if self.fidelity == "flow":
            self.flows()
        if self.fidelity == "packet" and self.topology != "file" and self.workload != "step":
            self.packet_failures()
        return self.scenario

    def cluster(self):
        named = self.workload == "step" or (
            self.workload == "collective" and self.rng.random() < 0.4
        )
        if self.workload == "step":
            self.gpus = self.one_of([8, 16, 32, 64])
        else:
            self.gpus = self.one_of([2, 3, 4, 6, 8, 12, 16, 24, 32])
        self.scenario["cluster.gpus"] = self.gpus
        self.per_node = 1
        if named:
            self.scenario["cluster.gpu"] = self.one_of(["H100-SXM-80", "A100-SXM-80", "MI300X"])
            self.per_node = self.one_of([n for n in (1, 2, 4, 8) if self.gpus % n == 0])
            self.scenario["cluster.gpus_per_node"] = self.per_node
        elif self.rng.random() < 0.4:
            self.per_node = self.one_of([n for n in (1, 2, 4, 8) if self.gpus % n == 0])
            self.scenario["cluster.gpus_per_node"] = self.per_node
            if self.rng.random() < 0.7:
                self.scenario["cluster.scale_up_domain"] = self.per_node
                self.scenario["cluster.scale_up_rate"] = self.one_of(["1600 Gb/s", "3600 Gb/s"])
                self.maybe(0.5, "cluster.scale_up_latency", "500 ns", "2 us")
                self.maybe(0.4, "cluster.scale_up", "switched", "mesh")
        self.maybe(0.6 if named else 0.3, "cluster.nic", *NICS[self.kind])
        if self.per_node > 1:
            self.maybe(0.15, "cluster.nics_per_node", 1, self.per_node, self.per_node // 2)

    def fabric(self):
        s = self.scenario
        topology = self.one_of(TOPOLOGIES)
        self.topology = topology
        s["fabric.topology"] = topology
        if topology == "file":
            self.drawing()
            return
        if self.rng.random() < 0.3 and self.kind in SWITCHES:
            s["fabric.switch"] = self.one_of(SWITCHES[self.kind])
        elif self.rng.random() < 0.5:
            s["fabric.radix"] = self.one_of([8, 12, 16, 32, 64])
        if topology != "star":
            self.maybe(0.6, "fabric.hosts_per_leaf", 2, 4, 8)
            self.maybe(0.3, "fabric.oversubscription", 1, 2, 4, 1.5, [1, 2])
            self.maybe(0.3, "fabric.spines", 1, 2, 3, 4)
            if not s.get("fabric.oversubscription"):
                self.maybe(0.2, "fabric.uplinks", 1, 2, 3, 4)
            self.maybe(0.15, "fabric.uplink_rate", *RATES)
        if topology in ("clos3", "optical", "rail-optimized", "multi-plane", "dual-tor"):
            self.maybe(0.4, "fabric.hosts_per_pod", 4, 8, 16)
        if topology in ("clos3", "fat-tree", "optical"):
            self.maybe(0.1, "fabric.core_rate", *RATES)
        if topology in ("multi-plane", "dual-tor"):
            self.maybe(0.5, "fabric.planes", 2, 4)
        if topology in ("leaf-spine", "clos3"):
            self.maybe(0.15, "fabric.rails", True, 2, 3, 4)
        if topology == "optical":
            self.maybe(0.5, "fabric.circuits", "uniform", "ring", "demand", "phases")
        if topology == "two-site":
            s["fabric.haul.links"] = self.one_of([2, 4, 8, 12])
            s["fabric.haul.length"] = self.one_of(["100 m", "10 km", "80 km"])
            self.maybe(0.3, "fabric.haul.rate", *RATES)
        if topology == "hybrid":
            self.maybe(0.5, "fabric.island.gpus", max(1, self.gpus // 2), max(1, self.gpus // 4))
            self.maybe(0.4, "fabric.island.gateways", 1, 2)
            self.maybe(0.4, "fabric.island.link_rate", *RATES)
            self.maybe(0.4, "fabric.island.boundary_rate", *RATES)
            self.maybe(0.4, "fabric.island.boundary_latency", "1 us")
            self.maybe(0.3, "fabric.island.transport", "infiniband")
        self.physics()

    def physics(self):
        s = self.scenario
        if not s.get("cluster.nic"):
            s["fabric.link_rate"] = self.one_of(RATES)
        self.maybe(0.8, "fabric.link_delay", "100 ns", "500 ns", "2 us", ["50 ns", "1 us"])
        self.maybe(
            1 if not s.get("fabric.switch") else 0.3, "fabric.switch_latency", "300 ns", "1 us"
        )
        self.maybe(1 if not s.get("cluster.nic") else 0.3, "fabric.host_latency", "500 ns", "1 us")
        self.maybe(0.3, "fabric.switching", "store-and-forward", "scheduled")
        if self.fidelity == "packet":
            self.maybe(0.5, "fabric.buffer", "256 KiB", "1 MB", "4 MB", "16 MB")
        self.maybe(0.1, "fabric.gpus", self.gpus * 2)

    def drawing(self):
        """A tree of switches with a few links more, and hosts on any of them."""
        switches = self.rng.randint(1, 6)
        lines = ["gpu " + " ".join(f"h{i}" for i in range(self.gpus))]
        lines.append("switch " + " ".join(f"s{i}" for i in range(switches)))

        def link(a, b):
            rate = self.one_of(["100Gb/s", "200Gb/s", "400Gb/s"])
            delay = self.one_of(["100ns", "500ns", "2us"])
            lines.append(f"link {a} {b} {rate} {delay}" + self.one_of(["", "", " 2"]))

        for i in range(1, switches):
            link(f"s{self.rng.randrange(i)}", f"s{i}")
        for _ in range(self.rng.randint(0, switches)):
            a, b = self.rng.randrange(switches), self.rng.randrange(switches)
            if a != b:
                link(f"s{a}", f"s{b}")
        for i in range(self.gpus):
            link(f"h{i}", f"s{self.rng.randrange(switches)}")
        self.scenario.files["drawing.txt"] = "\n".join(lines) + "\n"
        self.scenario["fabric.file"] = "drawing.txt"
        self.maybe(0.8, "fabric.host_latency", "1 us")
        self.maybe(0.5, "fabric.switch_latency", "500 ns")

    def transport(self):
        s = self.scenario
        s["transport.kind"] = self.kind
        self.maybe(0.4, "transport.mtu", 256, 1024, 2048, 4096)
        if self.kind == "tcp":
            self.maybe(0.5, "transport.mtu", 1460, 8192)
        self.maybe(0.3, "transport.qps_per_connection", 2, 3, 8)
        self.maybe(0.2, "transport.qp_use", "split", "round-robin")
        self.maybe(0.1, "transport.header", 0, 50, 90)
        if self.fidelity != "packet":
            return
        self.maybe(0.5, "transport.control", *CONTROLS[self.kind])
        self.maybe(0.6, "transport.retransmit_timeout", "100 us", "500 us", "2 ms")
        self.maybe(0.2, "transport.ack_every", 1, 4, 16)
        self.maybe(0.2, "transport.loss_recovery", "go-back-n", "selective-repeat")
        self.maybe(0.2, "transport.window", "16 KiB", "64 KiB", "1 MiB")
        self.maybe(0.1, "transport.retries", 3, 7)
        self.maybe(0.2, "transport.queue_limit", "20 kB", "100 kB")
        self.maybe(0.1, "transport.trimming", True, False)
        self.maybe(0.1, "transport.admission", 1, 2)
        self.maybe(0.1, "transport.host_rate", "50 Gb/s", "250 Gb/s")
        self.maybe(0.15, "transport.flow_rate", "20 Gb/s", "100 Gb/s")
        if self.kind == "infiniband":
            self.maybe(0.4, "transport.credits", "8 KiB", "64 KiB", "256 KiB")
        else:
            self.pauses()
            if self.rng.random() < 0.3:
                self.qos("qos")
                for tier in ("nic", "leaf", "spine", "core"):
                    if self.rng.random() < 0.2:
                        self.qos(f"qos.{tier}")
                self.marks()

    def qos(self, table):
        """What devices are configured to do, now and then nonsense that a switch would accept."""
        self.maybe(0.15, f"{table}.trust", "dscp", "pcp", "both", "port")
        self.maybe(0.15, f"{table}.dscp_to_tc", {'"26"': 4}, {'"26"': 0, '"48"': 0}, {'"48"': 3})
        self.maybe(0.1, f"{table}.tc_to_queue", {'"3"': 6}, {'"3"': 0, '"6"': 0}, {'"0"': 3})
        self.maybe(0.1, f"{table}.tc_to_pg", {'"3"': 0}, {'"6"': 3}, {'"0"': 3})
        self.maybe(0.1, f"{table}.pg_to_pfc", {'"3"': 4}, {'"0"': 3, '"6"': 3})
        self.maybe(0.1, f"{table}.pfc_to_queue", {'"3"': 0}, {'"4"': 3})
        self.maybe(0.3, f"{table}.lossless", [], [3], [3, 4], [0, 3, 6], [5])
        self.maybe(0.1, f"{table}.strict", [], [3], [0, 3, 6])
        self.maybe(0.1, f"{table}.weights", {'"0"': 1, '"3"': 90}, {'"3"': 1000})
        on = {"kmin": "5 kB", "kmax": "40 kB", "pmax": 0.5}
        share = {"kmin": "5 %", "kmax": "20 us"}
        self.maybe(0.2, f"{table}.ecn", "off", {'"3"': on}, {"all": share}, {'"0"': "off"})
        self.maybe(0.15, f"{table}.alpha", 0.03, 0.5, 4)
        self.maybe(0.1, f"{table}.headroom", "0 B", "10 kB")
        self.maybe(0.1, f"{table}.reserve", "0 B", "5 kB")
        self.maybe(0.1, f"{table}.xon_offset", "1 KiB", "9 KiB")

    def marks(self):
        self.maybe(0.2, "qos.marks.cnp", 0, 26, 63)
        self.maybe(0.1, "qos.marks.data", 0, 24, 40)
        if self.rng.random() < 0.3:
            host = self.rng.randrange(self.gpus)
            self.scenario[f'qos.devices."host {host}".data_mark'] = self.one_of([0, 8, 48])

    def pauses(self):
        self.maybe(0.25, "transport.pfc.enabled", True, False)
        self.maybe(0.25, "transport.pfc.xoff", "1 KiB", "3 KiB", "10 KiB", "100 KiB")
        if self.scenario.get("transport.pfc.xoff"):
            self.maybe(0.5, "transport.pfc.xon", "0 B", "1 KiB", "8 KiB")
        if self.scenario.get("transport.pfc.xon") is None:
            self.maybe(0.1, "transport.pfc.xon_offset", "1 KiB", "9 KiB")
        self.maybe(0.1, "transport.pfc.alpha", 0.03, 0.5, 4)
        self.maybe(0.3, "transport.ecn.kmin", "5 kB", "20 kB")
        if "transport.ecn.kmin" in self.scenario.keys:
            self.scenario["transport.ecn.kmax"] = self.one_of(["20 kB", "80 kB", "400 kB"])
        if self.kind == "roce" and self.scenario.get("transport.control", "dcqcn") == "dcqcn":
            self.maybe(0.3, "transport.dcqcn.preset", *DCQCN)
            self.maybe(0.2, "transport.dcqcn.pacing", "token-bucket", "at-send")
        if self.rng.random() < 0.08:
            self.scenario["transport.pfc.watchdog"] = True
            self.scenario["transport.pfc.watchdog_poll"] = "20 us"
            self.scenario["transport.pfc.watchdog_detection"] = "100 us"
            self.scenario["transport.pfc.watchdog_restoration"] = "100 us"
            self.maybe(0.5, "transport.pfc.watchdog_action", "drop", "forward")

    def routing(self):
        policies = ["ecmp", "e-ecmp", "pinned", "flowlet", "adaptive", "spray"]
        self.maybe(0.7, "routing.policy", *policies)
        self.maybe(0.2, "routing.hash", "crc16-ccitt", "crc32", "xor", "murmur3")
        self.maybe(0.2, "routing.hash_fields", "five-tuple", "qpn")
        self.maybe(0.1, "routing.paths", 1, 2, 4)
        self.maybe(0.4, "placement.policy", "in-order", "round-robin", "random", "along-rails")

    def traffic(self):
        s = self.scenario
        patterns = ["incast", "permutation", "all-to-all", "ring", "uniform", "microburst", "file"]
        pattern = self.one_of(patterns)
        s["traffic.pattern"] = pattern
        size = self.one_of(["1 B", "1 kB", "20 kB", "100 kB", "300 kB"])
        if pattern == "file":
            lines = ["start_us,source,destination,bytes"]
            for _ in range(self.rng.randint(1, 12)):
                a, b = self.rng.sample(range(self.gpus), 2)
                length = self.one_of([1, 1500, 60000, 250000])
                lines.append(f"{self.rng.randint(0, 50)},{a},{b},{length}")
            s.files["flows.csv"] = "\n".join(lines) + "\n"
            s["traffic.file"] = "flows.csv"
        elif pattern == "microburst":
            s["traffic.burst"] = size
            s["traffic.bursts"] = self.rng.randint(1, 4)
            s["traffic.interval"] = "20 us"
        else:
            s["traffic.size"] = size
            self.maybe(0.3, "traffic.rounds", 2, 3)
            self.maybe(0.3, "traffic.interval", "5 us", "100 us")
        if pattern in ("incast", "microburst"):
            s["traffic.fan_in"] = self.rng.randint(1, max(1, self.gpus - 1))
        if pattern == "uniform":
            self.maybe(0.5, "traffic.flows_per_host", 2, 4)
        self.maybe(0.15, "traffic.start", "10 us")
        self.maybe(0.2, "traffic.background", 0.05, 0.3)
        if self.gpus > 4 and self.rng.random() < 0.15:
            s["traffic.storage.servers"] = self.rng.randint(1, 2)
            s["traffic.storage.size"] = "64 KiB"
            self.maybe(0.5, "traffic.storage.access", "read", "write")
            s["traffic.storage.checkpoint"] = "200 kB"
        if self.fidelity == "packet" and self.rng.random() < 0.1:
            s["traffic.slow_hosts"] = [self.rng.randrange(self.gpus)]
            s["traffic.slow_rate"] = self.one_of(["5 Gb/s", "50 Gb/s", "0 b/s"])

    def collective(self):
        kinds = ["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce"]
        self.scenario["collective.kind"] = self.one_of(kinds + ["send"])
        sizes = [1, 1000, 60000, "256 KiB"]
        if self.fidelity != "packet":
            sizes += ["16 MiB", "1 GiB"]
        self.scenario["collective.sizes"] = self.rng.sample(sizes, self.rng.randint(1, 2))
        algorithms = "ring tree halving-doubling direct hierarchical pxn nvls in-network".split()
        self.maybe(0.6, "collective.algorithm", *algorithms)
        self.maybe(0.2, "collective.group", max(2, self.gpus // 2), self.gpus)
        if self.scenario.get("cluster.gpu"):
            own = "rccl" if self.scenario.get("cluster.gpu") == "MI300X" else "nccl"
            self.maybe(0.4, "collective.library", "none", own)
            self.maybe(0.2, "collective.protocol", "LL", "LL128", "Simple")
        if self.scenario.get("collective.kind") == "all_to_all":
            self.maybe(0.3, "collective.skew", 0.5, 1.2)

    def step(self):
        s = self.scenario
        for key, value in dict(heads=16, ffn=4096, vocabulary=8192, sequence=1024).items():
            s[f"model.{key}"] = value
        s["model.layers"] = self.one_of([4, 8])
        s["model.hidden"] = self.one_of([1024, 2048])
        left = self.gpus
        for degree in ("tensor", "pipeline", "context"):
            value = self.one_of([n for n in (1, 1, 2, 4) if left % n == 0])
            left //= value
            s[f"parallel.{degree}"] = value
        if self.rng.random() < 0.3:
            s["model.experts"] = 8
            s["model.experts_per_token"] = 2
            s["model.expert_ffn"] = 1024
            s["parallel.expert"] = self.one_of([n for n in (1, 2, 4, 8) if left % n == 0])
            self.maybe(0.3, "parallel.expert_dispatch", "all-to-all", "deduplicated")
            self.maybe(0.3, "training.routing_skew", 0.5)
            self.maybe(0.3, "model.shared_experts", 1)
            self.maybe(0.3, "parallel.expert_overlap", True)
            self.maybe(0.2, "parallel.shared_expert_overlap", True)
            self.maybe(0.3, "training.cuda_graphs", "none", "partial", "full")
            self.maybe(0.3, "training.expert_products", "grouped", "separate")
        s["training.global_batch"] = left * self.one_of([1, 2, 4, 8])
        self.maybe(0.5, "parallel.zero", 1, 2, 3)
        self.maybe(0.3, "parallel.schedule", "gpipe", "1f1b", "zero-bubble")
        if s.get("parallel.pipeline") % 2 == 0:
            self.maybe(0.2, "parallel.schedule", "dualpipe")
        self.maybe(0.2, "parallel.order", "tp-cp-pp-dp")
        self.maybe(0.3, "parallel.bucket", "1 MB", "20 MB")
        self.maybe(0.3, "training.recompute", "selective", "full")
        self.maybe(0.3, "training.precision", "fp8", "bf16")
        self.software()
        if self.fidelity == "packet":
            s["slice.length"] = self.one_of(["2 us", "10 us", "30 us"])
            self.maybe(0.4, "slice.collective", "gradients", "boundary", "parameters")
            self.maybe(0.2, "slice.ranks", [0], [0, 1])
        elif self.rng.random() < 0.2:
            s["jitter.delay"] = "10 us"
            self.maybe(0.5, "jitter.collective", "gradients", "boundary", "tensor")
            self.maybe(0.5, "jitter.which", "first", "last")

    def software(self):
        """What kernels and machines a step has."""
        self.maybe(0.2, "training.software", *SOFTWARE)
        self.maybe(0.2, "training.attention", "fused", "portable", "unfused", "triton")
        self.maybe(0.2, "training.loss", "fused", "softmax", "separate")
        self.maybe(0.1, "training.fused_activation", False)
        self.maybe(0.1, "training.recompute_early_stop", True)
        self.maybe(0.1, "training.fused_rotary", False)
        self.maybe(0.1, "model.scaled_rotary", True)
        self.maybe(0.1, "training.fused_layers", False)
        self.maybe(0.1, "model.biases", True)
        self.maybe(0.1, "model.rotary", False)
        self.maybe(0.2, "training.gpu_spread", 0, 0.05)
        self.maybe(0.1, "cluster.gpu_power", "300 W", "600 W")
        if self.rng.random() < 0.1:
            self.scenario["model.sliding_window"] = self.one_of([128, 1024])
            self.maybe(0.5, "model.full_attention_every", 2, 4)

    def flows(self):
        self.maybe(0.3, "engine.mode", "exact", "quantised")
        self.maybe(0.2, "engine.efficiency", 0.8, 0.95)
        self.maybe(0.1, "engine.calibrated", True, False)
        self.maybe(0.1, "engine.cache", False)
        if self.topology == "file" or self.rng.random() > 0.2:
            return
        what = self.one_of(
            ["gpu 0", "gpu 1 port 0", "leaf 0 uplink 0", "leaf 1 uplink 0", "spine 0"]
        )
        how = self.one_of(
            [
                "down",
                {"rate": "5 Gb/s"},
                {"rate": "5 Gb/s", "from": "5 us", "until": "40 us"},
                {"from": "10 us", "until": "1 ms"},
                {"from": "100 us"},
            ]
        )
        self.scenario[f"failures.{what}"] = how

    def packet_failures(self):
        """Last of all, so that what was drawn before stays what it was."""
        if self.rng.random() > 0.25:
            return
        for what in self.rng.sample(
            ["gpu 0", "gpu 1 port 0", "leaf 0 uplink 0", "leaf 1 uplink 0", "spine 0", "leaf 0"], 2
        ):
            state = self.one_of(
                [
                    {"rate": "5 Gb/s", "from": "5 us", "until": "40 us"},
                    {"from": "10 us", "until": "50 us"},
                    {"from": "3 us", "until": "5 us", "every": "9 us", "times": 20},
                    {"from": "30 us"},
                    {"loss": 0.01},
                    {"ber": 1e-7, "direction": "out"},
                    {"from": "20 us", "until": "80 us", "direction": "in"},
                ]
            )
            self.scenario[f"failures.{what}"] = state
        self.maybe(0.7, "routing.local_repair", "0 us", "2 us", "20 us")
        self.scenario["routing.convergence"] = self.one_of(["20 us", "100 us"])
        self.scenario["transport.retransmit_timeout"] = self.one_of(["200 us", "1 ms"])


def draw(seed):
    """The scenario that a seed names."""
    return Maker(seed).make()


def draw_starved(seed):
    """Many senders to one host through next to no queue, with every control and way to recover."""
    maker = Maker(f"starved {seed}")
    rng, s = maker.rng, maker.scenario
    kind = rng.choice(list(CONTROLS))
    gpus = rng.choice([4, 8, 16])
    for key, value in {
        "name": "starved",
        "cluster.gpus": gpus,
        "traffic.pattern": "incast",
        "traffic.fan_in": rng.randint(2, gpus - 1),
        "traffic.size": rng.choice(["20 kB", "100 kB", "300 kB"]),
        "fabric.topology": "star",
        "fabric.link_rate": rng.choice(RATES),
        "fabric.link_delay": rng.choice(["100 ns", "2 us"]),
        "fabric.switch_latency": "300 ns",
        "fabric.host_latency": "500 ns",
        "engine.fidelity": "packet",
        "transport.kind": kind,
        "transport.control": rng.choice(CONTROLS[kind]),
        "transport.mtu": rng.choice([256, 1024, 4096]),
        "transport.queue_limit": rng.choice(["1 kB", "5 kB", "10 kB", "20 kB"]),
    }.items():
        s[key] = value
    maker.maybe(0.5, "transport.trimming", True, True, False)
    maker.maybe(0.5, "transport.retransmit_timeout", "20 us", "100 us", "1 ms")
    maker.maybe(0.3, "transport.retries", 0, 1, 7)
    maker.maybe(0.5, "transport.loss_recovery", "go-back-n", "selective-repeat")
    maker.maybe(0.3, "transport.window", "4 KiB", "64 KiB")
    maker.maybe(0.3, "fabric.buffer", "64 KiB", "256 KiB")
    if kind == "infiniband":
        maker.maybe(0.7, "transport.credits", "2 KiB", "8 KiB", "10 KiB")
        maker.maybe(0.7, "transport.credit_step", "1 B", "1 KiB", "3 KiB", "6 KiB")
    else:
        maker.maybe(0.6, "transport.pfc.enabled", True, False, False)
    return s
