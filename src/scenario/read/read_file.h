// How files are read: from disk, from the program itself, or from what a test makes up.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"

namespace railyard {

constexpr std::size_t kLargestScenario = std::size_t{4} << 20;  // bytes; and of what its keys name, but
constexpr std::size_t kLargestTraffic = std::size_t{1} << 30;   // of flows in a file

/// Reads a file's text; used for the scenario itself, for what it extends and for what its keys name.
class ReadFile {
 public:
  template<std::invocable<const std::filesystem::path&, std::size_t> Read>
  ReadFile(Read read) : read_(std::move(read)) {}
  /// From where nothing is large.
  template<std::invocable<const std::filesystem::path&> Read>
  ReadFile(Read read) : read_([own = std::move(read)](const std::filesystem::path& path, std::size_t) { return own(path); }) {}

  /// Refuses what is larger than `largest` bytes.
  Result<std::string> operator()(const std::filesystem::path& path, std::size_t largest = kLargestScenario) const {
    return read_(path, largest);
  }

 private:
  std::function<Result<std::string>(const std::filesystem::path&, std::size_t)> read_;
};

/// What readers open themselves, and no ReadFile does: traces, which may be larger than memory, and folders of configurations.
enum class OnDisk : std::uint8_t { trace, folder };

/// Where it is, by the path that a scenario leads to: there, or where somebody has a copy of it.
using FindOnDisk = std::function<std::filesystem::path(const std::filesystem::path& named, OnDisk what)>;

}  // namespace railyard
