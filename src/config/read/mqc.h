// Modular QoS CLI, which EOS, NX-OS and OS10 share: class maps say which packets or queues, policy maps what happens to them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "qos/policy.h"

namespace railyard {

struct MqcClass {
  std::vector<std::uint8_t> dscps, pcps;                              // that it matches
  std::map<std::uint8_t, const CliStatement*> said_dscps, said_pcps;  // where; access lists are not told of
  std::vector<std::uint8_t> numbers;                                  // of queues or qos-groups
};

struct MqcAction {
  std::string class_name;
  const CliStatement* block = nullptr;
};

struct Mqc {
  std::map<std::pair<std::string, std::string>, MqcClass> classes;                 // by type ("qos", "queuing", …) and name
  std::map<std::pair<std::string, std::string>, std::vector<MqcAction>> policies;  // likewise

  /// Null if there is none of that name.
  [[nodiscard]] const MqcClass* class_map(std::string_view type, std::string_view name) const;
  [[nodiscard]] const std::vector<MqcAction>* policy_map(std::string_view type, std::string_view name) const;
};

/// Access lists that permit all with some DSCP count as a match of that DSCP.
[[nodiscard]] Mqc read_mqc(const CliTree& tree);
/// Matches and actions that none of the readers looks at.
void note_unread_mqc(const CliTree& tree, UnreadStatements& unread);

/// Which class packets get by their marks. Of several classes that match, the first counts.
struct MqcClassification {
  struct Answer {
    std::uint8_t value = 0;
    const CliStatement* said = nullptr;  // the match, or what sets the class; null: no class matches
  };
  std::array<Answer, kDscps> of_dscp = {};
  std::array<Answer, kPriorities> of_pcp = {};
  bool by_dscp = false, by_pcp = false;  // some class matches such marks
  Answer rest;                           // of class-default
};
/// By "set KEY N" of a policy map of type qos; nothing if there is no such map.
[[nodiscard]] MqcClassification classify_marks(const CliTree& tree, const Mqc& mqc, std::string_view policy_map,
                                               std::string_view key);

/// What "service-policy type qos input NAME" and "service-policy input type qos NAME" bind. Empty if it is none such.
struct MqcBinding {
  std::string type, direction, name;
};
[[nodiscard]] MqcBinding mqc_binding(const CliStatement& statement);

}  // namespace railyard
