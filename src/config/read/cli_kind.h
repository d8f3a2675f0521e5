// Whose indented CLI text a file is: those of EOS, NX-OS, OS10 and AOS-CX look alike, so statements that only one has decide.
#pragma once

#include <cstdint>
#include <string_view>

namespace railyard {

enum class CliKind : std::uint8_t { none, eos, nxos, os10, aoscx };

/// The kind that most telling statements speak for; none if there is no such statement. Of equals, the first in the enum.
[[nodiscard]] CliKind cli_kind(std::string_view text);

}  // namespace railyard
