// The files of catalog/, compiled into the program: one binary knows its facts wherever it is run.
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

}  // namespace railyard
