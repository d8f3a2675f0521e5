// The files of catalog/ and scenarios/, compiled into the program: one binary knows its facts and presets wherever it is run.
#pragma once

#include <span>
#include <string_view>

namespace railyard {

struct EmbeddedFile {
  std::string_view name;  // "catalog/gpus.toml"
  std::string_view text;
};

/// Sorted by name. Defined in a source made at build time by cmake/embed.cmake.
std::span<const EmbeddedFile> embedded_catalog();

/// The same for "scenarios/llama3.toml" and what such files refer to.
std::span<const EmbeddedFile> embedded_scenarios();

}  // namespace railyard
