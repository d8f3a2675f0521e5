// Does a scenario do what its [expect] says? This is how Railyard's own text tests run, and how users pin down their results.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace railyard {

/// What was expected and not found, a sentence each; empty if all is as expected.
/// A scenario without [expect] expects to run without findings.
std::vector<std::string> broken_expectations(const std::filesystem::path& path, const Catalog& catalog,
                                             std::span<const std::string> overrides, unsigned threads);

}  // namespace railyard
