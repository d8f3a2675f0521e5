// Packets of a pattern over a leaf-spine or Clos fabric, to the end, with the packet engine.
//
// packets PATTERN HOSTS HOSTS_PER_LEAF KIBIBYTES THREADS [key=value …]: PATTERN is permutation or incast:N (groups of N senders
// and one receiver; incast1:N has one group alone). Keys: ack=N (packets per ACK), dcqcn=0|1, kmin=KILOBYTES (of ECN; kmax is
// four times that), pods=HOSTS_PER_POD (a third tier), cores=N (of it), us=N (simulate no longer), device=cpu|cuda|emulated.
// Prints one line: hosts, packet-hops, data packet-hops, seconds to build, seconds to run, processor seconds, million data
// packet-hops per second, pauses, marks, drops, MiB of memory, simulated microseconds, fingerprint.
//
// Under mpirun its processes play together, and each prints a line besides: "process", its number, processor seconds of the
// run, seconds in which it passed bytes or waited for others, MiB of memory until results are
// gathered, bytes sent, messages sent, seconds of the run.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/engine.h"
#include "engine/team.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "team.h"

namespace {

using namespace railyard;

/// Time since it was made.
class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] double processor_seconds() const { return static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t cpu_ = std::clock();
};

struct Options {
  std::string pattern;
  std::uint32_t hosts = 0, per_leaf = 0, per_pod = 0, cores = 0, fan_in = 0;
  bool alone = false;
  Bytes size;
  unsigned threads = 1;
  PacketPlan plan;
  RoutingPolicy policy = RoutingPolicy::ecmp;
  Picoseconds until = Picoseconds::max();
};

/// As a scenario's transport.kind would settle it at 400 Gb/s.
void use_transport(const std::string& kind, Options& o) {
  PacketPlan& plan = o.plan;
  if (kind == "roce") return;
  plan.pfc.enabled = plan.dcqcn.enabled = false;
  plan.classes[kDataClass].lossless = false;
  const Bytes queue = bytes_in(12_us, 400_Gbps);
  if (kind == "infiniband") {
    plan.control.kind = CongestionControl::none;
    plan.credits = {.room = 512_KiB, .step = 64_KiB};
    plan.nic.recovery = LossRecovery::selective_repeat;
    plan.nic.reorder = 1U << 20;
    o.policy = RoutingPolicy::adaptive;
  } else if (kind == "tcp") {
    plan.control.kind = CongestionControl::dctcp;
    plan.nic.ack_every = 2;
    plan.nic.reorder = 3;
    plan.ecn = {.enabled = true, .kmin = 400'000_B, .kmax = 400'000_B, .pmax = 1};
  } else if (kind == "uec") {
    plan.control.kind = CongestionControl::nscc;
    plan.nic.ack_every = 4;
    plan.nic.ack_with_data = false;
    plan.nic.reorder = 1U << 20;
    plan.nic.routes_by_entropy = plan.nic.recycles_entropies = true;
    plan.nic.entropies = 256;
    plan.buffer.queue = queue;
    plan.buffer.trim = 128_B;
    plan.ecn = {.enabled = true, .kmin = queue / 5, .kmax = queue * 4 / 5, .pmax = 1};
    o.policy = RoutingPolicy::spray;
  } else {
    fmt::print(stderr, "packets: no transport '{}'\n", kind);
    std::exit(2);
  }
}

Options parse(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr,
               "usage: packets PATTERN HOSTS HOSTS_PER_LEAF KIBIBYTES THREADS [ack=N] [dcqcn=0|1] [pods=N] [cores=N] "
               "[kind=KIND] [device=DEVICE]\n");
    std::exit(2);
  }
  Options o;
  o.pattern = argv[1];
  if (const std::size_t colon = o.pattern.find(':'); colon != std::string::npos) {
    o.fan_in = static_cast<std::uint32_t>(std::stoul(o.pattern.substr(colon + 1)));
    o.alone = o.pattern.starts_with("incast1");
  }
  o.hosts = static_cast<std::uint32_t>(std::stoul(argv[2]));
  o.per_leaf = static_cast<std::uint32_t>(std::stoul(argv[3]));
  o.size = Bytes(std::stoll(argv[4]) * 1024);
  o.threads = static_cast<unsigned>(std::stoul(argv[5]));
  o.plan.ecn.kmin = 1'600'000_B;
  o.plan.ecn.kmax = 6'400'000_B;
  for (int i = 6; i < argc; i++) {
    const std::string word = argv[i];
    if (word.starts_with("kind=")) {
      use_transport(word.substr(5), o);
      continue;
    }
    if (word.starts_with("device=")) {
      o.plan.device = word == "device=cuda"       ? EngineDevice::cuda
                      : word == "device=emulated" ? EngineDevice::emulated
                                                  : EngineDevice::cpu;
      continue;
    }
    const auto value = static_cast<std::uint32_t>(std::stoul(word.substr(word.find('=') + 1)));
    if (word.starts_with("ack=")) o.plan.nic.ack_every = value;
    if (word.starts_with("dcqcn=")) o.plan.dcqcn.enabled = value != 0;
    if (word.starts_with("kmin=")) o.plan.ecn.kmin = Bytes(value * 1000), o.plan.ecn.kmax = o.plan.ecn.kmin * 4;
    if (word.starts_with("us=")) o.until = Picoseconds(std::int64_t{value} * 1'000'000);
    if (word.starts_with("pods=")) o.per_pod = value;
    if (word.starts_with("cores=")) o.cores = value;
  }
  return o;
}

