#!/usr/bin/env python3
"""What matrix products lose to communication that runs beside them, measured on one GPU.

bench/gpu_contention.py

Needs an NVIDIA GPU, PyTorch and CuPy. A kernel holds compute units for 0.4 s, as kernels of NCCL do
for as long as a collective lasts: one block a unit, with so much shared memory that no product fits
beside it. It copies, or not. Copy engines move pinned memory over PCIe both ways. Prints how much
longer products take; docs/models.md, overlap, has the table of an H200.
"""
import time

import cupy
import numpy
import torch

HOLD = r"""
extern "C" __global__ void hold(const float4* from, float4* to, long n, long ns,
                                unsigned long long* moved, int copies) {
  unsigned long long mine = 0;
  const long step = (long)gridDim.x * blockDim.x;
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long begin, now;
  asm volatile("mov.u64 %0,%globaltimer;" : "=l"(begin));
  do {
    if (copies) {
      for (int round = 0; round < 16; round++) {
        float4 kept[8];
#pragma unroll
        for (int k = 0; k < 8; k++) { kept[k] = from[i]; i += step; if (i >= n) i -= n; }
        long j = i;
#pragma unroll
        for (int k = 0; k < 8; k++) { to[j] = kept[k]; j += step; if (j >= n) j -= n; }
      }
      mine += 16 * 8 * sizeof(float4);
      if (copies > 1) __nanosleep(copies);
    } else __nanosleep(200);
    asm volatile("mov.u64 %0,%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
  atomicAdd(moved, mine);
}
"""
SHARED, HELD_NS, BYTES = 120 * 1024, 400_000_000, 1 << 30
COPIES = {"nothing copied": 0, "copies with pauses": 9000, "copies": 1}


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def product(m, n, k):
    left, right, out = random(m, k), random(k, n), random(m, n)
    return lambda: torch.matmul(left, right, out=out)


class Probe:
    def __init__(self):
        self.hold = cupy.RawKernel(HOLD, "hold")
        self.hold.max_dynamic_shared_size_bytes = SHARED
        self.source = torch.empty(BYTES, dtype=torch.uint8, device="cuda")
        self.target = torch.empty_like(self.source)
        self.moved = torch.zeros(1, dtype=torch.int64, device="cuda")
        self.streams = [torch.cuda.Stream() for _ in range(4)]
        self.pinned = [torch.empty(BYTES // 4, dtype=torch.uint8).pin_memory() for _ in range(2)]

    def occupy(self, units, copies):
        with cupy.cuda.ExternalStream(self.streams[1].cuda_stream):
            self.hold(
                (units,),
                (512,),
                (
                    self.source.data_ptr(),
                    self.target.data_ptr(),
                    numpy.int64(BYTES // 16),
                    numpy.int64(HELD_NS),
                    self.moved.data_ptr(),
                    numpy.int32(copies),
                ),
                shared_mem=SHARED,
            )
        time.sleep(0.005)

    def copy_over_pcie(self):
        size = BYTES // 4
        for _ in range(8):
            with torch.cuda.stream(self.streams[2]):
                self.source[:size].copy_(self.pinned[0], non_blocking=True)
            with torch.cuda.stream(self.streams[3]):
                self.pinned[1].copy_(self.target[:size], non_blocking=True)

    def milliseconds(self, work, repeats, beside=lambda: None):
        """Mean time of `work`, and GB/s that the holding kernel read, and wrote, meanwhile."""
        self.moved.zero_()
        torch.cuda.synchronize()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self.streams[0]):
            for _ in range(3):
                work()
        torch.cuda.synchronize()
        beside()
        with torch.cuda.stream(self.streams[0]):
            begin.record()
            for _ in range(repeats):
                work()
            end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) / repeats, self.moved.item() / HELD_NS


def main():
    probe, large = Probe(), random(1 << 29)
    added = torch.empty_like(large)
    units = torch.cuda.get_device_properties(0).multi_processor_count
    works = {f"{m} x {n} x {k}": product(m, n, k) for m, n, k in SHAPES}
    works["adding, bound by memory"] = lambda: torch.add(large, 1, out=added)
    for name, work in works.items():
        alone, _ = probe.milliseconds(work, 60)
        repeats = max(1, int(50 / alone))
        print(f"{name}: {alone:.3f} ms alone")
        for held in (16, 24, 32):
            for what, copies in COPIES.items():
                took, rate = probe.milliseconds(work, repeats, lambda: probe.occupy(held, copies))
                change = 100 * (took / alone - 1)
                print(f"  {held} of {units} units, {what}: {change:+.1f} %, {rate:.0f} GB/s")
        took, _ = probe.milliseconds(work, repeats, probe.copy_over_pcie)
        print(f"  copy engines both ways over PCIe: {100 * (took / alone - 1):+.1f} %")


SHAPES = [(8192, 8192, 8192), (8192, 6144, 12288), (4096, 4096, 14336)]

if __name__ == "__main__":
    main()
