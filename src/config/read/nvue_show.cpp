#include "config/read/nvue_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/printed_text.h"
#include "config/read/nvue_policy.h"
#include "config/read/nvue_statements.h"
#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"

namespace railyard::nvue {

namespace {

struct Cell {
  std::string text;
  SourceSpan where;
};
using TableRow = std::map<std::string, Cell, std::less<>>;

/// What the command printed: values by their names ("pfc-priority"), and rows of its tables.
struct RoceStatus {
  TableRow values;
  std::vector<TableRow> rows;
  std::string interface;

  [[nodiscard]] std::string_view value(std::string_view name) const { return cell(values, name); }
  static std::string_view cell(const TableRow& row, std::string_view name) {
    const auto found = row.find(name);
    return found == row.end() ? std::string_view() : std::string_view(found->second.text);
  }
};

/// swp16 of `nv show interface swp16 qos roce status`.
std::string interface_in(std::string_view line) {
  const auto words = printed::words_of(line);
  const auto at = std::find(words.begin(), words.end(), "interface");
  return at != words.end() && at + 1 != words.end() && (at + 1)->substr(0, 3) == "swp" ? std::string(*(at + 1)) : std::string();
}

/// Reads the printed form: values under "operational" and "applied", then tables with titles.
class RoceText {
 public:
  explicit RoceText(const ConfigText& text) : file_(text.file) {
    std::string_view before;
    for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
      if (line.text.find("nv show interface") != std::string_view::npos) status.interface = interface_in(line.text);
      if (auto starts = printed::column_starts(line.text); !starts.empty())
        begin(before, std::move(starts));
      else if (!titles_.empty())
        read(line);
      before = line.text;
    }
  }

  RoceStatus status;

 private:
  void begin(std::string_view header, std::vector<std::size_t> starts) {
    starts_ = std::move(starts);
    titles_.clear();
    for (const std::string_view cell : printed::cells_of(header, starts_)) titles_.emplace_back(cell);
    is_values_ = std::find(titles_.begin(), titles_.end(), "operational") != titles_.end();
  }

  void read(const printed::NumberedLine& line) {
    const auto cells = printed::cells_of(line.text, starts_);
    const SourceSpan where{file_, line.number, 0};
    const bool is_title = !is_values_ && !line.text.empty() && line.text.front() != ' ';
    if (printed::without_blanks(line.text).empty() || is_title || line.text.find("===") != std::string_view::npos) {
      if (is_title) titles_.clear();
      return;
    }
    if (is_values_) {
      const std::string_view shown = cells.size() > 1 && !cells[1].empty() ? cells[1] : cells.size() > 2 ? cells[2] : "";
      if (!shown.empty()) status.values[std::string(cells[0])] = {std::string(shown), where};
      return;
    }
    TableRow row;
    for (std::size_t i = 0; i < cells.size(); i++)
      if (!titles_[i].empty()) row[titles_[i]] = {std::string(cells[i]), where};
    status.rows.push_back(std::move(row));
  }

