// Policies of Dell OS10 ports: what is said at "system qos" and at the interface, taken together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "config/read/mqc.h"
#include "qos/policy.h"

namespace railyard {

class Os10Policies {
 public:
  /// The tree must outlive it.
  Os10Policies(const CliTree& tree, std::string file);

  [[nodiscard]] bool says_anything() const { return !system_.empty() || !mqc_.policies.empty() || !blocks_.empty(); }
  [[nodiscard]] QosPolicy policy(const CliInterface& port) const;
  [[nodiscard]] const std::vector<const CliStatement*>& system() const { return system_; }

 private:
  /// What several statements say together.
  struct State {
    bool pfc_on = false;
    std::string network;  // policy map of PFC that is bound
    std::string classes;  // policy map of type qos that is bound
  };
  void read_line(const CliStatement& line, QosPolicy& policy, State& state) const;
  void read_trust(const CliStatement& line, QosPolicy& policy) const;
  void read_queue_map(std::string_view name, QosPolicy& policy) const;
  void read_network(const State& state, QosPolicy& policy) const;
  void read_queuing(const std::string& name, QosPolicy& policy) const;
  void read_wred(std::string_view name, std::uint8_t queue, QosPolicy& policy) const;
  void read_classes(const std::string& name, QosPolicy& policy) const;
  void say(QosPolicy& policy, std::string key, const CliStatement& line) const;
  [[nodiscard]] const CliStatement* block(std::string_view kind, std::string_view name) const;

  const CliTree& tree_;
  std::string file_;
  Mqc mqc_;
  std::vector<const CliStatement*> system_;                         // below "system qos"
  std::map<std::string, const CliStatement*, std::less<>> blocks_;  // "trust dscp-map NAME", "wred NAME", … by all their words
};

}  // namespace railyard
