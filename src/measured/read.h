// From files that people have to what was measured: what kinds of things a file holds, is told from its content.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measured/measured.h"

namespace railyard {

/// One file, with the device name that its path suggests ("node01" of counters/node01/ethtool.txt).
struct MeasuredText {
  std::string file;
  std::string device;
  std::string text;
};

/// Reads one format. A file may hold several (a table of nccl-tests with NCCL's log in between): every reader that recognises
/// its own in it reads it. A reader never stops at what is not its own, and lists as skipped what looks like it and is broken.
struct MeasuredReader {
  std::string_view name;                         // "nccl-tests", for people
  bool (*recognises)(const MeasuredText& text);  // by content
  void (*read)(const MeasuredText& text, Measurements& all);
};

/// Every reader there is.
[[nodiscard]] const std::vector<MeasuredReader>& measured_readers();

/// Reads one text by every reader that recognises it; false where none does.
bool read_measured(const MeasuredText& text, Measurements& all);

/// Reads files and folders, those below them too, in the order of their names ("-" is standard input). What cannot be opened
/// or is larger than 256 MiB is an error (RY-MSR-001); what no reader knows is listed in unknown_files.
Result<Measurements> read_measurements(const std::vector<std::filesystem::path>& paths);

}  // namespace railyard
