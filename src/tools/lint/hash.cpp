// Rules on how next hops are chosen.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

bool hashes_statically(const Device& device) {
  return device.kind == DeviceKind::network_switch && !device.hash.fields.empty() && !device.hash.dynamic;
}

/// Proposes the same hash with one more field.
void propose_field(const Device& device, const char* field, LintFinding& found) {
  HashConfig better = device.hash;
  better.fields.emplace_back(field);
  found.repairs.push_back({{}, SetHash{better}});
}

void hash_without_entropy(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    if (!hashes_statically(device) || device.hash.has("src-port") || device.hash.has("qpn")) continue;
    propose_field(device, "src-port",
                  sink.add(device, device.hash.where,
                           fmt::format("next hops are hashed by {} alone: all RDMA between two addresses takes one path",
                                       some_of(device.hash.fields, 8))));
  }
}

void hash_without_queue_pair(const LintView& view, LintSink& sink) {
  const Device* splits = nullptr;
  for (const Device& device : view.estate.devices)
    if (!splits && number_of(device, "NCCL_IB_QPS_PER_CONNECTION").value_or(1) > 1) splits = &device;
  if (!splits) return;
  for (const Device& device : view.estate.devices) {
    if (!hashes_statically(device) || device.hash.has("qpn") || device.hash.has("src-port")) continue;
    LintFinding& found = sink.add(device, device.hash.where,
                                  fmt::format("{} queue pairs per connection are asked for, and the hash has neither the queue "
                                              "pair nor the UDP source port",
                                              *number_of(*splits, "NCCL_IB_QPS_PER_CONNECTION")));
    found.detail = fmt::format("NCCL_IB_QPS_PER_CONNECTION is set in {}.", splits->name);
    propose_field(device, "qpn", found);
  }
}

/// What decides which next hop a flow gets: fields, function, seed.
std::string hash_text(const HashConfig& hash) {
  std::set<std::string> fields(hash.fields.begin(), hash.fields.end());
  return fmt::format("{} {} {}", fmt::join(fields, ","), hash.function, *hash.seed);
}

void polarised(const LintView& view, LintSink& sink) {
  std::map<Role, std::map<std::string, const Device*>> tiers;  // who first has a hash
  for (const Device& device : view.estate.devices)
    if (hashes_statically(device) && device.hash.seed) tiers[view.role_of(device)].try_emplace(hash_text(device.hash), &device);
  for (const Device& device : view.estate.devices) {
    const Role role = view.role_of(device);
    if (!hashes_statically(device) || !device.hash.seed || (role != Role::spine && role != Role::core)) continue;
    const auto below = tiers.find(role == Role::spine ? Role::leaf : Role::spine);
    if (below == tiers.end()) continue;
    const auto same = below->second.find(hash_text(device.hash));
    if (same == below->second.end()) continue;
    LintFinding& found =
        sink.add(device, device.hash.where,
                 fmt::format("hash seed {} is that of the tier below, with the same fields", *device.hash.seed));
    found.detail = fmt::format("{} has it too.", same->second->name);
    HashConfig better = device.hash;
    better.seed = *device.hash.seed + (role == Role::spine ? 25 : 40);
    found.repairs.push_back({{}, SetHash{better}});
  }
}

constexpr LintRule kHashRules[] = {
    {"RY-LNT-160", Severity::error, 68, "A hash without the UDP source port or the queue pair",
     "RoCE v2 has one destination port. What tells flows of two hosts apart is the source port that NICs derive from the queue "
     "pair.",
     "IBTA Annex A17 (UDP source port as entropy); SAI, RDMA_BTH_DEST_QP",
     "Add the UDP source port, or the destination queue pair.", hash_without_entropy},
    {"RY-LNT-161", Severity::warning, 45, "Queue pairs asked for as entropy that the hash does not see",
     "More queue pairs are more flows only where the hash tells them apart.",
     "NCCL, NCCL_IB_QPS_PER_CONNECTION; SAI, RDMA_BTH_DEST_QP", "Add the queue pair or the UDP source port to the hash.",
     hash_without_queue_pair},
    {"RY-LNT-162", Severity::warning, 66, "Two tiers hash alike",
     "Spines see only flows that leaves hashed to them: with the same hash all take one uplink "
     "(polarisation).",
     "SONiC, ecmp_hash_seed by role (leaf 10, spine 25); RFC 2992", "Give each tier a seed of its own.", polarised},
};

}  // namespace

std::span<const LintRule> hash_rules() { return kHashRules; }

}  // namespace railyard
