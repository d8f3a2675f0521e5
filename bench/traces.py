#!/usr/bin/env python3
"""What reading traces takes: seconds of processor time and the most memory, beside the size of the file. One table.

bench/traces.py [BINARY] [--megabytes N] [--only KIND,…]    (default build/release/railyard, 200)

Writes a trace of each kind that has about so many megabytes, as the tools write them, and has `railyard check` read it (which
matches messages and collectives, and finds circles); with --play, `railyard run` plays it in closed form. `bytes a node` is the
most memory over the number of nodes: nodes are columns of packed numbers, so that it is what does not repeat that takes memory.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAR = """name = "traces"
[cluster]
gpus = {ranks}
[fabric]
topology = "star"
link_rate = "400 Gb/s"
[trace]
file = "{file}"
"""


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, content):
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def message(content):
    return varint(len(content)) + content


def chakra(file, size):
    """One rank, repeated over two: computes and all-reduces in turn, with what PyTorch's converter writes."""
    name = b"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)"
    shapes = field(1, b"[[4096, 4096], [4096, 4096]]") + field(
        3, b"['Tensor(c10::BFloat16)', 'Tensor(c10::BFloat16)']"
    )

    def attribute(key, number, value):
        return field(10, field(1, key) + field(number, value))

    attributes = (
        attribute(b"is_cpu_op", 27, 0)
        + attribute(b"comm_type", 9, 0)
        + attribute(b"comm_size", 9, 1 << 20)
    )
    file.write(message(field(1, b"0.0.4")))
    nodes = 0
    while file.tell() < size:
        kind = 7 if nodes % 2 else 4
        node = field(1, nodes) + field(2, name) + field(3, kind)
        if nodes > 0:
            node += field(5, varint(nodes - 1))
        node += field(7, 25) + field(8, shapes) + field(9, shapes) + attributes
        file.write(message(node))
        nodes += 1
    return 2, 2 * nodes


def goal(file, size):
    """Two ranks that send each other a message in turn, and compute before each."""
    file.write(b"num_ranks 2\n")
    nodes = 0
    for rank in range(2):
        file.write(b"rank %d {\n" % rank)
        first, end = nodes, size * (rank + 1) // 2
        rounds = 0
        while (file.tell() < end) if rank == 0 else rounds < made:
            i = rounds * 3
            what = (b"send", b"to") if (rounds + rank) % 2 == 0 else (b"recv", b"from")
            file.write(
                b"l%d: calc 1200\nl%d: %s 65536b %s %d tag 7\nl%d: calc 100\nl%d requires l%d\nl%d requires l%d\n"
                % (i + 1, i + 2, *what, 1 - rank, i + 3, i + 2, i + 1, i + 3, i + 2)
            )
            if rounds > 0:
                file.write(b"l%d requires l%d\n" % (i + 1, i))
            nodes += 3
            rounds += 1
        made = rounds
        file.write(b"}\n")
    return 2, nodes


def kineto(file, size):
    """Four operations of the CPU for each kernel, and a collective after ten of those."""
    file.write(b'{"schemaVersion": 1, "traceEvents": [\n')
    cpu = b'{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 17, "tid": 17, "ts": %d, "dur": 4, "args": {"External id": %d, "Record function id": 0, "Input Dims": [[4096, 4096], [4096, 4096]], "Ev Idx": %d}},\n'
    gpu = b'{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7, "ts": %d, "dur": 9, "args": {"External id": %d, "device": 0, "stream": 7, "correlation": %d%s}},\n'
    extra = b', "Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576, "Group size": 8, "dtype": "BFloat16"'
    nodes = 0
    while file.tell() < size:
        for i in range(4):
            file.write(cpu % (nodes * 10 + i, nodes, nodes))
        comm = nodes % 10 == 9
        name = (
            b"ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
            if comm
            else b"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n"
        )
        file.write(gpu % (name, nodes * 10, nodes, nodes, extra if comm else b""))
        nodes += 1
    file.write(b'{"ph": "M", "name": "end"}]}\n')
    return 8, nodes * 8


