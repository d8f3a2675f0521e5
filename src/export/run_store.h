// Runs that are kept in one SQLite file: what was asked, what came out, ports, flows and series (docs/integrations.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/results.h"
#include "base/document.h"
#include "base/result.h"
#include "export/transfer_log.h"
#include "sim/simulate.h"

namespace railyard {

/// What is known of a run without its figures.
struct StoredRun {
  std::int64_t id = 0;
  std::string name, file, engine, fingerprint;
  std::string version;   // of the program
  std::string created;   // "2026-11-18 12:00:00", UTC
  std::string command;   // that repeats it
  std::string scenario;  // as it was read
  std::string answer;    // the first sentence of its verdict
};

/// What a run left, for its tables.
struct StoredEvidence {
  const Run& run;
  const Results& results;
  const TransferLog& transfers;
};

inline constexpr int kStoreVersion = 3;  // of the tables

// Every function opens the file by itself, waits for others that write, and leaves it as it was where something fails.
// Refused: a file that cannot be opened (RY-STO-001), that is no store (RY-STO-002) or one of another version, older or
// newer (RY-STO-003), and runs that are not there (RY-STO-004).

/// What `add_run` would refuse of the file, before a long run: nothing is written.
Diagnostics refused_store(const std::filesystem::path& store);

/// Adds a run as a whole. Returns its id. The store is made where there is none.
Result<std::int64_t> add_run(const std::filesystem::path& store, const StoredRun& run, const Document& results,
                             const StoredEvidence& evidence);

/// All runs, by id.
Result<std::vector<StoredRun>> list_runs(const std::filesystem::path& store);

struct KeptRun {
  StoredRun about;
  Document results;  // as --json has them
};
Result<KeptRun> load_run(const std::filesystem::path& store, std::int64_t id);

/// Takes runs out, all of them or none.
Result<std::size_t> remove_runs(const std::filesystem::path& store, const std::vector<std::int64_t>& runs);

}  // namespace railyard
