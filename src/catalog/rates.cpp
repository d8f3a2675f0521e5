#include "catalog/rates.h"

#include <algorithm>
#include <charconv>

namespace railyard {

namespace {

constexpr std::int64_t kMostLinksOfAPort = 8;  // a cage has eight lanes: slower links do not split it further

/// The number right after `word`.
std::optional<int> number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  int number = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const char* const begin = text.data() + at + word.size();
  if (std::from_chars(begin, text.data() + text.size(), number).ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

std::uint32_t ports_at(const SwitchFact& fact, BitsPerSecond rate) {
  if (rate > fact.port_rate) return 0;
  const std::int64_t fits = fact.port_rate / rate;
  std::int64_t links = 1;
  while (links * 2 <= std::min(fits, kMostLinksOfAPort)) links *= 2;
  return static_cast<std::uint32_t>(fact.ports * links);
}

BitsPerSecond port_rate(const NicFact& fact, TransportKind transport) {
  return fact.ethernet_rate && transport != TransportKind::infiniband ? *fact.ethernet_rate : fact.rate;
}

std::optional<BitsPerSecond> pcie_rate(std::string_view host_interface) {
  const auto generation = number_after(host_interface, "PCIe "), lanes = number_after(host_interface, " x");
  if (!generation || !lanes || *generation < 3 || *generation > 6) return std::nullopt;
  const double transfers = 1e9 * static_cast<double>(1 << *generation);  // of a lane a second
  const double payload = *generation < 6 ? 128.0 / 130 : 236.0 / 256;
  return BitsPerSecond(static_cast<std::int64_t>(transfers * *lanes * payload));
}

}  // namespace railyard