def inspector(file, size):
    """Two ranks in one log."""
    nodes = 0
    while file.tell() < size:
        for rank in range(2):
            line = {
                "header": {
                    "id": "0x7f8c496ae9f661",
                    "comm_name": "unknown",
                    "rank": rank,
                    "n_ranks": 2,
                    "nnodes": 1,
                },
                "metadata": {
                    "inspector_output_format_version": "v4.4",
                    "git_rev": "def456abc",
                    "rec_mechanism": "nccl_profiler_interface",
                    "dump_timestamp_us": 1716700000000000 + nodes,
                    "hostname": "gpu-node-01",
                    "pid": 12345 + rank,
                },
                "coll_perf": {
                    "coll": "AllReduce",
                    "coll_sn": nodes,
                    "coll_msg_size_bytes": 2097152,
                    "coll_exec_time_us": 390,
                    "coll_timing_source": "kernel_gpu",
                    "coll_algobw_gbs": 5.377313,
                    "coll_busbw_gbs": 5.377313,
                },
            }
            file.write(json.dumps(line).encode() + b"\n")
        nodes += 1
    return 2, 2 * nodes


def csv(file, size):
    """Two ranks that compute and reduce in turn."""
    file.write(b"rank,op,peer,group,bytes,us,tag\n")
    nodes = 0
    while file.tell() < size:
        file.write(
            b"0,compute,,,,12.5,\n1,compute,,,,12.5,\n0,allreduce,,,1048576,,\n1,allreduce,,,1048576,,\n"
        )
        nodes += 4
    return 2, nodes


def mpi(file, size):
    """Two ranks that send each other messages of chance after computes of chance: nothing repeats."""
    file.write(b"rank,op,peer,group,bytes,us,tag\n")
    nodes, chance = 0, random.Random(7)
    while file.tell() < size:
        for rank in range(2):
            size_of, tag = chance.randrange(1 << 20), chance.randrange(1000)
            file.write(b"%d,compute,,,,%.3f,\n" % (rank, chance.random() * 100))
            file.write(b"%d,isend,%d,,%d,,%d\n" % (rank, 1 - rank, size_of, tag))
            file.write(b"%d,recv,%d,,%d,,%d\n" % (1 - rank, rank, size_of, tag))
            nodes += 3
    return 2, nodes


KINDS = {
    "chakra": chakra,
    "goal": goal,
    "kineto": kineto,
    "inspector": inspector,
    "csv": csv,
    "mpi": mpi,
}


def measured(command):
    """Seconds of processor time and the most memory of a command, in bytes."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", default=str(ROOT / "build/release/railyard"))
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--play", action="store_true")
    asked = parser.parse_args()
    print(
        f"{'kind':12}{'file MB':>9}{'nodes':>12}{'seconds':>9}{'MB/s':>7}{'memory MB':>11}{'of file':>9}{'bytes a node':>14}"
    )
    with tempfile.TemporaryDirectory() as folder:
        base = measured([asked.binary, "check", str(ROOT / "scenarios/first.toml"), "--quiet"])[1]
        for kind in asked.only.split(","):
            trace = pathlib.Path(folder) / f"trace.{kind}"
            with open(trace, "wb") as file:
                ranks, nodes = KINDS[kind](file, asked.megabytes * 1e6)
            size = trace.stat().st_size
            scenario = pathlib.Path(folder) / "scenario.toml"
            scenario.write_text(STAR.format(ranks=ranks, file=trace))
            command = "run" if asked.play else "check"
            seconds, memory = measured([asked.binary, command, str(scenario), "--quiet"])
            own = memory - base
            print(
                f"{kind:12}{size / 1e6:9.1f}{nodes:12,}{seconds:9.2f}{size / 1e6 / seconds:7.0f}{memory / 1e6:11.1f}"
                f"{own / size:9.2f}{own / nodes:14.0f}"
            )
            trace.unlink()


if __name__ == "__main__":
    main()
