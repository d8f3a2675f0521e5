#!/usr/bin/env python3
"""How fast captures are read: a table of gigabytes a minute and frames a second. The bar is 1 GB a minute on one core.

bench/capture.py [BINARY]    (default build/release/railyard; ./run builds it)

Files are made here: writes of 64 queue pairs to one host with an ACK for every sixteenth packet, whole frames (4 KiB of payload)
and frames that were cut at 96 bytes, as pcapng in nanoseconds.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
PAIRS = 64
HEADER = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
INTERFACE = struct.pack("<IIHHIHHBxxxII", 1, 32, 1, 0, 0, 9, 1, 9, 0, 32)


def frame(pair, opcode, number, payload):
    """A RoCEv2 frame; its checksums are not filled in."""
    length = 8 + 12 + payload + 4
    source, destination = 0x0A000001 + pair, 0x0A0000FF
    if opcode == 0x11:
        source, destination = destination, source
    ethernet = bytes(12) + b"\x08\x00"
    ip = struct.pack(
        ">BBHHHBBHII", 0x45, 106, 20 + length, 0, 0x4000, 64, 17, 0, source, destination
    )
    udp = struct.pack(">HHHH", 50000 + pair, 4791, length, 0)
    bth = struct.pack(">BBHII", opcode, 0x40, 0xFFFF, 100 + pair, number & 0xFFFFFF)
    return ethernet + ip + udp + bth + bytes(payload + 4)


def write_capture(path, size, cut):
    """As many frames as make a file of about `size` bytes. Returns their number."""
    frames = 0
    with open(path, "wb") as out:
        out.write(HEADER + INTERFACE)
        while out.tell() < size:
            pair, number = frames % PAIRS, frames // PAIRS
            is_ack = number % 17 == 16
            whole = frame(
                pair,
                0x11 if is_ack else 0x07,
                number - number // 17 - is_ack,
                4 if is_ack else 4096,
            )
            kept = whole[:cut] if cut else whole
            room = (len(kept) + 3) & ~3
            at = frames * 84
            out.write(
                struct.pack(
                    "<7I", 6, 32 + room, 0, at >> 32, at & 0xFFFFFFFF, len(kept), len(whole)
                )
            )
            out.write(kept + bytes(room - len(kept)) + struct.pack("<I", 32 + room))
            frames += 1
    return frames


def main():
    print(
        f"{'railyard capture':24}{'GB':>7}{'frames':>12}{'seconds':>10}{'GB/min':>9}{'frames/s':>13}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, size, cut in [("whole frames", 1 << 30, 0), ("cut at 96 bytes", 1 << 28, 96)]:
            path = pathlib.Path(folder) / "bench.pcapng"
            frames = write_capture(path, size, cut)
            best = float("inf")
            for _ in range(3):
                start = time.perf_counter()
                child = subprocess.Popen([BINARY, "capture", str(path)], stdout=subprocess.DEVNULL)
                status = child.wait()
                best = min(best, time.perf_counter() - start)
                if status != 0:
                    sys.exit("railyard capture failed")
            total = path.stat().st_size / 1e9
            print(
                f"{name:24}{total:7.2f}{frames:12,}{best:10.2f}{total / best * 60:9.1f}"
                f"{frames / best:13,.0f}"
            )


if __name__ == "__main__":
    main()
