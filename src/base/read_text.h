// Files from disk, of a size that somebody thought of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>

namespace railyard {

enum class ReadProblem { folder, unreadable, broken_off, too_large };

/// All of a file, a pipe or a device ("-" is standard input), or why not. Never holds more than `largest` bytes: what goes on
/// without end (/dev/zero) is too large.
tl::expected<std::string, ReadProblem> read_text(const std::filesystem::path& path, std::size_t largest);

/// "4 MiB": for messages about `largest`.
std::string size_limit_text(std::size_t largest);

}  // namespace railyard
