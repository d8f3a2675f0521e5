#include "config/read/sonic_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printed_text.h"
#include "config/read/sonic_device.h"
#include "config/read/sonic_facts.h"
#include "config/read/sonic_policy.h"
#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"

namespace railyard::sonic {

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_action(std::string_view word) { return word == "drop" || word == "forward" || word == "alert"; }

/// {"name": "value"} with its place.
Document::Member text_member(std::string_view key, std::string_view value, const SourceSpan& where) {
  return {std::string(key), where, Document(std::string(value), where)};
}

/// The number of milliseconds in "Changed polling interval to 600ms"; empty if the line is another.
std::string_view polling_interval(std::string_view line) {
  constexpr std::string_view kBefore = "polling interval to ";
  const std::size_t at = line.find(kBefore);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + kBefore.size());
  return line.substr(0, line.find_first_not_of("0123456789"));
}

/// Profiles of `ecnconfig -l` as rows of WRED_PROFILE.
Document wred_profiles(const ConfigText& text) {
  Document::Object profiles;
  for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
    const SourceSpan where{text.file, line.number, 0};
    const auto words = printed::words_of(line.text);
    if (words.size() == 2 && words[0] == "Profile:") {
      profiles.push_back({std::string(words[1]), where, Document(Document::Object(), where)});
    } else if (words.size() == 2 && !profiles.empty() && words[0].front() != '-') {
      constexpr std::size_t kMostFields = 64;  // a profile has some twenty
      Document& last = profiles.back().value;
      if (last.members()->size() < kMostFields && last.find(words[0]) == nullptr)
        last.append(std::string(words[0]), Document(std::string(words[1]), where), where);
    }
  }
  Document root = Document::object();
  root.append("WRED_PROFILE", Document(std::move(profiles)));
  return root;
}

/// Every policy of the device with this marking on its queues.
void set_marking(Device& device, const EcnPolicy& ecn, const SourceSpan& where) {
  if (device.policies.empty()) device.policies.push_back(unmapped_policy());
  for (QosPolicy& policy : device.policies) {
    const bool marks = std::any_of(policy.queues.begin(), policy.queues.end(), [](const auto& q) { return q.ecn.has_value(); });
    for (std::size_t i = 0; i < kPriorities; i++) {
      if (marks ? !policy.queues[i].ecn.has_value() : i != 3 && i != 4) continue;
      policy.queues[i].ecn = ecn;
      policy.said[fmt::format("queue.{}.ecn", i)] = where;
    }
  }
}

}  // namespace

bool is_watchdog_text(const ConfigText& text) {
  return contains(text.text, "DETECTION TIME") && contains(text.text, "RESTORATION TIME") && contains(text.text, "ACTION");
}

Diagnostics read_watchdog_text(const ConfigText& text, Estate& estate) {
  Document::Object rows;
  for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
    const SourceSpan where{text.file, line.number, 0};
    const auto words = printed::words_of(line.text);
    if (const std::string_view poll = polling_interval(line.text); !poll.empty()) {
      rows.push_back({"GLOBAL", where, Document(Document::Object{text_member("POLL_INTERVAL", poll, where)}, where)});
    } else if (words.size() >= 4 && is_action(words[1])) {
      Document::Object fields{text_member("action", words[1], where), text_member("detection_time", words[2], where),
                              text_member("restoration_time", words[3], where)};
      rows.push_back({std::string(words[0]), where, Document(std::move(fields), where)});
    }
  }
  Document root = Document::object();
  root.append("PFC_WD", Document(std::move(rows)));
  add_tables(root, text, estate);
  return {};
}

bool is_ecn_text(const ConfigText& text) {
  return contains(text.text, "Profile: ") && contains(text.text, "_max_threshold") && text.text.find('{') == std::string::npos;
}

Diagnostics read_ecn_text(const ConfigText& text, Estate& estate) {
  const Document root = wred_profiles(text);
  const Tables tables(root);
  Device& device = switch_of(estate, text, {}, Dialect::sonic);
  UnreadNotes unread(device);
  bool is_first = true;
  for (const Entry& profile : tables.rows("WRED_PROFILE")) {
    const auto ecn = ecn_of(profile);
    if (!ecn) continue;
    if (is_first)
      set_marking(device, *ecn, *profile.where);
    else
      unread.add("WRED profile of unknown queues", *profile.where);
    is_first = false;
  }
  return {};
}

bool is_profile_lookup(const ConfigText& text) {
  const std::size_t header = text.text.find("speed cable");
  if (header == std::string::npos || text.text.find('{') != std::string::npos) return false;
  const std::string_view line = std::string_view(text.text).substr(header, text.text.find('\n', header) - header);
  return contains(line, "size") && contains(line, "xon") && contains(line, "xoff");
}

Diagnostics read_profile_lookup(const ConfigText& text, Estate& estate) {
  Device& device = switch_of(estate, text, {}, Dialect::sonic);
  device.lossless_profiles.clear();
  UnreadNotes unread(device);
  for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
    const auto words = printed::words_of(line.text);
    if (words.empty() || words[0].front() == '#') continue;
    const SourceSpan where{text.file, line.number, 0};
    constexpr std::string_view kNames[] = {"size", "xon", "xoff", "dynamic_th", "xon_offset"};
    const auto speed = speed_of(number_of(words[0]));
    const auto cable = words.size() > 1 ? cable_of(words[1]) : std::nullopt;
    if (!speed || !cable || words.size() < 6) {
      unread.add("a row that is no speed, cable, size, xon, xoff and threshold", where);
      continue;
    }
    Document fields = Document::object();
    for (std::size_t i = 2; i < std::min(words.size(), std::size(kNames) + 2); i++)
      fields.append(std::string(kNames[i - 2]), Document(std::string(words[i]), where), where);
    device.lossless_profiles.push_back({*speed, *cable, group_of({"", &fields, &where}), where});
  }
  add_managed_buffers(device);
  return {};
}

bool is_lldp_text(const ConfigText& text) {
  return contains(text.text, "LocalPort") && contains(text.text, "RemoteDevice") && contains(text.text, "RemotePortID");
}

Diagnostics read_lldp_text(const ConfigText& text, Estate& estate) {
  Device& device = switch_of(estate, text, {}, Dialect::sonic);
  SwitchPorts ports(device);
  std::vector<std::size_t> starts;
  for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
    if (const auto found = printed::column_starts(line.text); !found.empty()) {
      starts = starts.empty() ? found : std::vector<std::size_t>();  // a second one ends the table
      continue;
    }
    const auto cells = printed::cells_of(line.text, starts);
    if (cells.size() < 3 || cells[0].empty() || cells[1].empty() || contains(cells[0], " ")) continue;
    PortConfig& port = device.ports[ports.add(cells[0], {text.file, line.number, 0})];
    port.neighbour = cells[1];
    port.neighbour_port = cells[2];
  }
  return {};
}

}  // namespace railyard::sonic
