// Whatever a dialect can say, its file is read back as the same device.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numeric>

#include "config/write/limits.h"
#include "config/write/round_trip.h"
#include "config/write/testing.h"
#include "draw.h"

namespace railyard {
namespace {

bool one_in(std::uint32_t n) { return below(n) == 0; }
bool is_nic_dialect(Dialect dialect) { return dialect == Dialect::mlnx || dialect == Dialect::nicctl; }
std::uint8_t some_bits() { return static_cast<std::uint8_t>(below(256)); }
std::uint8_t some_class() { return static_cast<std::uint8_t>(below(kPriorities)); }
Bytes some_bytes(std::uint32_t most) { return Bytes(below(most)); }
Picoseconds some_milliseconds(std::uint32_t least, std::uint32_t most) {
  return Picoseconds(std::int64_t{least + below(most - least + 1)} * (kPicosecondsPerSecond / 1000));
}

template<class T>
T one_of(std::initializer_list<T> values) {
  return *(values.begin() + below(static_cast<std::uint32_t>(values.size())));
}

Trust some_trust(Dialect dialect) {
  if (is_nic_dialect(dialect)) return one_of({Trust::dscp, Trust::pcp});
  if (dialect == Dialect::eos) return one_of({Trust::dscp, Trust::pcp, Trust::port});
  if (dialect == Dialect::junos) return one_of({Trust::dscp, Trust::pcp, Trust::both});
  return one_of({Trust::dscp, Trust::pcp, Trust::both, Trust::port});
}

/// Marks to classes, classes to queues and groups, priorities to both.
void draw_maps(Dialect dialect, QosPolicy& policy) {
  policy.trust = some_trust(dialect);
  const bool is_sparse = one_in(2);
  for (std::uint8_t& c : policy.class_of_dscp) c = is_sparse && !one_in(16) ? std::uint8_t{0} : some_class();
  policy.class_of_dscp[below(kDscps)] = static_cast<std::uint8_t>(1 + below(7));
  if (!is_nic_dialect(dialect)) {
    for (std::uint8_t& c : policy.class_of_pcp) c = some_class();
    policy.class_of_pcp[below(kPriorities)] = static_cast<std::uint8_t>(1 + below(7));
  }
  const bool has_queue_map =
      dialect == Dialect::sonic || dialect == Dialect::nvue || dialect == Dialect::eos || dialect == Dialect::mlnx;
  if (has_queue_map && one_in(2))
    for (std::uint8_t& queue : policy.queue_of_class) queue = some_class();
  policy.queue_of_priority = policy.queue_of_class;
  if (dialect != Dialect::sonic) return;
  for (std::uint8_t& queue : policy.queue_of_priority) queue = some_class();
  for (std::uint8_t& group : policy.group_of_class) group = some_class();
  for (std::size_t i = kPriorities; i > 1; i--)
    std::swap(policy.priority_of_group[i - 1], policy.priority_of_group[below(static_cast<std::uint32_t>(i))]);
}

/// Junos pauses by marks: where PCPs are trusted, they must be those of their class.
bool may_pause(Dialect dialect, const QosPolicy& policy, std::uint8_t priority) {
  if (dialect != Dialect::junos || policy.trust != Trust::pcp) return true;
  return std::count(policy.class_of_pcp.begin(), policy.class_of_pcp.end(), priority) == 1 &&
         policy.class_of_pcp[priority] == priority;
}

void draw_pauses(Dialect dialect, QosPolicy& policy) {
  const std::uint8_t wanted = some_bits();
  for (std::uint8_t p = 0; p < kPriorities; p++)
    if ((wanted >> p & 1) != 0 && may_pause(dialect, policy, p)) policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << p);
  if (dialect == Dialect::nxos && one_in(3)) policy.pfc_mode = PfcMode::negotiated;
  if (dialect != Dialect::sonic && dialect != Dialect::nicctl) policy.link_pause = one_in(4);
}

EcnPolicy some_ecn(Dialect dialect) {
  EcnPolicy ecn;
  ThresholdUnit unit = ThresholdUnit::bytes;
  if (dialect == Dialect::junos) unit = ThresholdUnit::percent;
  if (dialect == Dialect::eos) unit = one_of({ThresholdUnit::bytes, ThresholdUnit::cells, ThresholdUnit::time});
  const std::uint32_t kmax = 1 + below(dialect == Dialect::junos ? 100 : 4'000'000);
  ecn.kmin = {unit, static_cast<double>(below(kmax + 1))};
  ecn.kmax = {unit, static_cast<double>(kmax)};
  ecn.pmax = below(101) / 100.0;
  ecn.marks = !one_in(4);
  return ecn;
}

/// Weights of queues that are not strict; with most tools they make 100 together.
void draw_scheduling(Dialect dialect, QosPolicy& policy) {
  const std::uint32_t first_strict = below(kPriorities + 1);
  std::vector<std::size_t> weighed;
  for (std::size_t i = 0; i < kPriorities; i++) {
    policy.queues[i].strict = dialect == Dialect::eos ? i >= first_strict : one_in(4);
    if (!policy.queues[i].strict && !one_in(3)) weighed.push_back(i);
    if (!is_nic_dialect(dialect) && one_in(3)) policy.queues[i].ecn = some_ecn(dialect);
  }
  std::uint32_t left = 100;
  for (std::size_t i = 0; i < weighed.size(); i++) {
    const bool is_last = i + 1 == weighed.size();
    const std::uint32_t share = is_last ? left : below(left + 1);
    policy.queues[weighed[i]].weight = share;
    left -= share;
  }
}

std::optional<Bytes> maybe_bytes(std::uint32_t most) { return one_in(2) ? std::optional(some_bytes(most)) : std::nullopt; }

/// Profiles of SONiC: lossless ones have headroom or xon, lossy ones neither.
void draw_buffers(QosPolicy& policy) {
  for (GroupPolicy& group : policy.groups) {
    if (one_in(2)) continue;
    group.has_buffer = one_in(2);
    if (one_in(3)) continue;
    if (group.has_buffer) group.headroom = some_bytes(1'000'000);
    if (group.has_buffer && one_in(2)) group.xon = some_bytes(50'000);
    group.xon_offset = maybe_bytes(50'000);
    group.reserve = maybe_bytes(50'000);
    if (one_in(2))
      group.alpha = std::ldexp(1.0, static_cast<int>(below(11)) - 7);
    else
      group.xoff = some_bytes(1'000'000);
  }
  for (QueuePolicy& queue : policy.queues) {
    if (!one_in(3)) continue;
    queue.reserve = maybe_bytes(50'000);
    queue.limit = maybe_bytes(1'000'000);
    if (!queue.limit) queue.alpha = std::ldexp(1.0, static_cast<int>(below(11)) - 7);
  }
}

WatchdogPolicy some_watchdog(Dialect dialect) {
  WatchdogPolicy dog;
  dog.enabled = true;
  dog.poll = some_milliseconds(100, 1000);
  dog.detection = *dog.poll * (1 + below(20));
  dog.restoration = dialect == Dialect::nxos ? *dog.poll * below(100) : some_milliseconds(1, 60'000);
  if (dialect == Dialect::sonic) dog.action = one_of({StormAction::drop, StormAction::forward, StormAction::alert});
  if (dialect == Dialect::junos) dog.action = one_of({StormAction::drop, StormAction::forward});
  if (dialect == Dialect::eos || dialect == Dialect::nxos) dog.action = one_of({StormAction::drop, StormAction::alert});
  return dog;
}

QosPolicy some_policy(Dialect dialect) {
  QosPolicy policy;
  draw_maps(dialect, policy);
  draw_pauses(dialect, policy);
  draw_scheduling(dialect, policy);
  if (dialect == Dialect::sonic) draw_buffers(policy);
  for (std::size_t i = 0; i < kPriorities && dialect != Dialect::sonic; i++) policy.groups[i].has_buffer = policy.has_pfc(i);
  if (!is_nic_dialect(dialect) && one_in(2)) policy.watchdog = some_watchdog(dialect);
  if (dialect != Dialect::sonic || one_in(2)) return policy;
  policy.watched = 0;
  for (const std::uint8_t queue : policy.queue_of_priority)
    if (one_in(2)) policy.watched = static_cast<std::uint8_t>(policy.watched | 1U << queue);
  return policy;
}

/// A second policy differs in what a port may have of its own.
QosPolicy other_policy(const QosPolicy& first, Dialect dialect) {
  QosPolicy policy = some_policy(dialect);
  if (dialect == Dialect::eos) {
    policy.class_of_dscp = first.class_of_dscp;
    policy.class_of_pcp = first.class_of_pcp;
    policy.queue_of_class = policy.queue_of_priority = first.queue_of_class;
  }
  policy.watchdog = one_in(2) ? first.watchdog : WatchdogPolicy();
  return policy;
}

HashConfig some_hash(Dialect dialect) {
  HashConfig hash;
  if (dialect == Dialect::nxos) {
    hash.fields = {"src-ip", "dst-ip"};
    if (one_in(2)) hash.fields.insert(hash.fields.end(), {"protocol", "src-port", "dst-port"});
    if (one_in(2)) hash.seed = 1 + below(1'000'000);
    return hash;
  }
  for (const char* field : {"src-ip", "dst-ip", "protocol", "src-port", "dst-port", "qpn", "in-port", "flow-label"})
    if (one_in(2)) hash.fields.emplace_back(field);
  hash.fields.emplace_back(hash.has("src-ip") ? "src-ip" : "dst-ip");
  std::sort(hash.fields.begin(), hash.fields.end());
  hash.fields.erase(std::unique(hash.fields.begin(), hash.fields.end()), hash.fields.end());
  if (one_in(2)) hash.seed = dialect == Dialect::sonic ? one_of({0, 10, 25, 40, 50}) : static_cast<int>(below(1'000'000));
  hash.dynamic = one_in(3);
  return hash;
}

Device some_switch(Dialect dialect) {
  Device device = switch_device(dialect);
  device.policies = {some_policy(dialect)};
  if (dialect != Dialect::nxos && one_in(2)) {
    device.policies.push_back(other_policy(device.policies[0], dialect));
    device.ports[1].policy = 1;
  }
  for (PortConfig& port : device.ports) {
    port.mtu = Bytes(1500 + below(7717));
    port.enabled = !one_in(4);
  }
  device.hash = some_hash(dialect);
  return device;
}

Device some_host(Dialect dialect) {
  Device device = host_device(dialect);
  device.policies = {some_policy(dialect)};
  if (dialect == Dialect::mlnx && one_in(2)) device.policies.push_back(some_policy(dialect));
  const NicConfig pattern = device.nics[0];
  device.nics.clear();
  const std::uint32_t nics = 1 + below(3);
  for (std::uint32_t i = 0; i < nics; i++) {
    NicConfig& nic = device.nics.emplace_back(pattern);
    nic.name = fmt::format("{}{}", dialect == Dialect::nicctl ? "ionic_" : "mlx5_", i);
    nic.netdev = fmt::format("eth{}", i);
    nic.policy = i % static_cast<std::uint32_t>(device.policies.size());
    nic.mtu = Bytes(1500 + below(7717));
    nic.cnp_dscp = static_cast<std::uint8_t>(below(kDscps));
    if (dialect == Dialect::nicctl) continue;
    nic.traffic_class = some_bits();
    nic.cma_tos = some_bits();
    nic.cnp_priority = some_class();
    nic.ecn_np = some_bits();
    nic.ecn_rp = some_bits();
    nic.dcbx_willing = nic.policy == 1;
    nic.dcbx_firmware = nic.policy == 1 || one_in(2);
    if (one_in(2)) nic.relaxed_ordering = true;
  }
  if (device.policies.size() == 2 && nics > 1) device.policies[1].pfc_mode = PfcMode::negotiated;
  return device;
}

void expect_round_trip(const Device& drawn) {
  std::vector<std::string> left_out;
  RC_ASSERT(round_trip_difference(sayable(drawn, left_out)) == "");
}

RC_GTEST_PROP(RoundTripProperties, sonic, ()) { expect_round_trip(some_switch(Dialect::sonic)); }
RC_GTEST_PROP(RoundTripProperties, nvue, ()) { expect_round_trip(some_switch(Dialect::nvue)); }
RC_GTEST_PROP(RoundTripProperties, eos, ()) { expect_round_trip(some_switch(Dialect::eos)); }
RC_GTEST_PROP(RoundTripProperties, nxos, ()) { expect_round_trip(some_switch(Dialect::nxos)); }
RC_GTEST_PROP(RoundTripProperties, junos, ()) { expect_round_trip(some_switch(Dialect::junos)); }
RC_GTEST_PROP(RoundTripProperties, mlnx, ()) { expect_round_trip(some_host(Dialect::mlnx)); }
RC_GTEST_PROP(RoundTripProperties, nicctl, ()) { expect_round_trip(some_host(Dialect::nicctl)); }

RC_GTEST_PROP(RoundTripProperties, environment, ()) {
  Device device = job_device();
  for (const char* name : {"NCCL_IB_TC", "NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "RCCL_MSCCL_ENABLE", "NCCL_IB_SL"})
    if (one_in(2)) device.environment[name].value = *rc::gen::nonEmpty(rc::gen::string<std::string>());
  for (auto& [name, setting] : device.environment)
    std::erase_if(setting.value, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; });
  std::erase_if(device.environment, [](const auto& one) { return one.second.value.empty(); });
  RC_PRE(!device.environment.empty());
  expect_round_trip(device);
}

}  // namespace
}  // namespace railyard