  std::string file_;
  std::vector<std::size_t> starts_;
  std::vector<std::string> titles_;
  bool is_values_ = false;
};

/// Reads the JSON form: values in objects, rows in prio-map, tc-map and pool-map.
void add_json(const Document& at, std::string_view name, RoceStatus& status) {
  if (at.members() == nullptr) return;
  const bool holds_rows = name.size() > 4 && name.substr(name.size() - 4) == "-map";
  for (const Document::Member& member : *at.members()) {
    if (member.value.members() == nullptr) {
      const std::int64_t* whole = member.value.integer();
      std::string text(whole != nullptr ? std::to_string(*whole) : std::string(sonic::text_of(&member.value)));
      if (member.value.boolean() != nullptr) text = *member.value.boolean() ? "yes" : "no";
      status.values[member.key] = {std::move(text), member.where};
    } else if (holds_rows) {
      RoceStatus row;
      add_json(member.value, "", row);
      status.rows.push_back(std::move(row.values));
    } else {
      add_json(member.value, member.key, status);
    }
  }
}

void apply_trust(QosPolicy& policy, const RoceStatus& status) {
  const std::string_view mode = status.value("trust-mode");
  if (mode.empty()) return;
  const bool pcp = mode.find("pcp") != std::string_view::npos, dscp = mode.find("dscp") != std::string_view::npos;
  policy.trust = pcp && dscp ? Trust::both : dscp ? Trust::dscp : pcp ? Trust::pcp : Trust::port;
  policy.said["trust"] = status.values.at("trust-mode").where;
}

void apply_marks_row(QosPolicy& policy, const TableRow& row) {
  const auto to = indices_of(RoceStatus::cell(row, "switch-prio"), kPriorities);
  if (to.empty()) return;
  const SourceSpan& where = row.begin()->second.where;
  for (const std::size_t dscp : indices_of(RoceStatus::cell(row, "dscp"), kDscps)) {
    policy.class_of_dscp[dscp] = static_cast<std::uint8_t>(to[0]);
    policy.said[fmt::format("dscp.{}", dscp)] = where;
  }
  for (const std::size_t pcp : indices_of(RoceStatus::cell(row, "pcp"), kPriorities)) {
    policy.class_of_pcp[pcp] = static_cast<std::uint8_t>(to[0]);
    policy.said[fmt::format("pcp.{}", pcp)] = where;
  }
}

/// "DWRR-50%", "strict-priority" and "strict priority".
void apply_queue_row(QosPolicy& policy, const TableRow& row) {
  const auto from = indices_of(RoceStatus::cell(row, "switch-prio"), kPriorities);
  const auto to = indices_of(RoceStatus::cell(row, "traffic-class"), kPriorities);
  const std::string_view weight = RoceStatus::cell(row, "scheduler-weight");
  if (from.empty() || to.empty() || weight.empty()) return;
  const SourceSpan& where = row.begin()->second.where;
  policy.queue_of_class[from[0]] = policy.queue_of_priority[from[0]] = static_cast<std::uint8_t>(to[0]);
  policy.said[fmt::format("class.{}.queue", from[0])] = where;
  QueuePolicy& queue = policy.queues[to[0]];
  queue.strict = weight.find("trict") != std::string_view::npos;
  const std::size_t dash = weight.find('-'), percent = weight.find('%');
  const auto share = dash != std::string_view::npos && percent != std::string_view::npos && percent > dash
                         ? whole_of(weight.substr(dash + 1, percent - dash - 1))
                         : std::nullopt;
  queue.weight = share && *share >= 0 && *share <= 100 && !queue.strict ? static_cast<std::uint32_t>(*share) : 0;
  policy.said[fmt::format("queue.{}", to[0])] = where;
}

void apply_status_pfc(QosPolicy& policy, const RoceStatus& status) {
  const std::string_view priorities = status.value("pfc-priority");
  if (priorities.empty()) return;
  const SourceSpan& where = status.values.at("pfc-priority").where;
  policy.pfc =
      is_on(status.value("rx-enabled")) || is_on(status.value("tx-enabled")) ? sonic::bits_of(priorities) : std::uint8_t{0};
  policy.said["pfc"] = where;
  for (std::size_t i = 0; i < kPriorities; i++) {
    policy.groups[i].has_buffer = policy.has_pfc(i);
    if (policy.has_pfc(i)) policy.said[fmt::format("pfc.{}", i)] = where;
  }
}

void apply_status_ecn(QosPolicy& policy, const RoceStatus& status) {
  if (status.value("enabled-tc").empty()) return;
  const auto kmin = size_of(status.value("min-threshold")), kmax = size_of(status.value("max-threshold"));
  const auto percent = size_of(status.value("probability"));
  if (!kmin || !kmax) return;
  for (QueuePolicy& queue : policy.queues) queue.ecn = std::nullopt;
  for (const std::size_t queue : indices_of(status.value("enabled-tc"), kPriorities)) {
    policy.queues[queue].ecn =
        EcnPolicy{{ThresholdUnit::bytes, *kmin}, {ThresholdUnit::bytes, *kmax}, percent.value_or(100) / 100, true};
    policy.queues[queue].ecn->pmax = std::clamp(policy.queues[queue].ecn->pmax, 0.0, 1.0);
    policy.said[fmt::format("queue.{}.ecn", queue)] = status.values.at("enabled-tc").where;
  }
}

QosPolicy policy_of_status(QosPolicy policy, const RoceStatus& status) {
  apply_trust(policy, status);
  apply_status_pfc(policy, status);
  apply_status_ecn(policy, status);
  for (const TableRow& row : status.rows) {
    if (row.count("dscp") != 0) apply_marks_row(policy, row);
    if (row.count("scheduler-weight") != 0) apply_queue_row(policy, row);
  }
  return policy;
}

void add_status_pools(Device& device, const RoceStatus& status) {
  for (const TableRow& row : status.rows) {
    const std::string_view name = RoceStatus::cell(row, "name"), size = RoceStatus::cell(row, "size");
    const auto percent = !size.empty() && size.back() == '%' ? size_of(size.substr(0, size.size() - 1)) : std::nullopt;
    if (!percent || name.find("ingress") == std::string_view::npos) continue;
    (name.find("roce") != std::string_view::npos ? device.buffer.lossless_percent : device.buffer.lossy_percent) = *percent;
    device.buffer.where = row.begin()->second.where;
  }
}

/// One port's status is that port's policy. That of the whole switch is its policy where no configuration has said more.
void add_status(const RoceStatus& status, const ConfigText& text, Estate& estate) {
  Device& device = switch_of(estate, text, {}, Dialect::nvue);
  const std::string_view shown = status.value("mode");
  const std::string mode(shown.empty() ? "lossless" : shown);
  const bool is_off = (!status.value("enable").empty() && !is_on(status.value("enable"))) ||
                      (!status.value("state").empty() && !is_on(status.value("state")));
  const QosPolicy start = is_off ? default_policy() : policy_of_status(roce_policy(mode, {text.file, 1, 0}), status);
  if (!status.interface.empty()) {
    const bool is_first = device.ports.empty();
    SwitchPorts ports(device);
    const std::size_t port = ports.add(status.interface, {text.file, 1, 0});
    if (is_first) device.policies.clear();
    device.ports[port].policy = policy_index(device, start);
    if (const auto metres = whole_of(status.value("cable-length")); metres && *metres >= 0 && *metres <= 1'000'000)
      device.ports[port].cable = Millimetres(*metres * 1000);
    return;
  }
  add_status_pools(device, status);
  if (device.policies.empty())
    device.policies.push_back(start);
  else
    UnreadNotes(device).add("nv show qos roce, since its configuration was read", {text.file, 1, 0});
}

bool has_all(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

}  // namespace

bool is_roce_text(const ConfigText& text) {
  return has_all(text.text, {"operational", "applied", "congestion-control", "trust-mode"}) && !is_roce_json(text);
}

Diagnostics read_roce_text(const ConfigText& text, Estate& estate) {
  add_status(RoceText(text).status, text, estate);
  return {};
}

bool is_roce_json(const ConfigText& text) {
  const std::size_t first = text.text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text.text[first] == '{' &&
         has_all(text.text, {"\"congestion-control\"", "\"enabled-tc\"", "\"pfc-priority\""});
}

Diagnostics read_roce_json(const ConfigText& text, Estate& estate) {
  const auto root = parse_json(text.text, text.file, "RY-CFG-003");
  if (!root) return root.error();
  RoceStatus status;
  add_json(*root, "", status);
  add_status(status, text, estate);
  return {};
}

}  // namespace railyard::nvue
