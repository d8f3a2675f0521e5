#include "measured/nccl_ras.h"

#include <algorithm>

#include "measured/text.h"

namespace railyard::nccl_log {

namespace {

using namespace measured_text;

/// The summary's only row of numbers: nodes, processes per node, GPUs per process, processes, GPUs. "7-8" is 8.
bool read_summary_row(std::string_view line, LibraryLog& log) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() != 5) return false;
  std::vector<std::uint32_t> numbers;
  for (const std::string_view word : words) {
    const auto number = small_number(word.substr(word.find('-') + 1));
    if (!number) return false;
    numbers.push_back(*number);
  }
  const std::uint64_t local = std::uint64_t{numbers[1]} * numbers[2];
  log.nodes = numbers[0];
  if (local < 1U << 20U) log.local_ranks = static_cast<std::uint32_t>(local);
  log.ranks = numbers[4];
  return true;
}

/// Under "Errors" and "Warnings": a heading at the margin, then what it is about, indented.
class Findings {
 public:
  Findings(const std::string& file, LibraryLog& log) : file_(file), log_(log) {}

  void read(const NumberedLine& line) {
    const std::string_view text = without_blanks(line.text);
    if (line.text.front() != ' ' && line.text.front() != '\t') {
      heading_ = text;
    } else if (text.starts_with("Rank ")) {
      log_.missing_ranks.push_back(short_text(text));
    } else if (text.starts_with("Process ")) {
      processes_.push_back(short_text(text));
    } else {
      const std::string said =
          short_text(heading_.empty() ? std::string(text) : std::string(heading_) + ": " + std::string(text));
      log_.warnings.push_back({"", said, 1, {file_, line.number, 0}});
    }
  }

  /// Processes are named again by their ranks, where there are any.
  void finish() {
    if (log_.missing_ranks.empty()) log_.missing_ranks = std::move(processes_);
  }

 private:
  const std::string& file_;
  LibraryLog& log_;
  std::string_view heading_;
  std::vector<std::string> processes_;
};

}  // namespace

bool is_ras_report(std::string_view text) {
  return contains(text, "Job summary") && contains(text, "Communicators") && contains(text, "CCL version");
}

void read_ras_report(const std::vector<NumberedLine>& lines, const std::string& file, LibraryLog& log) {
  Findings findings(file, log);
  bool has_summary = false, in_findings = false;
  for (std::size_t i = 0; i < lines.size(); i++) {
    const std::string_view text = without_blanks(lines[i].text);
    const bool is_heading = i + 1 < lines.size() && lines[i + 1].text.starts_with("===");
    if (is_heading) in_findings = text == "Errors" || text == "Warnings";
    if (text.empty() || text.starts_with("===") || is_heading) continue;
    if (in_findings)
      findings.read(lines[i]);
    else if (!has_summary)
      has_summary = read_summary_row(text, log);
  }
  findings.finish();
}

}  // namespace railyard::nccl_log
