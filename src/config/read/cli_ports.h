// Interfaces of indented CLI text: what is said of each, ranges taken apart, members with what their channel says.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/read/cli_tree.h"
#include "config/read/read.h"

namespace railyard {

/// Statements that nobody looked at, each kind once.
class UnreadStatements {
 public:
  UnreadStatements(Device& device, std::string file);
  /// The kind is the section and the first words.
  void add(std::string_view section, const CliStatement& statement);
  void add(std::string kind, std::uint32_t line);

 private:
  Device& device_;
  std::string file_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

struct CliInterface {
  std::string name;
  std::uint32_t line = 0;
  bool enabled = true;
  bool routed = false;  // "no switchport"
  std::optional<Bytes> mtu;
  std::optional<BitsPerSecond> speed;
  std::string description, channel;      // channel: the number of "channel-group 3" or "lag 3"
  std::vector<const CliStatement*> qos;  // its statements of QoS, in order
};

/// How a dialect says it.
struct CliInterfaceWords {
  bool (*is_qos)(const CliStatement& statement);
  bool (*is_port)(std::string_view name);  // "Ethernet1/1" of the names below
  std::string_view channel;                // "port-channel", in lower case
  bool joins_words = false;                // "interface ethernet 1/1" is "Ethernet1/1"
};

/// "Ethernet1/1-4,Ethernet2/1", "range ethernet1/1/1-1/1/8" and the like as names, at most 4,096. Numbers only: the same
/// without letters.
[[nodiscard]] std::vector<std::string> cli_interface_names(const CliStatement& statement);

/// Ports and channels, each once, in the order of the text. Other interfaces (VLANs, loopbacks, management) are left out.
[[nodiscard]] std::vector<CliInterface> cli_interfaces(const CliTree& tree, const CliInterfaceWords& words,
                                                       UnreadStatements& unread);

/// Adds the ports to the device. `policy_for` is asked once for each different set of statements; it is empty where the file
/// says nothing of QoS. A file without ports has the policy of a port that says nothing.
void add_cli_ports(Device& device, const std::string& file, const CliTree& tree, const CliInterfaceWords& words,
                   std::vector<CliInterface> interfaces, const std::function<QosPolicy(const CliInterface&)>& policy_for);

/// Adds or replaces ports by name.
void merge_cli_ports(Device& device, std::vector<PortConfig> ports);

/// The device that a file is of: by the name that it says, else by the name of the file.
Device& cli_device(Estate& estate, const ConfigText& text, const CliTree& tree, Dialect dialect);

}  // namespace railyard
