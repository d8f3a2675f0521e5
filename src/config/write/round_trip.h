// What is read back other than it was written, for tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/read/read.h"
#include "config/write/write.h"

namespace railyard {

/// "eth0: class_of_dscp, pfc": the names of what differs, each with where it is.
class RoundTripDifferences {
 public:
  template<class T>
  void compare(const std::string& where, std::string_view what, const T& wrote, const T& read) {
    if (!(wrote == read)) found_.push_back(fmt::format("{}{}", where, what));
  }
  void add(std::string text) { found_.push_back(std::move(text)); }
  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(found_, "; ")); }

 private:
  std::vector<std::string> found_;
};

inline void compare_queues(const std::string& where, const QosPolicy& wrote, const QosPolicy& read, RoundTripDifferences& out) {
  for (std::size_t i = 0; i < kPriorities; i++) {
    const std::string queue = fmt::format("{}queues[{}].", where, i);
    const QueuePolicy &a = wrote.queues[i], &b = read.queues[i];
    out.compare(queue, "strict", a.strict, b.strict);
    out.compare(queue, "weight", a.weight, b.weight);
    out.compare(queue, "ecn", a.ecn, b.ecn);
    out.compare(queue, "buffer", std::tie(a.reserve, a.alpha, a.limit), std::tie(b.reserve, b.alpha, b.limit));
  }
}

inline void compare_policies(const std::string& where, const QosPolicy& wrote, const QosPolicy& read,
                             RoundTripDifferences& out) {
  out.compare(where, "trust", wrote.trust, read.trust);
  out.compare(where, "class_of_dscp", wrote.class_of_dscp, read.class_of_dscp);
  out.compare(where, "class_of_pcp", wrote.class_of_pcp, read.class_of_pcp);
  out.compare(where, "queue_of_class", wrote.queue_of_class, read.queue_of_class);
  out.compare(where, "group_of_class", wrote.group_of_class, read.group_of_class);
  out.compare(where, "priority_of_group", wrote.priority_of_group, read.priority_of_group);
  out.compare(where, "queue_of_priority", wrote.queue_of_priority, read.queue_of_priority);
  out.compare(where, "pfc", wrote.pfc, read.pfc);
  out.compare(where, "pfc_mode", wrote.pfc_mode, read.pfc_mode);
  out.compare(where, "link_pause", wrote.link_pause, read.link_pause);
  compare_queues(where, wrote, read, out);
  for (std::size_t i = 0; i < kPriorities; i++)
    out.compare(where, fmt::format("groups[{}]", i), wrote.groups[i], read.groups[i]);
  out.compare(where, "watchdog", wrote.watchdog, read.watchdog);
  out.compare(where, "watched", wrote.watched, read.watched);
  out.compare(where, "same_effect", true, same_effect(wrote, read));
}

/// A hash of addresses and ports has the protocol, too, whether a dialect says so or not.
inline std::vector<std::string> compared_fields(const HashConfig& hash) {
  std::vector<std::string> fields = hash.fields;
  std::erase(fields, "protocol");
  std::sort(fields.begin(), fields.end());
  return fields;
}

inline void compare_ports(const Device& wrote, const Device& read, RoundTripDifferences& out) {
  for (const PortConfig& port : wrote.ports) {
    const auto same =
        std::find_if(read.ports.begin(), read.ports.end(), [&](const PortConfig& p) { return p.name == port.name; });
    const std::string where = port.name + ": ";
    if (same == read.ports.end() || same->policy >= read.policies.size()) {
      out.add(where + (same == read.ports.end() ? "no such port" : "no policy"));
      continue;
    }
    out.compare(where, "mtu", port.mtu, same->mtu);
    out.compare(where, "enabled", port.enabled, same->enabled);
    compare_policies(where, wrote.policies[port.policy], read.policies[same->policy], out);
  }
}

inline void compare_nics(const Device& wrote, const Device& read, RoundTripDifferences& out) {
  for (const NicConfig& nic : wrote.nics) {
    const auto same = std::find_if(read.nics.begin(), read.nics.end(),
                                   [&](const NicConfig& n) { return n.netdev == nic.netdev && n.name == nic.name; });
    const std::string where = nic.name + ": ";
    if (same == read.nics.end() || same->policy >= read.policies.size()) {
      out.add(where + (same == read.nics.end() ? "no such NIC" : "no policy"));
      continue;
    }
    out.compare(where, "mtu", nic.mtu, same->mtu);
    out.compare(where, "traffic_class", nic.traffic_class, same->traffic_class);
    out.compare(where, "cma_tos", nic.cma_tos, same->cma_tos);
    out.compare(where, "cnp_dscp", nic.cnp_dscp, same->cnp_dscp);
    out.compare(where, "cnp_priority", nic.cnp_priority, same->cnp_priority);
    out.compare(where, "ecn_np", nic.ecn_np, same->ecn_np);
    out.compare(where, "ecn_rp", nic.ecn_rp, same->ecn_rp);
    out.compare(where, "dcbx_willing", nic.dcbx_willing, same->dcbx_willing);
    out.compare(where, "dcbx_firmware", nic.dcbx_firmware, same->dcbx_firmware);
    out.compare(where, "relaxed_ordering", nic.relaxed_ordering, same->relaxed_ordering);
    QosPolicy policy = wrote.policies[nic.policy];
    policy.groups = read.policies[same->policy].groups;  // a NIC sizes its buffers by itself: readers may say so or not
    compare_policies(where, policy, read.policies[same->policy], out);
  }
}

/// What reading the file of a device gives other than the device; empty where nothing differs.
inline std::string round_trip_difference(const Device& wrote) {
  const Result<ConfigFile> file = write_config(wrote);
  if (!file) return "not written: " + to_text(file.error().front());
  Estate estate;
  const Diagnostics notes = read_config({file->name, wrote.name, file->text}, estate);
  if (!notes.empty()) return to_text(notes.front());
  if (estate.devices.size() != 1) return fmt::format("{} devices\n{}", estate.devices.size(), file->text);
  const Device& read = estate.devices.front();
  RoundTripDifferences out;
  out.compare("", "name", wrote.name, read.name);
  out.compare("", "kind", wrote.kind, read.kind);
  out.compare("", "dialect", wrote.dialect, read.dialect);
  for (const Device::Unread& one : read.unread) out.add("unread: " + one.statement);
  out.compare("", "number of ports", wrote.ports.size(), read.ports.size());
  out.compare("", "number of NICs", wrote.nics.size(), read.nics.size());
  compare_ports(wrote, read, out);
  compare_nics(wrote, read, out);
  out.compare("hash.", "fields", compared_fields(wrote.hash), compared_fields(read.hash));
  out.compare("hash.", "seed", wrote.hash.seed, read.hash.seed);
  out.compare("hash.", "dynamic", wrote.hash.dynamic, read.hash.dynamic);
  out.compare("", "number of variables", wrote.environment.size(), read.environment.size());
  for (const auto& [name, setting] : wrote.environment) {
    const auto same = read.environment.find(name);
    out.compare("", name, setting.value, same == read.environment.end() ? std::string() : same->second.value);
  }
  const std::string text = out.text();
  return text.empty() ? text : text + "\n" + file->text;
}

}  // namespace railyard
