#include "tools/lint/view_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace railyard {

namespace {

/// Each DSCP once, with all who send it.
class EachOnce {
 public:
  void add(std::uint8_t dscp, SentMark::Sender sender) {
    std::optional<std::size_t>& known = at_[dscp % kDscps];
    if (!known) {
      known = marks.size();
      const std::string of = sender.nic.empty() ? "" : " of " + sender.nic;
      marks.push_back({dscp, sender.setting + of, sender.device, sender.where});
    }
    marks[*known].senders.push_back(std::move(sender));
  }
  std::vector<SentMark> marks;

 private:
  std::array<std::optional<std::size_t>, kDscps> at_ = {};
};

}  // namespace

std::vector<SentMark> sent_marks(const Estate& estate) {
  EachOnce all;
  for (const Device& device : estate.devices) {
    const std::optional<std::int64_t> tc = number_of(device, "NCCL_IB_TC");
    if (tc && *tc > 0 && *tc < 256)
      all.add(static_cast<std::uint8_t>(*tc >> 2),
              {&device, fmt::format("NCCL_IB_TC={}", *tc), "", variable(device, "NCCL_IB_TC")->where});
  }
  for (const Device& device : estate.devices)
    for (const NicConfig& nic : device.nics) {
      const auto add = [&](const std::optional<std::uint8_t>& tos, const char* name, const char* member) {
        if (tos && *tos != 0)
          all.add(static_cast<std::uint8_t>(*tos >> 2),
                  {&device, fmt::format("{} {}", name, *tos), nic.name, place_of(device, nic, {member})});
      };
      add(nic.traffic_class, "traffic class", "traffic_class");
      add(nic.cma_tos, "RDMA-CM ToS", "cma_tos");
    }
  return std::move(all.marks);
}

std::vector<SentMark> sent_cnps(const Estate& estate) {
  EachOnce all;
  for (const Device& device : estate.devices)
    for (const NicConfig& nic : device.nics)
      if (nic.cnp_dscp)
        all.add(static_cast<std::uint8_t>(*nic.cnp_dscp % kDscps),
                {&device, fmt::format("CNP DSCP {}", *nic.cnp_dscp), nic.name, place_of(device, nic, {"cnp_dscp"})});
  return std::move(all.marks);
}

bool is_fabric(Role role) { return role == Role::leaf || role == Role::spine || role == Role::core; }

std::uint8_t reachable_classes(const QosPolicy& policy) {
  std::uint8_t bits = 0;
  const auto add = [&](const auto& map) {
    for (const std::uint8_t c : map) bits = static_cast<std::uint8_t>(bits | 1U << c % kPriorities);
  };
  if (policy.trust == Trust::dscp || policy.trust == Trust::both) add(policy.class_of_dscp);
  if (policy.trust == Trust::pcp || policy.trust == Trust::both) add(policy.class_of_pcp);
  return policy.trust == Trust::port ? 1 : bits;
}

std::uint8_t lossless_classes(const QosPolicy& policy) {
  const std::uint8_t reachable = reachable_classes(policy);
  std::uint8_t bits = 0;
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (has_bit(reachable, c) && policy.pausing_priority(c)) bits = static_cast<std::uint8_t>(bits | 1U << c);
  return bits;
}

std::uint8_t lossless_queues(const QosPolicy& policy) {
  const std::uint8_t classes = lossless_classes(policy);
  std::uint8_t bits = 0;
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (has_bit(classes, c)) bits = static_cast<std::uint8_t>(bits | 1U << policy.queue_of_class[c] % kPriorities);
  return bits;
}

std::uint8_t class_of_mark(const QosPolicy& policy, std::uint8_t dscp) {
  return policy.class_of(dscp, static_cast<std::uint8_t>(dscp / kPriorities));
}

bool is_lossless(const QosPolicy& policy, std::uint8_t dscp) {
  return policy.pausing_priority(class_of_mark(policy, dscp)).has_value();
}

std::string bits_text(std::uint8_t bits) {
  std::string text;
  for (std::size_t i = 0; i < kPriorities; i++)
    if (has_bit(bits, i)) text += (text.empty() ? "" : ", ") + std::to_string(i);
  return text.empty() ? "none" : text;
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  for (std::size_t i = 0; i < shown; i++) text += (i == 0 ? "" : ", ") + names[i];
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

bool says(const QosPolicy& policy, std::string_view what) {
  const auto said = policy.said.lower_bound(what);
  if (said == policy.said.end() || !said->first.starts_with(what)) return false;
  return said->first.size() == what.size() || said->first[what.size()] == '.';
}

bool tells_of(const Device& device, std::string_view what) {
  if (!device.model.empty() || !device.version.empty()) return true;
  return std::any_of(device.policies.begin(), device.policies.end(), [&](const QosPolicy& p) { return says(p, what); }) ||
         std::any_of(device.ports.begin(), device.ports.end(),
                     [](const PortConfig& port) { return port.speed || port.mtu || !port.neighbour.empty(); });
}

SourceSpan place_of(const Device& device, const QosPolicy& policy, std::initializer_list<std::string> what) {
  for (const std::string& one : what)
    if (const auto said = policy.said.find(one); said != policy.said.end()) return said->second;
  return device.files.empty() ? SourceSpan{} : device.files.front();
}

SourceSpan place_of(const Device& device, const NicConfig& nic, std::initializer_list<std::string_view> what) {
  for (const std::string_view one : what)
    if (const auto said = nic.said.find(one); said != nic.said.end()) return said->second;
  return device.files.empty() ? SourceSpan{} : device.files.front();
}

bool is_host_file(const Device& device) {
  return device.kind == DeviceKind::job && device.nodes.size() == 1 && device.nodes.front() == device.name;
}

std::vector<const Device*> jobs_of(const Estate& estate) {
  std::vector<const Device*> jobs, files;
  for (const Device& device : estate.devices)
    if (device.kind == DeviceKind::job) (is_host_file(device) ? files : jobs).push_back(&device);
  return jobs.empty() ? files : jobs;
}

const Setting* variable(const Device& device, std::string_view name) {
  const auto found = device.environment.find(name);
  return found == device.environment.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> number_of(const Device& device, std::string_view name) {
  const Setting* const set = variable(device, name);
  if (!set || set->value.empty()) return std::nullopt;
  char* end = nullptr;
  const long long number = std::strtoll(set->value.c_str(), &end, 0);  // as NCCL reads it: 106 or 0x6a
  return *end == '\0' ? std::optional<std::int64_t>(number) : std::nullopt;
}

}  // namespace railyard
