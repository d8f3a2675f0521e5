// AMD: nicctl update, as scripts run it.
#include <algorithm>

#include "config/nicctl_dcqcn.h"
#include "config/read/other_nic.h"

namespace railyard::host_text {

namespace {

/// "3,0,6" of an option as numbers; none where it is not there or no list.
std::vector<std::uint8_t> priorities_in(const Block& block) {
  return number_list(block.option({"--priority"}), kPriorities - 1).value_or(std::vector<std::uint8_t>{});
}

/// One command on one NIC.
class NicctlUpdate {
 public:
  NicctlUpdate(HostScope& scope, std::size_t nic) : scope_(scope), nic_(nic), where_(scope.at(scope.block.number)) {}

  void port() {
    const std::string pause = lower_case(option({"--pause-type"}));
    if (!pause.empty()) policy().link_pause = pause.starts_with("link"), policy().said["link_pause"] = where_;
    if (const auto mtu = whole_number(option({"--mtu"}), 65536)) {
      scope_.config(nic_).mtu = Bytes(static_cast<std::int64_t>(*mtu));
      scope_.say(nic_, "mtu", scope_.block.number);
    }
  }

  void qos(std::string_view what) {
    const std::string trust = lower_case(option({"--classification-type"}));
    if (!trust.empty()) policy().trust = trust == "dscp" ? Trust::dscp : Trust::pcp, policy().said["trust"] = where_;
    if (what == "dscp-to-priority") map_dscps();
    if (what == "pfc")
      for (const std::uint8_t p : priorities_in(scope_.block))
        set_nic_pfc(policy(), p, option({"--no-drop"}) == "enable", where_);
    if (what == "scheduling") schedule();
  }

  void congestion() {
    const std::string profile = option({"-i", "--profile-id"});
    if (!profile.empty() && profile != "1")
      return add_unread(scope_.device, "nicctl update dcqcn --profile-id " + profile, where_);
    if (const auto dscp = whole_number(option({"--cnp-dscp"}), kDscps - 1)) {
      scope_.config(nic_).cnp_dscp = static_cast<std::uint8_t>(*dscp);
      scope_.say(nic_, "cnp_dscp", scope_.block.number);
    }
    for (const std::string& word : scope_.block.command)
      if (word.starts_with("--") && word != "--cnp-dscp" && word != "--roce-device" && word != "--profile-id" &&
          !set_nicctl_dcqcn(scope_, nic_, word, option({word}), scope_.block.number))
        add_unread(scope_.device, "nicctl update dcqcn " + word, where_);
  }

 private:
  QosPolicy& policy() { return scope_.policy(nic_); }
  std::string option(std::initializer_list<std::string_view> names) const { return scope_.block.option(names); }

  void map_dscps() {
    const auto dscps = number_list(option({"--dscp"}), kDscps - 1);
    const auto priority = whole_number(option({"--priority"}), kPriorities - 1);
    if (!dscps || !priority) return;
    for (const std::uint8_t dscp : *dscps) {
      policy().class_of_dscp[dscp] = static_cast<std::uint8_t>(*priority);
      policy().said["dscp." + std::to_string(dscp)] = where_;
    }
  }

  /// `--priority 0,3,6 --dwrr 1,99,0 --rate-limit 0,0,10`: a priority without a share is strict, up to its limit.
  void schedule() {
    const std::vector<std::uint8_t> queues = priorities_in(scope_.block);
    const std::string list = option({"--dwrr"});
    const auto shares = split_at(list, ',');
    for (std::size_t i = 0; i < std::min(queues.size(), shares.size()); i++) {
      const auto share = whole_number(trimmed(shares[i]), 100);
      if (!share) continue;
      policy().queues[queues[i]].strict = *share == 0;
      policy().queues[queues[i]].weight = static_cast<std::uint32_t>(*share);
      policy().said["queue." + std::to_string(queues[i])] = where_;
    }
  }

  HostScope& scope_;
  std::size_t nic_;
  SourceSpan where_;
};

/// NICs that a command means: the one that it names if that is known, or all of the host.
std::vector<std::size_t> meant_nics(HostScope& scope) {
  const std::string device = scope.block.option({"-r", "--roce-device"});
  if (!device.empty()) return {scope.nic({device, {}, {}}, Dialect::nicctl)};
  const std::string name = scope.block.option({"-p", "--port", "-c", "--card"});
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < scope.device.nics.size(); i++) {
    const auto& aliases = scope.device.nics[i].aliases;
    if (!name.empty() && std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return {i};
    all.push_back(i);
  }
  if (all.empty()) all.push_back(scope.nic({}, Dialect::nicctl));
  return all;
}

}  // namespace

bool is_nicctl_dcqcn(std::string_view name) {
  return std::any_of(kNicctlDcqcn.begin(), kNicctlDcqcn.end(),
                     [&](const NicctlDcqcn& one) { return name == one.label || name == one.option; });
}

bool set_nicctl_dcqcn(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line) {
  for (const NicctlDcqcn& one : kNicctlDcqcn) {
    if (name.empty() || (name != one.label && name != one.option)) continue;
    auto number = whole_number(value, one.most);
    if (one.is_switch && lower_case(value).starts_with("enable")) number = 1;
    if (one.is_switch && lower_case(value).starts_with("disable")) number = 0;
    if (!number || *number < one.least) return false;
    scope.config(nic).dcqcn[std::string(one.name)] = static_cast<std::int64_t>(*number);
    scope.say(nic, one.name, line);
    return true;
  }
  return false;
}

void read_nicctl_update(HostScope& scope) {
  const auto& words = scope.block.command;
  const auto update = std::find(words.begin(), words.end(), "update");
  if (!scope.block.runs("nicctl") || words.end() - update < 3) return;
  const std::string& subject = *(update + 1);
  if (subject != "port" && subject != "qos" && subject != "dcqcn")
    return add_unread(scope.device, "nicctl update " + subject, scope.at(scope.block.number));
  for (const std::size_t nic : meant_nics(scope)) {
    NicctlUpdate one(scope, nic);
    if (subject == "port") one.port();
    if (subject == "qos") one.qos(*(update + 2));
    if (subject == "dcqcn") one.congestion();
  }
}

}  // namespace railyard::host_text
