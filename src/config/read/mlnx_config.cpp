// mlxconfig (mstconfig): what `query` prints, with or without the columns of -e, and what `set` sets.
#include <algorithm>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

/// "1" of "True(1)", "255" of "255", "" of an array.
std::string_view number_in(std::string_view value) {
  const std::size_t open = value.rfind('(');
  if (open == std::string_view::npos || !value.ends_with(')')) return value;
  return value.substr(open + 1, value.size() - open - 2);
}

bool is_true(std::string_view value) {
  const std::string_view number = number_in(value);
  return number == "1" || lower_case(value) == "true";
}

bool is_parameter_name(std::string_view word) {
  bool has_letter = false;
  for (const char c : word) {
    has_letter = has_letter || (c >= 'A' && c <= 'Z');
    if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_' && c != '[' && c != ']' && c != '.') return false;
  }
  return has_letter && word.size() > 3 && contains(word, "_");
}

/// Port 1 or 2 of a name that ends in _P1 or _P2, which is cut off; 0: of the card.
unsigned port_of(std::string_view& name) {
  if (name.size() < 4 || name[name.size() - 3] != '_' || name[name.size() - 2] != 'P') return 0;
  const char digit = name.back();
  if (digit != '1' && digit != '2') return 0;
  name.remove_suffix(3);
  return static_cast<unsigned>(digit - '0');
}

void set_mask(HostScope& scope, std::size_t nic, std::string_view value, std::uint32_t line) {
  const auto mask = whole_number(number_in(value), 255);
  if (!mask) return;
  scope.config(nic).ecn_np = scope.config(nic).ecn_rp = static_cast<std::uint8_t>(*mask);
  scope.say(nic, "ecn_np", line);
  scope.say(nic, "ecn_rp", line);
}

class MlxconfigReader {
 public:
  explicit MlxconfigReader(HostScope& scope) : scope_(scope) {
    for (const Line& line : scope.block.lines) has_second_port_ = has_second_port_ || contains(line.text, "_P2 ");
    device(scope.block.option({"-d", "--dev"}));
  }

  void read() {
    const auto& words = scope_.block.command;
    for (const std::string& word : words) {
      std::string_view name = assigned_name(word);
      if (name.empty()) continue;
      const std::string_view value = std::string_view(word).substr(name.size() + 1);
      parameter(name, value, scope_.block.number);
    }
    for (Line& line : scope_.block.lines) line.taken = line.taken || output(line);
  }

 private:
  /// "0000:17:00.0" or "/dev/mst/mt4129_pciconf0"; both ports of a card come in one output.
  void device(std::string_view name) {
    if (name.empty()) return;
    const std::size_t slash = name.rfind('/');
    const std::string_view last = name.substr(slash == std::string_view::npos ? 0 : slash + 1);
    const std::string pci = pci_address(last);
    card_ = pci.empty() ? std::string(last) : pci;
  }

  NicNames names_of(unsigned port) const {
    NicNames names;
    if (card_.empty()) {
      if (has_second_port_) names.aliases.push_back(port == 2 ? "port 2" : "port 1");
    } else if (port == 2 && !pci_address(card_).empty()) {
      names.aliases.push_back(card_.substr(0, card_.size() - 1) + "1");
    } else if (card_.starts_with("mlx")) {
      names.rdma = card_;
    } else {
      names.aliases.push_back(port == 2 ? card_ + ".1" : card_);
    }
    return names;
  }

  void parameter(std::string_view name, std::string_view value, std::uint32_t line) {
    const unsigned port = port_of(name);
    bool known = false;
    const unsigned last = port != 0 ? port : has_second_port_ ? 2 : 1;
    for (unsigned p = port == 0 ? 1 : port; p <= last; p++) {
      const std::size_t nic = scope_.nic(names_of(p), Dialect::mlnx);
      if (!model_.empty() && scope_.config(nic).model.empty()) scope_.config(nic).model = model_;
      known = set_mlxconfig(scope_, nic, name, value, line) || known;
    }
    if (!known) add_unread(scope_.device, "mlxconfig parameters that are not about RoCE or QoS", scope_.at(line));
  }

  bool output(const Line& line) {
    if (line.text.starts_with("Configurations:")) {
      column_ = contains(line.text, "Current") ? 2 : 1;
      return true;
    }
    if (const auto parts = key_value(line.text, ":")) {
      if (parts->key == "Device type") model_ = std::string(parts->value);
      if (parts->key == "Device") device(parts->value);
      if (parts->key == "Device type" || parts->key == "Device" || parts->key == "Name" || parts->key == "Description")
        return true;
    }
    if (starts_with_any(line.text, {"Device #", "----", "The '*' shows"})) return true;
    auto words = words_of(line.text);
    if (!words.empty() && (words[0] == "*" || words[0] == "RO")) words.erase(words.begin());
    if (words.size() < 2 || !is_parameter_name(words[0])) return false;
    parameter(words[0], words[std::min(column_, words.size() - 1)], line.number);
    return true;
  }

  HostScope& scope_;
  std::string card_, model_;
  std::size_t column_ = 1;  // of the value in force: the only one, or Current of Default, Current, Next Boot
  bool has_second_port_ = false;
};

bool is_mlxconfig_line(std::string_view line) {
  return starts_with_any(line,
                         {"Configurations:", "ROCE_CC_PRIO_MASK_P", "CNP_DSCP_P", "DCBX_WILLING_P", "* ROCE_CC_PRIO_MASK_P"});
}

}  // namespace

bool set_mlxconfig(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line) {
  NicConfig& config = scope.config(nic);
  const auto number = whole_number(number_in(value), 255);
  if (name == "ROCE_CC_PRIO_MASK") {
    set_mask(scope, nic, value, line);
  } else if (name == "CNP_DSCP" && number && *number < kDscps) {
    config.cnp_dscp = static_cast<std::uint8_t>(*number);
    scope.say(nic, "cnp_dscp", line);
  } else if (name == "CNP_802P_PRIO" && number && *number < kPriorities) {
    config.cnp_priority = static_cast<std::uint8_t>(*number);
    scope.say(nic, "cnp_priority", line);
  } else if (name == "DCBX_WILLING") {
    config.dcbx_willing = is_true(value);
    scope.say(nic, "dcbx_willing", line);
  } else if (name == "LLDP_NB_DCBX") {
    config.dcbx_firmware = is_true(value);
    scope.say(nic, "dcbx_firmware", line);
  } else if (name == "PCI_WR_ORDERING") {
    if (number_in(value) == "1") config.relaxed_ordering = true;  // force_relax; per_mkey leaves it to the application
    scope.say(nic, "relaxed_ordering", line);
  } else if (name == "QOS_TRUST_STATE") {
    scope.policy(nic).trust = contains(value, "DSCP") ? Trust::dscp : Trust::pcp;
    scope.policy(nic).said["trust"] = scope.at(line);
  } else {
    return set_dcqcn(scope, nic, name, number_in(value), line);
  }
  return true;
}

void read_mlxconfig(HostScope& scope) {
  bool prints = scope.block.runs("mlxconfig") || scope.block.runs("mstconfig");
  for (const Line& line : scope.block.lines) prints = prints || is_mlxconfig_line(line.text);
  if (prints) MlxconfigReader(scope).read();
}

}  // namespace railyard::host_text
