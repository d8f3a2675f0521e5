#include "tools/diagnose/signs.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace railyard {

namespace {

constexpr const char *kServerName = "a server", *kLeafName = "a leaf", *kSpineName = "a spine";

LibraryLog healthy_log(const ClusterFacts& facts) {
  LibraryLog log;
  log.version = "2.27.3";
  log.network = "IB";
  log.relaxed_ordering = true;
  log.channels = 16;
  if (facts.has_nvls) log.nvls_channels = 16;
  log.settings.push_back({kServerName, "NCCL_IB_GID_INDEX", "3", {}});
  for (std::uint32_t nic = 0; nic < facts.nics_per_node; nic++) {
    log.hcas.push_back({.host = kServerName, .index = nic, .device = fmt::format("mlx5_{}", nic), .roce = true});
    LoggedConnection across;
    across.channel = across.from = across.from_device = across.to_device = nic, across.to = nic + 8, across.nic = nic;
    across.host = kServerName, across.via = "NET", across.network = "IB", across.gpu_direct = true;
    log.connections.push_back(across);
    LoggedConnection inside = across;
    inside.via = "P2P", inside.network.clear(), inside.gpu_direct = false;
    log.connections.push_back(inside);
  }
  return log;
}

PerftestRun perftest_of(std::uint32_t nic, double rate, std::uint32_t depth, Bytes size) {
  PerftestRun run;
  run.tool = "ib_write_bw", run.device = fmt::format("mlx5_{}", nic), run.host = kServerName;
  run.queue_pairs = 1, run.depth = depth, run.mtu = 4096_B;
  PerftestRow row;
  row.size = size, row.peak = row.average = rate;
  run.rows.push_back(row);
  return run;
}

void count(Measurements& all, std::string device, std::string port, CounterKind kind, double value,
           std::optional<std::uint32_t> priority = {}) {
  for (const double time : {0.0, 1.0})
    all.counters.push_back(
        {std::move(device), std::move(port), std::string(name_of(kind)), kind, priority, time * value, time, {}}),
        device = all.counters.back().device, port = all.counters.back().port;
}

/// Counters of NICs, and bytes of four uplinks of a leaf and of a spine.
void healthy_counters(Measurements& all) {
  for (const char* port : {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"}) {
    for (const CounterKind kind : {CounterKind::out_of_sequence, CounterKind::sequence_nak, CounterKind::corrupted,
                                   CounterKind::tx_pause, CounterKind::rx_pause, CounterKind::cnp_handled})
      count(all, kServerName, port, kind, 0);
    count(all, kServerName, port, CounterKind::tx_bytes, 1e12, 3);
    count(all, kServerName, port, CounterKind::tx_bytes, 1e9, 0);
  }
  for (const char* device : {kLeafName, kSpineName})
    for (const char* port : {"Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24"})
      count(all, device, port, CounterKind::tx_bytes, 1e12);
}

/// A host with its slots, MTU and distances, and two switches that pause, mark and hash with seeds of their own.
void healthy_estate(const ClusterFacts& facts, Estate& estate) {
  Device host;
  host.name = kServerName, host.kind = DeviceKind::host;
  for (std::uint32_t i = 0; i < facts.nics_per_node; i++) {
    NicConfig nic;
    nic.name = fmt::format("mlx5_{}", i);
    nic.acs = false, nic.relaxed_ordering = true, nic.path_mtu = 4096_B;
    nic.pcie_width = nic.pcie_width_max = 16;
    nic.pcie_speed = nic.pcie_speed_max = 32;
    host.nics.push_back(nic);
    host.distances.push_back({fmt::format("GPU{}", i), nic.name, "PIX", {}});
  }
  estate.devices.push_back(host);
  for (const auto& [name, role, seed] : {std::tuple{kLeafName, Role::leaf, 11}, {kSpineName, Role::spine, 22}}) {
    Device device;
    device.name = name, device.role = role;
    device.hash.seed = static_cast<std::uint64_t>(seed);
    QosPolicy policy;
    policy.pfc = 1 << 3;
    policy.queues[3].ecn = EcnPolicy{};
    device.policies.push_back(policy);
    estate.devices.push_back(device);
  }
}

/// What each cause leaves behind.
class Seeder {
 public:
  Seeder(CauseSigns& signs, const ClusterFacts& facts) : s_(signs), facts_(facts) {}

  void put(std::string_view cause) {
    static const std::map<std::string_view, void (Seeder::*)()> all = {{"gpu-direct-off", &Seeder::gpu_direct_off},
                                                                       {"pcie-redirect", &Seeder::redirected},
                                                                       {"pcie-width", &Seeder::narrow_slot},
                                                                       {"numa", &Seeder::far_nics},
                                                                       {"relaxed-ordering-off", &Seeder::ordered},
                                                                       {"one-port", &Seeder::half_rate},
                                                                       {"nic-subset", &Seeder::two_nics},
                                                                       {"rails-unreachable", &Seeder::unreachable},
                                                                       {"slow-nic", &Seeder::slow_nic},
                                                                       {"p2p-off", &Seeder::shared_memory},
                                                                       {"nvls-off", &Seeder::no_nvls},
                                                                       {"algorithm", &Seeder::forced},
                                                                       {"few-channels", &Seeder::few_channels},
                                                                       {"split-data", &Seeder::split},
                                                                       {"socket", &Seeder::sockets},
                                                                       {"pxn-off", &Seeder::no_pxn},
                                                                       {"loss", &Seeder::loses},
                                                                       {"wrong-class", &Seeder::wrong_class},
                                                                       {"bad-cable", &Seeder::corrupts},
                                                                       {"ecmp-collision", &Seeder::collides},
                                                                       {"hash-polarised", &Seeder::polarised},
                                                                       {"oversubscription", &Seeder::congested},
                                                                       {"cross-rail", &Seeder::crossed},
                                                                       {"mtu", &Seeder::small_packets},
                                                                       {"timid-control", &Seeder::congested},
                                                                       {"pfc-storm", &Seeder::storm},
                                                                       {"other-traffic", &Seeder::shared_ports},
                                                                       {"straggler", &Seeder::late}};
    if (const auto found = all.find(cause); found != all.end()) (this->*found->second)();
  }

 private:
  LibraryLog& log() { return s_.measured.logs.front(); }
  Device& host() { return s_.estate.devices.front(); }
  void set(std::string name, std::string value) {
    log().settings.push_back({kServerName, std::move(name), std::move(value), {}});
  }
  void count_more(const char* device, const char* port, CounterKind kind, double value) {
    std::erase_if(s_.measured.counters,
                  [&](const CounterSample& one) { return one.device == device && one.port == port && one.kind == kind; });
    count(s_.measured, device, port, kind, value);
  }
  void perftest_at(double share) {
    for (PerftestRun& run : s_.measured.perftests)
      if (*run.depth > 8)
        for (PerftestRow& row : run.rows) row.average = row.peak = *row.average * share;
  }

  void gpu_direct_off() {
    for (const LoggedHca& hca : log().hcas) log().gpu_direct_off.emplace_back(kServerName, hca.device);
    for (LoggedConnection& one : log().connections) one.gpu_direct = false;
  }
  void redirected() {
    for (NicConfig& nic : host().nics) nic.acs = true;
    for (PerftestRun& run : s_.measured.perftests)
      if (*run.depth <= 8) run.rows.front().average = run.rows.front().peak = facts_.nic_rate * 0.25;
  }
  void narrow_slot() {
    for (NicConfig& nic : host().nics) nic.pcie_width = 8;
    perftest_at(0.53);
  }
  void far_nics() {
    for (GpuNicDistance& one : host().distances) one.distance = "SYS";
  }
  void ordered() {
    log().relaxed_ordering = false;
    for (NicConfig& nic : host().nics) nic.relaxed_ordering = false;
  }
  void half_rate() { perftest_at(0.5); }
  void two_nics() {
    log().hcas.resize(2);
    set("NCCL_IB_HCA", "=mlx5_0,mlx5_1");
  }
  void unreachable() {
    log().hcas.resize(2);
    log().warnings.push_back({kServerName, "Call to ibv_create_ah failed with error Connection timed out", 3, {}});
  }
  void slow_nic() {
    PerftestRow& row = s_.measured.perftests.front().rows.front();
    row.average = row.peak = *row.average * 0.4;
  }
  void shared_memory() {
    for (LoggedConnection& one : log().connections)
      if (one.via == "P2P") one.via = "SHM";
  }
  void no_nvls() { log().nvls_channels = 0; }
  void forced() { set("NCCL_ALGO", "Ring"); }
  void few_channels() { log().channels = 2, set("NCCL_MAX_NCHANNELS", "2"); }
  void split() { set("NCCL_IB_SPLIT_DATA_ON_QPS", "1"); }
  void sockets() {
    log().network = "Socket";
    log().hcas.clear();
    for (LoggedConnection& one : log().connections)
      if (one.via == "NET") one.network = "Socket", one.gpu_direct = false;
  }
  void no_pxn() { set("NCCL_PXN_DISABLE", "1"); }
  void loses() {
    count_more(kServerName, "mlx5_0", CounterKind::out_of_sequence, 52'000);
    for (Device& device : s_.estate.devices)
      for (QosPolicy& policy : device.policies) policy.pfc = 0;
  }
  void wrong_class() {
    count_more(kServerName, "mlx5_0", CounterKind::out_of_sequence, 52'000);
    set("NCCL_IB_TC", "0");
    for (CounterSample& one : s_.measured.counters)
      if (one.priority) one.priority = 3 - *one.priority;
  }
  void shared_ports() {
    congested();
    count(s_.measured, kLeafName, "Ethernet0", CounterKind::tx_bytes, 2e12, 1);
  }
  void late() { s_.odd.push_back({"host", "one server", "does 60 % of what is expected at best", {}}); }
  void corrupts() {
    count_more(kServerName, "mlx5_2", CounterKind::corrupted, 31'000);
    count_more(kServerName, "mlx5_2", CounterKind::sequence_nak, 29'000);
  }
  void uneven(const char* device) {
    count_more(device, "Ethernet0", CounterKind::tx_bytes, 3e12);
    count_more(device, "Ethernet8", CounterKind::tx_bytes, 2e11);
  }
  void collides() {
    uneven(kLeafName);
    set("NCCL_IB_QPS_PER_CONNECTION", "1");
    congested();
  }
  void polarised() {
    uneven(kSpineName);
    for (Device& device : s_.estate.devices)
      if (device.kind == DeviceKind::network_switch) device.hash.seed = 7;
  }
  void congested() { count_more(kServerName, "mlx5_1", CounterKind::cnp_handled, 880'000); }
  void crossed() {
    for (LoggedConnection& one : log().connections)
      if (one.via == "NET") one.to_device = (one.to_device + 1) % 8;
  }
  void small_packets() {
    for (PerftestRun& run : s_.measured.perftests) run.mtu = 1024_B;
    for (NicConfig& nic : host().nics) nic.path_mtu = 1024_B;
  }
  void storm() {
    count_more(kLeafName, "Ethernet40", CounterKind::rx_pause, 4'000'000);
    count_more(kServerName, "mlx5_3", CounterKind::tx_pause, 4'000'000);
    count_more(kServerName, "mlx5_3", CounterKind::pause_storm, 2);
  }

  CauseSigns& s_;
  const ClusterFacts& facts_;
};

}  // namespace

CauseSigns signs_of(std::string_view cause, const ClusterFacts& facts) {
  CauseSigns signs;
  signs.measured.logs.push_back(healthy_log(facts));
  for (std::uint32_t nic = 0; nic < facts.nics_per_node; nic++)
    signs.measured.perftests.push_back(perftest_of(nic, facts.nic_rate * 0.97, 128, 1_MiB));
  signs.measured.perftests.push_back(perftest_of(0, facts.nic_rate * 0.75, 8, 64_KiB));
  healthy_counters(signs.measured);
  healthy_estate(facts, signs.estate);
  Seeder(signs, facts).put(cause);
  return signs;
}

}  // namespace railyard
