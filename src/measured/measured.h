// What people measured on a cluster, as their tools print it: benchmarks, logs of the communication library, counters, steps.
//
// A value here is what a file says, in the units of the program (bytes, seconds, bytes per second) and with its place. What it
// means is not decided here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/diagnostic.h"
#include "base/units.h"

namespace railyard {

/// One row of a collective benchmark. Bandwidths in bytes per second, as nccl-tests define them; of sendrecv and the like, too.
struct CollectiveRow {
  Bytes size;                          // the whole buffer, as nccl-tests count
  bool in_place = false;               // else out of place
  double time_s = 0;                   // of one call
  double algorithm_bandwidth = 0;      // bytes per second
  double bus_bandwidth = 0;            // bytes per second
  std::optional<std::uint64_t> wrong;  // values that came out wrong; none: not checked
  std::optional<std::uint32_t> rank;   // whose call it is; none: of all ranks
  SourceSpan where;
};

/// Where a rank of a benchmark ran.
struct RankPlace {
  std::uint32_t rank = 0;
  std::string host;
  std::uint32_t device = 0;
  std::string bus, gpu;  // "0000:0f:00" and "NVIDIA H100 80GB HBM3" as printed; either may be missing
};

/// One table of nccl-tests or rccl-tests, or all calls of one collective that the NCCL Inspector saw.
struct CollectiveTest {
  std::string tool;        // "nccl-tests", "rccl-tests", "nccl-inspector"
  std::string version;     // of the tool, if it says so
  std::string library;     // version of NCCL or RCCL, "2.29.3", if it says so
  std::string collective;  // "all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv", "broadcast", …
  std::optional<std::uint32_t> ranks, nodes;  // from rank lines, from counts and sizes, or from a log beside the table
  std::vector<RankPlace> places;              // those that are listed; often some of them only
  std::vector<CollectiveRow> rows;            // in the order of the file
  std::optional<double> average_bus_bandwidth;
  std::optional<std::uint64_t> out_of_bounds;  // the last line: values that came out wrong
  bool finished = false;                       // its last line is there
  SourceSpan where;
};

/// One connection of a channel, as NCCL_DEBUG=INFO prints it.
struct LoggedConnection {
  std::uint32_t channel = 0;
  std::uint32_t from = 0, to = 0;                // ranks
  std::uint32_t from_device = 0, to_device = 0;  // in brackets: local indices of their GPUs
  std::string host;                              // that printed it
  std::string via;                               // "NET", "P2P", "SHM", "COLLNET", …
  std::string network;                           // of NET: "IB", "Socket", a plugin's name
  std::optional<std::uint32_t> nic;              // of NET: its index
  std::optional<std::uint32_t> proxy_rank;       // PXN goes through this rank
  bool gpu_direct = false, shared = false, receives = false;
};

/// An HCA that the library uses, as the line `NET/IB : Using` lists it.
struct LoggedHca {
  std::string host;
  std::uint32_t index = 0;
  std::string device;  // "mlx5_0"
  std::uint32_t port = 1;
  bool roce = false, sharp = false;
};

struct LoggedSetting {
  std::string host, name, value;  // NCCL_… "set by environment to"
  SourceSpan where;
};

/// What a line warns of, or fails with.
struct LoggedWarning {
  std::string host;
  std::string text;  // without the prefix
  std::uint32_t times = 1;
  SourceSpan where;  // of the first
};

struct LoggedAffinity {
  std::string host;
  std::uint32_t gpu = 0;
  std::string mask;  // "ffffffff,ffffffff"
};

/// `8589934592 Bytes -> Algo 1 proto 2 time 86069.96`, or the newer words of it.
struct LoggedChoice {
  std::string collective;  // if said
  Bytes size;
  std::string algorithm, protocol;  // "Ring", "Simple"
};

/// What a debug log of NCCL or RCCL says, all ranks of one file together; of RAS reports, too.
struct LibraryLog {
  bool rccl = false;
  std::string version;                                              // "2.26.5"
  std::string network;                                              // "IB", "Socket", a plugin's name; empty: not said
  std::vector<LoggedHca> hcas;                                      // each host's once
  std::vector<std::pair<std::string, std::string>> gpu_direct_off;  // host and HCA, each once
  std::optional<bool> relaxed_ordering;
  std::string bootstrap;                // interface
  std::vector<LoggedSetting> settings;  // each host's once
  std::vector<LoggedConnection> connections;
  std::vector<LoggedAffinity> affinities;
  std::vector<LoggedChoice> choices;
  std::vector<LoggedWarning> warnings;
  std::optional<std::uint32_t> ranks, nodes, local_ranks;
  std::optional<std::uint32_t> channels, collnet_channels, nvls_channels, p2p_channels;
  std::optional<bool> ring_pxn, ring_gpu_direct;  // `Connected all rings, use ring PXN 0 GDR 0`
  std::optional<double> system_bandwidth;         // `=== System : maxBw`, bytes per second
  std::vector<std::string> missing_ranks;         // RAS: who does not answer, in its words
  SourceSpan where;
};

struct PerftestRow {
  Bytes size;
  std::uint64_t iterations = 0;
  std::optional<double> peak, average;  // bytes per second; of a bidirectional test the sum
  std::optional<double> min_s, max_s, typical_s, average_s, p99_s;
  SourceSpan where;
};

/// One table of ib_write_bw, ib_read_lat and the like.
struct PerftestRun {
  std::string tool;                     // "ib_write_bw", "" if the file does not say
  std::string device, transport, link;  // "mlx5_0", "IB" or "RoCE", "InfiniBand" or "Ethernet"
  std::optional<std::uint32_t> queue_pairs, depth, gid_index;
  std::optional<Bytes> mtu;
  bool is_latency = false, bidirectional = false;
  std::optional<bool> gpu_memory;  // --use_cuda, --use_rocm; none: not said
  std::string host, peer;          // if known
  std::vector<PerftestRow> rows;
  SourceSpan where;
};

/// What a counter counts, whatever its vendor calls it. Priorities, queues and ports are beside it.
enum class CounterKind : std::uint8_t {
  other,
  tx_bytes,
  rx_bytes,
  tx_packets,
  rx_packets,
  tx_pause,
  rx_pause,  // frames sent, received: PFC of a priority, or of the whole link
  tx_pause_time,
  rx_pause_time,  // seconds
  pause_storm,    // watchdogs that fired, storms a NIC told of
  tx_drops,
  rx_drops,    // discarded for want of a buffer, or for no said reason
  ecn_marked,  // by a switch, or seen by a receiver
  cnp_sent,
  cnp_handled,
  cnp_ignored,
  out_of_sequence,
  sequence_nak,  // at the responder; at the requester
  ack_timeout,
  retry_exceeded,
  adaptive_retransmission,
  not_ready,
  out_of_buffer,  // RNR; no receive request
  corrupted,      // ICRC, FCS, symbol errors, uncorrectable FEC
  link_down,
  queue_watermark,  // bytes
};
template<>
struct ChoiceNames<CounterKind> {
  static constexpr std::string_view names[] = {"other",
                                               "tx bytes",
                                               "rx bytes",
                                               "tx packets",
                                               "rx packets",
                                               "tx pause",
                                               "rx pause",
                                               "tx pause time",
                                               "rx pause time",
                                               "pause storm",
                                               "tx drops",
                                               "rx drops",
                                               "ECN marked",
                                               "CNP sent",
                                               "CNP handled",
                                               "CNP ignored",
                                               "out of sequence",
                                               "sequence NAK",
                                               "ACK timeout",
                                               "retry exceeded",
                                               "adaptive retransmission",
                                               "receiver not ready",
                                               "out of buffer",
                                               "corrupted",
                                               "link down",
                                               "queue watermark"};
};

/// One counter of one port at one time.
struct CounterSample {
  std::string device;  // host or switch
  std::string port;    // interface or HCA; empty: the device
  std::string name;    // as the tool has it
  CounterKind kind = CounterKind::other;
  std::optional<std::uint32_t> priority;  // or queue
  double value = 0;                       // bytes, seconds or a count
  double time_s = 0;                      // of a series: since 1970; else the number of the snapshot of this port, from 0
  SourceSpan where;
};

/// One logged step of a training job.
struct LoggedStep {
  std::uint64_t number = 0;
  double seconds = 0;
  std::optional<double> tflops;             // per GPU
  std::optional<double> tokens_per_second;  // per GPU where the framework says so, see TrainingLog
  std::optional<double> loss;
  std::optional<std::uint64_t> batch;  // global, in sequences
  std::string host;
  std::optional<std::uint32_t> rank;
  SourceSpan where;
};

struct TrainingLog {
  std::string framework;  // "Megatron-LM", "NeMo", "torchtitan"
  std::optional<std::uint32_t> gpus;
  std::vector<LoggedStep> steps;
  SourceSpan where;
};

/// One communication kernel or CPU operation of a trace.
struct TracedCollective {
  std::string collective;  // as CollectiveTest has it
  std::string group;       // its name or description, if said
  std::optional<Bytes> size;
  std::optional<std::uint32_t> ranks;
  double start_s = 0, seconds = 0;
};

/// A Kineto or Chrome trace of one rank, summed up.
struct RankTrace {
  std::optional<std::uint32_t> rank, ranks;
  std::string host;
  double seconds = 0;    // from the first to the last event on the GPU
  double compute_s = 0;  // kernels that do not communicate, where they do not overlap each other
  double exposed_s = 0;  // communication while nothing computes
  std::vector<TracedCollective> collectives;
  SourceSpan where;
};

/// Lines that look like what a reader reads, and could not be read.
struct SkippedText {
  std::string what;  // "a row of nccl-tests that is cut off"
  std::uint32_t times = 1;
  SourceSpan where;  // of the first
};

/// All that was measured, from all files.
struct Measurements {
  std::vector<CollectiveTest> tests;
  std::vector<LibraryLog> logs;
  std::vector<PerftestRun> perftests;
  std::vector<CounterSample> counters;
  std::vector<TrainingLog> trainings;
  std::vector<RankTrace> traces;
  std::vector<SkippedText> skipped;
  std::vector<std::string> unknown_files;  // that no reader knows

  [[nodiscard]] bool empty() const {
    return tests.empty() && logs.empty() && perftests.empty() && counters.empty() && trainings.empty() && traces.empty();
  }
};

}  // namespace railyard
