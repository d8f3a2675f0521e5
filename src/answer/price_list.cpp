#include "answer/price_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/toml.h"

namespace railyard {

namespace {

/// The one that goes by its role: "switch".
std::string_view role_of(PricedKind kind) {
  switch (kind) {
    case PricedKind::server:
      return "server";
    case PricedKind::network_switch:
      return "switch";
    case PricedKind::nic:
      return "nic";
    default:
      return {};
  }
}

const std::string& part_of(const PriceFact& fact, PricedKind kind) {
  switch (kind) {
    case PricedKind::server:
      return fact.server;
    case PricedKind::network_switch:
      return fact.switch_model;
    case PricedKind::nic:
      return fact.nic;
    default:
      return fact.optic;
  }
}

/// A value as an override has it.
std::string written(const Document& value) {
  return value.text() ? fmt::format("\"{}\"", printable(*value.text())) : value.summary();
}

}  // namespace

const GivenPrice* PriceList::given_price(PricedKind kind, std::string_view name) const {
  const auto called = [&](std::string_view part) -> const GivenPrice* {
    if (part.empty()) return nullptr;
    const auto found = std::find_if(given_.begin(), given_.end(), [&](const GivenPrice& one) { return one.part == part; });
    return found == given_.end() ? nullptr : &*found;
  };
  const GivenPrice* const by_name = called(name);
  return by_name ? by_name : called(role_of(kind));
}

bool PriceList::is_given(PricedKind kind, std::string_view name) const { return given_price(kind, name) != nullptr; }

std::optional<Price> PriceList::of(PricedKind kind, std::string_view name) const {
  if (const GivenPrice* const own = given_price(kind, name))
    return Price{static_cast<double>(own->price.count()), {}, {Status::given, "prices." + own->part}};
  if (name.empty()) return std::nullopt;
  for (const Entry<PriceFact>& entry : catalog_.prices.entries()) {
    const bool is_it = kind == PricedKind::plain ? entry.name == name : part_of(entry.fact, kind) == name;
    if (is_it) return Price{static_cast<double>(entry.fact.price.count()), entry.fact.date, entry.origin_of("price")};
  }
  return std::nullopt;
}

std::string PriceList::key_of(PricedKind kind, std::string_view name) {
  const std::string_view part = name.empty() ? role_of(kind) : name;
  return part.find('.') == std::string_view::npos ? fmt::format("prices.{}", part) : fmt::format("prices.\"{}\"", part);
}

Result<std::vector<std::string>> price_overrides(const std::string& text, const std::string& file) {
  const Result<Document> document = parse_toml(text, file, "RY-CST-002");
  if (!document) return document.error();
  Diagnostics found;
  std::vector<std::string> overrides;
  for (const Document::Member& section : *document->members()) {
    const bool known = (section.key == "prices" || section.key == "cost") && section.value.members();
    if (!known) {
      found.push_back({Severity::error, "RY-CST-003", fmt::format("a list of prices has no '{}'", printable(section.key)),
                       "write [prices], and [cost] if need be, with the same keys as a scenario", section.where});
      continue;
    }
    for (const Document::Member& one : *section.value.members())
      overrides.push_back(fmt::format("{}.\"{}\"={}", section.key, one.key, written(one.value)));
  }
  if (!found.empty()) return found;
  return overrides;
}

}  // namespace railyard
