#include "export/port_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/tier_loads.h"
#include "base/nearest.h"

namespace railyard {

namespace {

constexpr std::string_view kAllPorts = "all", kNicPorts = "nics";

std::string_view trimmed_name(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

/// Parts between commas; ", link 2" belongs to the name before it.
std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view part = trimmed_name(names.substr(begin, end - begin));
    if (!all.empty() && part.substr(0, 5) == "link ")
      all.back() += fmt::format(", {}", part);
    else
      all.emplace_back(part);
    begin = end + 1;
  }
  return all;
}

bool is_of_network(const Fabric& fabric, PortId port) { return !is_scale_up(fabric.trunk_tier[fabric.port_trunk[port]]); }

class NamedPorts {
 public:
  explicit NamedPorts(const Fabric& fabric) : fabric_(fabric), names_(port_names(fabric)) {}

  /// Adds the ports that `name` stands for; false if there are none.
  bool add(std::string_view name, std::set<PortId>& chosen) const {
    bool found = false;
    for (const PortId port : ids(names_)) {
      if (!is_of_network(fabric_, port) || !stands_for(name, port)) continue;
      chosen.insert(port);
      found = true;
    }
    return found;
  }

  [[nodiscard]] std::string closest(std::string_view name) const {
    std::set<std::string> ends;
    std::vector<std::string> names = {std::string(kNicPorts), std::string(kAllPorts)};
    for (const PortId port : ids(names_))
      if (is_of_network(fabric_, port)) {
        ends.emplace(ends_of(names_[port]).first);
        names.push_back(names_[port]);
      }
    names.insert(names.end(), ends.begin(), ends.end());
    return nearest(name, names);
  }

 private:
  static constexpr std::string_view kBetween = " to ";

  /// The two nodes of "leaf 0 to spine 1, link 2".
  static std::pair<std::string_view, std::string_view> ends_of(std::string_view port) {
    const std::size_t between = port.find(kBetween);
    const std::string_view to = port.substr(between + kBetween.size());
    return {port.substr(0, between), to.substr(0, to.find(", link "))};
  }

  [[nodiscard]] bool stands_for(std::string_view name, PortId port) const {
    if (is_same_name(name, kAllPorts)) return true;
    if (is_same_name(name, kNicPorts)) return fabric_.kind[fabric_.port_to[port]] == NodeKind::host;
    if (name.find(kBetween) != std::string_view::npos) return is_same_name(name, names_[port]);
    const auto [from, to] = ends_of(names_[port]);
    return is_same_name(name, from) || is_same_name(name, to);
  }

  const Fabric& fabric_;
  Table<PortId, std::string> names_;
};

}  // namespace

Result<std::vector<PortId>> choose_ports(const Fabric& fabric, std::string_view names) {
  const NamedPorts ports(fabric);
  std::set<PortId> chosen;
  for (const std::string& name : split_names(names)) {
    if (ports.add(name, chosen)) continue;
    const std::string close = ports.closest(name);
    return Diagnostic{Severity::error, "RY-CAP-020", fmt::format("no port of this network is called \"{}\"", name),
                      close.empty() ? "use names of the report: \"leaf 0 to GPU 3\", \"GPU 3\", nics or all"
                                    : fmt::format("did you mean \"{}\"?", close)};
  }
  return std::vector<PortId>(chosen.begin(), chosen.end());
}

}  // namespace railyard
