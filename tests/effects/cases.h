// What the test of keys runs: small scenarios of every workload in which keys can matter, and values to give to keys.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/schema.h"

namespace railyard::effects {

/// A workload with an engine that plays it.
struct Case {
  const char *workload, *fidelity;
};
std::span<const Case> cases();
/// The names of transports.
std::span<const char* const> transports();

/// The scenario of a workload that every key is tried on.
const std::string& base_of(std::string_view workload);

/// A file that a scenario names.
std::string file_named(std::string_view name);

/// The same scenario changed, so that other keys matter; empty settings where a workload has nothing of the kind.
struct Variant {
  const char* name;
  std::vector<std::string> set;
};
std::span<const Variant> variants_of(std::string_view workload);

/// Values for a key that differ from its default.
std::vector<std::string> values_of(const std::string& path, const KeyInfo& key);

/// Variants in which a key is to show its effect, where the base is not enough.
std::vector<std::string> shown_in(std::string_view path);

/// Why a key that says nothing of itself need not show an effect; empty if it must.
std::string excused(const std::string& path, const Case& at, std::string_view transport);

}  // namespace railyard::effects
