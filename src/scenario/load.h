// From a scenario file to a resolved Scenario, or to every mistake in it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/document.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/expectations.h"
#include "scenario/read/read_file.h"

namespace railyard {

/// From disk, or from standard input for "-". A missing or unreadable file is RY-SCN-001, and so is one that is too large.
Result<std::string> read_file_from_disk(const std::filesystem::path& path, std::size_t largest = kLargestScenario);

struct Estate;

/// What a command needs of a scenario beyond being free of mistakes.
struct LoadOptions {
  bool workload = true;                     // something to run: a [model], [traffic], [trace] or [collective]
  std::optional<Document> collective = {};  // a [collective] to run instead of what the file has; overrides still apply
  std::optional<Document> traffic = {};     // the same: a [traffic]
  std::optional<Document> trace = {};       // the same: a [trace]
  bool traces = true;                       // those that [trace] names are read, from disk
  FindOnDisk find = {};                     // these, and folders that qos.from names; where they are named, if not given
  bool is_job = false;                      // it is one of several on a fabric
  const Estate* estate = nullptr;           // configurations to take QoS from instead of what qos.from names
};

/// Loads `path`, what it extends, and the overrides ("transport.mtu=1024"), in that order; later ones win.
/// Every mistake is reported, each with its line; `read` lets tests and fuzzers stay off the disk.
Result<Scenario> load_scenario(const std::filesystem::path& path, const Catalog& catalog,
                               std::span<const std::string> overrides = {}, const ReadFile& read = read_file_from_disk,
                               const LoadOptions& options = {});

/// The same from a document that was loaded; `found` is what there was to say of old names in it.
Result<Scenario> load_scenario(Document document, const std::filesystem::path& path, const Catalog& catalog,
                               std::span<const std::string> overrides, const ReadFile& read, const LoadOptions& options,
                               Diagnostics found);

/// The same from a document with overrides in it; `path` names it in messages. A file with [[job]] is RY-JOB-001, unless the
/// options say that the document is one of them.
Result<Scenario> read_scenario(const Document& document, const std::filesystem::path& path, const Catalog& catalog,
                               const ReadFile& read = read_file_from_disk, const LoadOptions& options = {});

/// The [expect] part alone, even of a scenario that is otherwise full of mistakes (tests of mistakes need it).
ExpectSpec load_expectations(const std::filesystem::path& path, const ReadFile& read = read_file_from_disk);

}  // namespace railyard
