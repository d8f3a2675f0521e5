// Policies of NX-OS ports: what is bound at "system qos" and what at the interface, taken together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "config/read/mqc.h"
#include "qos/device.h"

namespace railyard {

class NxosPolicies {
 public:
  /// The tree must outlive it.
  NxosPolicies(const CliTree& tree, std::string file);

  [[nodiscard]] bool says_anything() const;
  [[nodiscard]] QosPolicy policy(const CliInterface& port) const;
  /// What the port says, at most what the classes of the network-qos policy that is in force say; that of its default class
  /// where the port says nothing.
  [[nodiscard]] std::optional<Bytes> mtu(std::optional<Bytes> of_port) const;
  /// Lossless pools of AOS-CX: what they have of the memory, and their headroom.
  void read_aruba_pools(BufferConfig& buffer) const;

 private:
  void read_classes(const std::string& policy_map, QosPolicy& policy) const;
  void read_network(const std::string& policy_map, QosPolicy& policy) const;
  void read_queuing(const MqcBinding& bound, QosPolicy& policy) const;
  void read_queue_line(const CliStatement& line, std::uint8_t queue, bool input, QosPolicy& policy) const;
  void read_watchdog(const CliStatement& line, QosPolicy& policy) const;
  void read_port(const CliStatement& line, QosPolicy& policy) const;
  void read_aruba(const CliStatement& line, QosPolicy& policy) const;
  void read_aruba_maps(QosPolicy& policy) const;
  void read_aruba_profiles(const CliStatement& line, QosPolicy& policy) const;
  void read_aruba_threshold(const CliStatement& line, QosPolicy& policy) const;
  void say(QosPolicy& policy, std::string key, const CliStatement& line) const;
  [[nodiscard]] std::vector<std::uint8_t> numbers_of(std::string_view type, const std::string& class_name) const;

  const CliTree& tree_;
  std::string file_;
  Mqc mqc_;
  std::vector<const CliStatement*> system_;  // below "system qos"
  std::vector<const CliStatement*> global_;  // "priority-flow-control …" and "qos …" of the switch
};

/// Lengths of cables that ports of AOS-CX are set to, by their names.
[[nodiscard]] std::map<std::string, Millimetres> aruba_cables(const std::vector<CliInterface>& interfaces);

}  // namespace railyard
