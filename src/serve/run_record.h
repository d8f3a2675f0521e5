// What a server knows of a run: a value, and its form in JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/document.h"

namespace railyard {

enum class ServedState : std::uint8_t { queued, running, finished, failed, cancelled, lost };

std::string_view name_of(ServedState state);
[[nodiscard]] bool has_ended(ServedState state);

struct RunRecord {
  std::string id;    // 32 hexadecimal digits that nobody guesses
  std::string name;  // as its scenario has it
  ServedState state = ServedState::queued;
  std::int64_t created_ms = 0, started_ms = 0, ended_ms = 0;  // since 1970; zero: not yet
  double share = 0;                                           // of the work that is done
  std::string now = {};                                       // what it is at
  Diagnostics problems = {};                                  // why it failed
  std::uint64_t version = 0;                                  // counts changes; not kept
};

Document run_document(const RunRecord& run);
/// Nothing where it is no such document.
std::optional<RunRecord> read_run(const Document& document);

/// A list of findings as results have it.
Document problems_document(const Diagnostics& problems);
Diagnostics read_problems(const Document* list);

/// 32 hexadecimal digits from the system's source of random numbers.
std::string new_run_id();
[[nodiscard]] bool is_run_id(std::string_view text);

/// `name` of a scenario, as far as it can be told without reading it as TOML; "scenario" where it cannot.
std::string title_of_scenario(std::string_view text);

}  // namespace railyard
