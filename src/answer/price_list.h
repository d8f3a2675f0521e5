// What parts cost: the user's own prices first, then the catalog's, each with its source and date. No part is priced as
// another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/cost_plan.h"

namespace railyard {

struct Price {
  double usd = 0;
  std::string date;  // of the catalog's; empty for the user's
  Origin origin;
};

/// What a price is asked for.
enum class PricedKind : std::uint8_t { server, network_switch, nic, optic, plain };

class PriceList {
 public:
  /// REQUIRES: `catalog` lives as long.
  PriceList(const Catalog& catalog, std::vector<GivenPrice> given) : catalog_(catalog), given_(std::move(given)) {}

  /// `name` is an entry of the catalog or, of plain ones, of kPlainParts; empty for a server, switch or NIC without a name.
  [[nodiscard]] std::optional<Price> of(PricedKind kind, std::string_view name) const;

  /// Whether the user said it, by name or by role.
  [[nodiscard]] bool is_given(PricedKind kind, std::string_view name) const;

  /// What [prices] calls it.
  static std::string key_of(PricedKind kind, std::string_view name);

 private:
  [[nodiscard]] const GivenPrice* given_price(PricedKind kind, std::string_view name) const;

  const Catalog& catalog_;
  std::vector<GivenPrice> given_;
};

/// The lines of a file with [prices] and [cost] as overrides of a scenario's ("prices.\"Quantum-2\"=…"), which see what is
/// wrong with their values. What cannot be read is RY-CST-002, a file with something else in it RY-CST-003.
Result<std::vector<std::string>> price_overrides(const std::string& text, const std::string& file);

}  // namespace railyard
