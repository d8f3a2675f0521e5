// lspci -vvv: the link, the NUMA node and access control of each NIC.
#include <charconv>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

struct PciFunction {
  std::string address;
  std::string_view kind, model;  // "Ethernet controller"; what follows it
  std::uint32_t line = 0;
  std::optional<std::uint32_t> width, width_max;
  std::optional<double> speed, speed_max;
  std::optional<bool> access_control, relaxed_ordering;
  std::optional<std::int32_t> numa;
  std::uint32_t secondary = 0, subordinate = 0;  // buses behind a bridge
  std::uint32_t width_line = 0, control_line = 0, ordering_line = 0, numa_line = 0;
};

/// "17:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]"
std::optional<PciFunction> function_of(const Line& line) {
  const auto words = words_of(line.text);
  if (line.indent != 0 || words.size() < 3) return std::nullopt;
  PciFunction function;
  function.address = pci_address(words[0]);
  const std::string_view rest = trimmed(line.text.substr(words[0].size()));
  const std::size_t colon = rest.find(": ");
  if (function.address.empty() || colon == std::string_view::npos) return std::nullopt;
  function.kind = rest.substr(0, colon);
  function.model = trimmed(rest.substr(colon + 2));
  function.line = line.number;
  return function;
}

/// 32 of "Speed 32GT/s (ok)", behind a word.
std::optional<double> number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const char* begin = text.data() + at + word.size();
  double value = 0;
  const auto [end, problem] = std::from_chars(begin, text.data() + text.size(), value);
  if (problem != std::errc() || value <= 0 || value > 1e6) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> width_in(std::string_view text) {
  const auto width = number_after(text, "Width x");
  return width ? std::optional(static_cast<std::uint32_t>(*width)) : std::nullopt;
}

/// Buses 17 to 19 of "Bus: primary=16, secondary=17, subordinate=19".
std::uint32_t bus_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  return static_cast<std::uint32_t>(whole_number("0x" + std::string(text.substr(at + word.size(), 2)), 255).value_or(0));
}

bool field_of(PciFunction& function, const Line& line) {
  const std::string_view text = line.text;
  if (text.starts_with("LnkCap:")) {
    function.speed_max = number_after(text, "Speed ");
    function.width_max = width_in(text);
  } else if (text.starts_with("LnkSta:")) {
    function.speed = number_after(text, "Speed ");
    function.width = width_in(text);
    function.width_line = line.number;
  } else if (text.starts_with("ACSCtl:")) {
    function.access_control = contains(text, "SrcValid+") || contains(text, "ReqRedir+") || contains(text, "CmpltRedir+");
    function.control_line = line.number;
  } else if (text.starts_with("NUMA node:")) {
    if (const auto node = whole_number(text.substr(10), 1024)) function.numa = static_cast<std::int32_t>(*node);
    function.numa_line = line.number;
  } else if (text.starts_with("Bus: primary=")) {
    function.secondary = bus_after(text, "secondary=");
    function.subordinate = bus_after(text, "subordinate=");
  } else if (contains(text, "RlxdOrd+") || contains(text, "RlxdOrd-")) {
    function.relaxed_ordering = contains(text, "RlxdOrd+");
    function.ordering_line = line.number;
  }
  return true;
}

/// NICs that do RDMA; those for management and virtual functions are left out.
bool is_rdma_nic(const PciFunction& function) {
  const bool is_network = contains(function.kind, "Ethernet controller") || contains(function.kind, "Infiniband controller") ||
                          contains(function.kind, "Network controller");
  if (!is_network || contains(function.model, "Virtual Function")) return false;
  for (const std::string_view mark : {"Mellanox", "ConnectX", "BlueField", "BCM574", "BCM575", "BCM576", "BCM578", "Pensando",
                                      "Pollara", "DSC Ethernet", "E810", "E830", "Elastic Fabric"})
    if (contains(function.model, mark)) return true;
  return false;
}

Dialect vendor_of_model(std::string_view model) {
  if (contains(model, "Mellanox") || contains(model, "ConnectX") || contains(model, "BlueField")) return Dialect::mlnx;
  if (contains(model, "BCM")) return Dialect::niccli;
  return contains(model, "Pensando") || contains(model, "DSC ") || contains(model, "Pollara") ? Dialect::nicctl : Dialect::dcb;
}

/// "ConnectX-7" of "Mellanox Technologies MT2910 Family [ConnectX-7]"; the whole text where there are no brackets.
std::string short_model(std::string_view model) {
  std::size_t open = model.find('[');
  while (open != std::string_view::npos) {
    const std::size_t close = model.find(']', open);
    const std::string_view inside = model.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
    if (!contains(inside, ":") && inside.size() > 4) return std::string(inside);
    open = model.find('[', open + 1);
  }
  return std::string(model.substr(0, model.find(" (rev")));
}

/// Access control on the NIC itself or on a bridge above it sends what GPUs and NICs say to each other through the root.
void set_access_control(HostScope& scope, std::size_t nic, const PciFunction& function, const std::vector<PciFunction>& all) {
  const std::string domain = function.address.substr(0, 5);
  const auto bus = whole_number("0x" + function.address.substr(5, 2), 255).value_or(0);
  for (const PciFunction& one : all) {
    const bool is_above =
        one.address.starts_with(domain) && one.secondary <= bus && bus <= one.subordinate && one.subordinate > 0;
    if (!one.access_control || (!is_above && one.address != function.address)) continue;
    const bool was_on = scope.config(nic).acs.value_or(false);
    if (!was_on) {
      scope.config(nic).acs = *one.access_control;
      scope.say(nic, "acs", one.control_line);
    }
  }
}

void set_nic(HostScope& scope, const PciFunction& function, const std::vector<PciFunction>& all) {
  const std::size_t nic = scope.nic({{}, {}, {function.address}}, vendor_of_model(function.model));
  NicConfig& config = scope.config(nic);
  config.model = short_model(function.model);
  scope.say(nic, "model", function.line);
  config.pcie_speed = function.speed;
  config.pcie_speed_max = function.speed_max;
  config.pcie_width = function.width;
  config.pcie_width_max = function.width_max;
  if (function.width || function.speed)
    for (const std::string_view member : {"pcie_width", "pcie_speed"}) scope.say(nic, member, function.width_line);
  if (function.numa) {
    config.numa = function.numa;
    scope.say(nic, "numa", function.numa_line);
  }
  if (function.relaxed_ordering) {
    config.relaxed_ordering = function.relaxed_ordering;
    scope.say(nic, "relaxed_ordering", function.ordering_line);
  }
  set_access_control(scope, nic, function, all);
}

}  // namespace

void read_lspci(HostScope& scope) {
  constexpr std::size_t kMostFunctions = 4096;  // of a host
  std::vector<PciFunction> functions;
  for (Line& line : scope.block.lines) {
    if (line.taken) continue;
    if (functions.size() == kMostFunctions) break;
    if (auto function = function_of(line)) {
      functions.push_back(std::move(*function));
      line.taken = true;
    } else if (!functions.empty() && (line.indent > 0 || line.text.empty())) {
      line.taken = field_of(functions.back(), line);
    }
  }
  for (const PciFunction& function : functions)
    if (is_rdma_nic(function)) set_nic(scope, function, functions);
}

}  // namespace railyard::host_text
