// The programs of a GPU: windows.h on its threads. Clang compiles this to PTX, which any driver turns into the code of its
// GPU; no toolkit is needed, here or there (docs/decisions/0028-gpu-code-is-ptx.md).
//
// Everything that is included below runs on both: it is compiled for the GPU as it stands.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))

// What the standard library is made of comes first: it is not for the GPU.
#include <cstdlib>

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#pragma clang force_cuda_host_device begin
#include "engine/packet/device/windows.h"
#pragma clang force_cuda_host_device end

namespace railyard::packet::device {

extern "C" {
/// The State that the processor has loaded.
__constant__ __attribute__((aligned(16))) std::byte railyard_state[sizeof(State)];
}

namespace {

__device__ inline const State& state() { return reinterpret_cast<const State&>(railyard_state); }

__device__ inline std::uint32_t thread_index() { return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_tid_x()); }
__device__ inline std::uint32_t block_index() { return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_ctaid_x()); }
__device__ inline std::uint32_t threads_in_block() { return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_ntid_x()); }
__device__ inline std::uint32_t blocks_in_grid() { return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_nctaid_x()); }

constexpr std::uint32_t kLanes = 32;  // of a warp

struct GpuBlock {
  template<class Do>
  __device__ void each(std::uint32_t count, const Do& act) {
    for (std::uint32_t i = thread_index(); i < count; i += threads_in_block()) act(i);
    __syncthreads();
  }
  /// As each(), with few threads of every warp: what they do differs, and a warp does one thing at a time.
  template<class Do>
  __device__ void each_apart(std::uint32_t count, const Do& act) {
    for (std::uint32_t i = apart(); i < count; i += threads_in_block()) act(i);
    __syncthreads();
  }
  template<class Do>
  __device__ void once(const Do& act) {
    if (thread_index() == 0) act();
    __syncthreads();
  }
  /// A warp goes on to the next step when all of its threads have done theirs.
  template<class Make, class Begin, class End>
  __device__ void in_steps(std::uint32_t count, const Make& make, const Begin& begin, const End& end) {
    const std::uint32_t own = apart();
    for (std::uint32_t first = 0; first < count; first += threads_in_block()) {
      const std::uint32_t i = first + own;
      bool goes_on = i < count;
      auto one = make(goes_on ? i : 0);
      if (goes_on) begin(one);
      while (__nvvm_vote_any_sync(0xFFFFFFFFU, goes_on))
        if (goes_on) goes_on = one.step();
      if (i < count) end(one);
    }
    __syncthreads();
  }
  /// Whether a mark is set; then it is not any more.
  __device__ bool claim(std::uint32_t* mark) {
    const bool is_marked = load(mark) != 0;
    __syncthreads();
    if (thread_index() == 0 && is_marked) store(mark, std::uint32_t{0});
    return is_marked;
  }

 private:
  /// A thread's number if neighbours are in different warps.
  static __device__ std::uint32_t apart() {
    return thread_index() % kLanes * (threads_in_block() / kLanes) + thread_index() / kLanes;
  }
};

struct GpuGrid {
  template<class Do>
  __device__ void blocks(std::uint32_t count, const Do& act) {
    GpuBlock block;
    Scratch& scratch = state().scratch[block_index()];
    for (std::uint32_t i = block_index(); i < count; i += blocks_in_grid()) act(block, scratch, shared, i);
  }

  /// As blocks(), but a block that is done takes the next: `turn` counts those that were taken beyond the first of each block,
  /// and is zero before. REQUIRES: threads of a block meet at least once in act(), so that all have read shared.turn before it
  /// is written again.
  template<class Do>
  __device__ void in_turn(std::uint32_t count, std::uint32_t* turn, const Do& act) {
    GpuBlock block;
    Scratch& scratch = state().scratch[block_index()];
    for (std::uint32_t i = block_index(); i < count; i = shared.turn) {
      act(block, scratch, shared, i);
      if (thread_index() == 0) shared.turn = blocks_in_grid() + add(turn, 1);
      __syncthreads();
    }
  }

  /// Neighbours go to different warps: what they do differs, and a warp does one thing at a time.
  template<class Do>
  __device__ void threads(std::uint32_t count, const Do& act) {
    const std::uint32_t warps_in_block = threads_in_block() / kLanes, warps = blocks_in_grid() * warps_in_block;
    const std::uint32_t lane = thread_index() % kLanes;
    const std::uint32_t warp = thread_index() / kLanes * blocks_in_grid() + block_index();
    for (std::uint32_t i = lane * warps + warp; i < count; i += kLanes * warps) act(i);
  }

  __device__ void sync() {
    __syncthreads();
    if (thread_index() == 0) {
      Control& control = *state().control;
      fence();
      const std::uint32_t round = load(&control.barrier_round);
      if (add(&control.barrier_here, 1) + 1 == blocks_in_grid()) {
        store(&control.barrier_here, std::uint32_t{0});
        fence();
        store(&control.barrier_round, round + 1);
      } else {
        while (load(&control.barrier_round) == round) {
        }
      }
      fence();
    }
    __syncthreads();
  }

  __device__ bool is_first() const { return block_index() == 0 && thread_index() == 0; }

  BlockShared& shared;
};

template<class Do>
__device__ void on_grid(const Do& act) {
  __shared__ BlockShared shared;
  GpuGrid grid{shared};
  Windows windows(state(), grid);
  act(windows);
}

}  // namespace

extern "C" __global__ void __attribute__((launch_bounds(512, 1))) railyard_offer() {
  on_grid([](auto& windows) { windows.offer(); });
}
extern "C" __global__ void __attribute__((launch_bounds(512, 1))) railyard_windows() {
  on_grid([](auto& windows) { windows.run(); });
}
extern "C" __global__ void __attribute__((launch_bounds(512, 1))) railyard_look() {
  on_grid([](auto& windows) { windows.look(); });
}
extern "C" __global__ void __attribute__((launch_bounds(512, 1))) railyard_sample() {
  on_grid([](auto& windows) { windows.sample(); });
}

}  // namespace railyard::packet::device
