// mlnx_qos: what it prints of an interface, and the options that set it.
#include <algorithm>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

/// "eth0" and "mlx5_0" of "======== show configuration for device eth0 / mlx5_0========", as scripts around mlnx_qos print it.
std::optional<NicNames> heading_names(std::string_view line) {
  constexpr std::string_view kMark = "configuration for device ";
  const std::size_t at = line.find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + kMark.size());
  rest = rest.substr(0, rest.find('='));
  const auto parts = split_at(rest, '/');
  NicNames names;
  names.netdev = std::string(trimmed(parts[0]));
  if (parts.size() > 1) names.rdma = std::string(trimmed(parts[1]));
  return names;
}

/// Lists of eight, one entry a priority or a traffic class.
std::vector<std::string_view> list_of(std::string_view text) {
  auto parts = split_at(text, ',');
  if (parts.size() > kPriorities) parts.resize(kPriorities);
  return parts;
}

class MlnxQosReader {
 public:
  explicit MlnxQosReader(HostScope& scope) : scope_(scope) {}

  void read() {
    if (scope_.block.runs("mlnx_qos")) command();
    for (Line& line : scope_.block.lines) line.taken = line.taken || output(line);
  }

 private:
  QosPolicy& policy() { return scope_.policy(nic()); }
  std::size_t nic() { return scope_.nic(names_, Dialect::mlnx); }

  void command() {
    names_.netdev = scope_.block.option({"-i", "--interface"});
    if (names_.netdev.empty()) return;
    const SourceSpan where = scope_.at(scope_.block.number);
    trust(scope_.block.option({"--trust"}), where);
    const std::string pfc = scope_.block.option({"-f", "--pfc"});
    for (std::size_t p = 0; !pfc.empty() && p < list_of(pfc).size(); p++)
      set_nic_pfc(policy(), p, trimmed(list_of(pfc)[p]) == "1", where);
    const std::string queues = scope_.block.option({"-p", "--prio_tc"});
    for (std::size_t p = 0; !queues.empty() && p < list_of(queues).size(); p++)
      if (const auto queue = whole_number(list_of(queues)[p], 7)) set_nic_queue(policy(), p, *queue, where);
    scheduling_options(where);
    dscp_options(where);
    dcbx(scope_.block.option({"-d", "--dcbx"}), scope_.block.number);
  }

  void scheduling_options(const SourceSpan& where) {
    const std::string kinds = scope_.block.option({"-s", "--tsa"});
    for (std::size_t q = 0; !kinds.empty() && q < list_of(kinds).size(); q++) queue(q, trimmed(list_of(kinds)[q]), where);
    const std::string shares = scope_.block.option({"-t", "--tcbw"});
    for (std::size_t q = 0; !shares.empty() && q < list_of(shares).size(); q++)
      if (const auto share = whole_number(list_of(shares)[q], 100))
        policy().queues[q].weight = policy().queues[q].strict ? 0 : static_cast<std::uint32_t>(*share);
  }

  /// --dscp2prio=set,26,3, once or more; `del` gives a DSCP its priority by eight back.
  void dscp_options(const SourceSpan& where) {
    const auto& words = scope_.block.command;
    for (std::size_t i = 0; i < words.size(); i++) {
      constexpr std::string_view kOption = "--dscp2prio";
      if (!words[i].starts_with(kOption)) continue;
      const std::string value =
          words[i] == kOption ? (i + 1 < words.size() ? words[i + 1] : "") : words[i].substr(kOption.size() + 1);
      const auto parts = split_at(value, ',');
      if (parts.size() < 2) continue;
      const auto dscp = whole_number(parts[1], 63);
      const auto priority = parts[0] == "del" ? whole_number("0") : whole_number(parts.back(), 7);
      if (!dscp || !priority) continue;
      policy().class_of_dscp[*dscp] = static_cast<std::uint8_t>(parts[0] == "del" ? *dscp / 8 : *priority);
      policy().said["dscp." + std::to_string(*dscp)] = where;
    }
  }

  void trust(std::string_view value, const SourceSpan& where) {
    if (value != "dscp" && value != "pcp") return;
    policy().trust = value == "dscp" ? Trust::dscp : Trust::pcp;
    policy().said["trust"] = where;
  }

  void dcbx(std::string_view value, std::uint32_t line) {
    if (value.empty()) return;
    const std::size_t at = nic();
    scope_.config(at).dcbx_firmware = starts_with_any(value, {"fw", "Firmware"});
    scope_.say(at, "dcbx_firmware", line);
  }