Scenario network_of(const Options& o) {
  Scenario s;
  s.name = "packets";
  s.fabric.topology = o.per_pod > 0 ? Topology::clos3 : Topology::leaf_spine;
  s.fabric.hosts_per_leaf = o.per_leaf;
  if (o.per_pod > 0) s.fabric.hosts_per_pod = o.per_pod;
  if (o.cores > 0) s.fabric.cores = o.cores;
  s.fabric.switching = Switching::store_and_forward;
  s.fabric.endpoints = o.hosts;
  s.fabric.link_rate = s.fabric.uplink_rate = s.fabric.core_rate = 400_Gbps;
  s.fabric.link_delay = 100_ns;
  s.fabric.switch_latency = 500_ns;
  s.fabric.host_latency = 1_us;
  return s;
}

/// Who sends to whom.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const Options& o) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  Rng rng(1, "permutation", 0);
  std::vector<std::uint32_t> order(o.hosts);
  for (std::uint32_t i = 0; i < o.hosts; i++) order[i] = i;
  for (std::uint32_t i = o.hosts - 1; i > 0; i--) std::swap(order[i], order[rng.below(i + 1)]);
  if (o.fan_in == 0) {
    for (std::uint32_t i = 0; i < o.hosts; i++) pairs.emplace_back(order[i], order[(i + 1) % o.hosts]);
    return pairs;
  }
  for (std::uint32_t first = 0; first + o.fan_in < o.hosts; first += o.fan_in + 1) {
    for (std::uint32_t i = 1; i <= o.fan_in; i++) pairs.emplace_back(order[first + i], order[first]);
    if (o.alone) break;
  }
  return pairs;
}

/// MiB, the most there were.
long memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const Scenario scenario = network_of(o);
  const Clock watch;
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  if (!fabric) {
    fmt::print(stderr, "{}\n", fabric.error().front().message);
    return 1;
  }
  WireFormat wire{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  PathPolicy routing;
  routing.policy = o.policy;
  Telemetry telemetry(fabric->trunk_tier.size());
  const std::unique_ptr<bench::CountingTeam> team = bench::CountingTeam::join();
  const PacketOptions options{.threads = o.threads, .all_posted = true};
  const auto engine = team ? make_team_engine(*fabric, wire, routing, o.plan, options, team->post(), telemetry)
                           : make_packet_engine(*fabric, wire, routing, o.plan, options, telemetry);
  std::vector<Message> messages;
  for (const auto& [from, to] : pairs_of(o))
    messages.push_back({MessageId(static_cast<std::uint32_t>(messages.size())),
                        engine->open(QueuePair{EndpointId(from), EndpointId(to)}), o.size});
  engine->post(messages, Picoseconds::zero());
  const double built = watch.seconds();
  const Clock run;
  std::vector<Completion> done;
  while (done.size() < messages.size()) {
    const std::size_t before = done.size();
    engine->advance(o.until, done);
    if (done.size() == before) break;
  }
  const double wall = run.seconds(), processor = run.processor_seconds();
  const Picoseconds end = engine->now();
  const double passing = team ? team->seconds : 0;
  const std::uint64_t bytes = team ? team->bytes : 0, sent = team ? team->messages : 0;
  const long before_end = memory();
  try {
    engine->finish();
  } catch (const TeamDone&) {
  }
  if (team) {
    fmt::print("process {} {:.3f} {:.3f} {} {} {} {:.3f}\n", team->rank(), processor, passing, before_end, bytes, sent, wall);
    std::fflush(stdout);
    team->leave();
    if (team->rank() > 0) return 0;
  }
  const PacketRecord& p = *telemetry.packets;
  std::uint64_t drops = 0;
  for (const std::uint64_t count : p.drops) drops += count;
  fmt::print("{} {} {} {:.3f} {:.3f} {:.3f} {:.2f} {} {} {} {} {:.1f} {}\n", o.hosts, p.hops, p.data_hops, built, wall,
             processor, static_cast<double>(p.data_hops) / wall / 1e6, p.pauses, p.marked, drops, memory(), microseconds(end),
             telemetry.fingerprint.text());
  return o.until < Picoseconds::max() || done.size() == messages.size() ? 0 : 1;
}
