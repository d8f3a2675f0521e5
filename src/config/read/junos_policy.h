// class-of-service of Junos: forwarding classes, classifiers, schedulers and congestion notification profiles of a port.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/read/junos_tree.h"
#include "qos/policy.h"

namespace railyard {

/// What [edit class-of-service interfaces] says of a port, all patterns that mean it taken together.
struct JunosBinding {
  JunosTree::Node dscp = JunosTree::kNone, ieee = JunosTree::kNone;  // classifiers, the nodes of their names
  JunosTree::Node profile = JunosTree::kNone;                        // congestion-notification-profile, likewise
  JunosTree::Node schedulers = JunosTree::kNone;                     // scheduler-map, likewise
  JunosTree::Node flow_control = JunosTree::kNone;                   // of [edit interfaces]: pause of the whole link

  friend auto operator<=>(const JunosBinding&, const JunosBinding&) = default;
};

/// "011010" is 26; names as DiffServ (6 bits) and IEEE 802.1p (3 bits) have them.
[[nodiscard]] std::optional<std::uint8_t> junos_code_point(std::string_view text, std::size_t bits);

class JunosPolicies {
 public:
  /// The tree must outlive it.
  JunosPolicies(const JunosTree& tree, std::string file);

  [[nodiscard]] bool says_anything() const { return cos_ != JunosTree::kNone; }
  /// `ranges`: names of interface ranges that the port is a member of.
  [[nodiscard]] JunosBinding binding(std::string_view port, const std::vector<std::string>& ranges) const;
  [[nodiscard]] QosPolicy policy(const JunosBinding& binding) const;
  /// "cable-length 100;" of the profile, in metres.
  [[nodiscard]] std::optional<Millimetres> cable(const JunosBinding& binding) const;

 private:
  /// A forwarding class. Its queue is its traffic class too.
  struct ForwardingClass {
    std::uint8_t queue = 0;
    bool no_loss = false;
    std::optional<std::uint8_t> pfc_priority;
    JunosTree::Node said = JunosTree::kNone;  // none: one of Junos' own
  };
  void read_forwarding_classes();
  void add_binding(JunosTree::Node interface, JunosBinding& into) const;
  void read_classifier(std::string_view kind, JunosTree::Node name, QosPolicy& policy) const;
  void read_classes(QosPolicy& policy) const;
  void read_profile(JunosTree::Node name, QosPolicy& policy) const;
  void read_inputs(JunosTree::Node profile, QosPolicy& policy, std::map<std::uint8_t, std::uint8_t>& priority_of_queue) const;
  void read_watchdog(JunosTree::Node watchdog, QosPolicy& policy) const;
  void read_schedulers(JunosTree::Node name, QosPolicy& policy) const;
  void read_scheduler(JunosTree::Node scheduler, std::uint8_t queue, QosPolicy& policy) const;
  [[nodiscard]] std::optional<EcnPolicy> ecn_of(JunosTree::Node scheduler) const;
  void say(QosPolicy& policy, std::string key, JunosTree::Node node) const;

  const JunosTree& tree_;
  std::string file_;
  JunosTree::Node cos_ = JunosTree::kNone;
  std::map<std::string, ForwardingClass, std::less<>> classes_;
  std::vector<JunosTree::Node> patterns_;  // interfaces with "*", "[" or "all", the vaguest first
};

}  // namespace railyard