  void queue(std::size_t index, std::string_view kind, const SourceSpan& where) {
    if (index >= kPriorities) return;
    QueuePolicy& queue = policy().queues[index];
    queue.strict = kind.starts_with("strict");
    if (queue.strict) queue.weight = 0;
    policy().said["queue." + std::to_string(index)] = where;
  }

  bool output(const Line& line) {
    if (const auto names = heading_names(line.text)) {
      names_ = *names;
      return true;
    }
    if (line.text.starts_with("DCBX mode:")) {
      dcbx(trimmed(line.text.substr(10)), line.number);
      return true;
    }
    if (line.text.starts_with("Priority trust state:")) {
      trust(trimmed(line.text.substr(21)), scope_.at(line));
      return true;
    }
    if (starts_with_any(line.text, {"dscp2prio mapping:", "PFC configuration:", "default priority:"})) {
      in_pfc_ = line.text.starts_with("PFC");
      in_queue_.reset();
      return true;
    }
    if (line.text.starts_with("prio:")) return dscp_line(line);
    if (line.text.starts_with("tc:")) return queue_line(line);
    return in_queue_ ? queue_member(line) : in_pfc_ && pfc_line(line);
  }

  /// "prio:3 dscp:31,30,29,28,27,26,25,24,"
  bool dscp_line(const Line& line) {
    const std::size_t mark = line.text.find("dscp:");
    if (mark == std::string_view::npos) return false;
    const auto priority = whole_number(line.text.substr(5, mark - 5), 7);
    const auto dscps = number_list(line.text.substr(mark + 5), 63);
    if (!priority || !dscps) return false;
    for (const std::uint8_t dscp : *dscps) {
      policy().class_of_dscp[dscp] = static_cast<std::uint8_t>(*priority);
      policy().said["dscp." + std::to_string(dscp)] = scope_.at(line);
    }
    return true;
  }

  /// Rows "priority", "enabled" and "buffer" below "PFC configuration:".
  bool pfc_line(const Line& line) {
    const auto words = words_of(line.text);
    if (words.size() < 2 || (words[0] != "priority" && words[0] != "enabled" && words[0] != "buffer")) return false;
    if (words[0] != "enabled") return true;
    for (std::size_t p = 0; p + 1 < words.size() && p < kPriorities; p++)
      set_nic_pfc(policy(), p, words[p + 1] == "1", scope_.at(line));
    return true;
  }

  /// "tc: 3 ratelimit: unlimited, tsa: ets, bw: 50%"
  bool queue_line(const Line& line) {
    const auto words = words_of(line.text);
    const auto index = words.size() > 1 ? whole_number(words[1], 7) : std::nullopt;
    if (!index) return false;
    in_queue_ = *index;
    for (std::size_t i = 2; i + 1 < words.size(); i++) {
      if (words[i] == "tsa:") queue(*index, words[i + 1], scope_.at(line));
      if (words[i] == "bw:")
        if (const auto share = whole_number(words[i + 1].substr(0, words[i + 1].find('%')), 100))
          policy().queues[*index].weight = static_cast<std::uint32_t>(*share);
    }
    return true;
  }

  /// "priority:  1" below a traffic class.
  bool queue_member(const Line& line) {
    const auto parts = key_value(line.text, ":");
    if (!parts || (parts->key != "priority" && parts->key != "up")) return line.text.starts_with("skprio:");
    if (const auto priority = whole_number(words_of(parts->value).empty() ? "" : words_of(parts->value)[0], 7))
      set_nic_queue(policy(), *priority, *in_queue_, scope_.at(line));
    return true;
  }

  HostScope& scope_;
  NicNames names_;
  bool in_pfc_ = false;
  std::optional<std::size_t> in_queue_;
};

}  // namespace

void read_mlnx_qos(HostScope& scope) {
  const auto is_mark = [](const Line& line) {
    return starts_with_any(line.text, {"Priority trust state:", "PFC configuration:", "dscp2prio mapping:", "DCBX mode:"}) ||
           contains(line.text, "configuration for device ");
  };
  const bool prints = std::any_of(scope.block.lines.begin(), scope.block.lines.end(), is_mark);
  if (prints || scope.block.runs("mlnx_qos")) MlnxQosReader(scope).read();
}

}  // namespace railyard::host_text
