#include "serve/run_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/json.h"
#include "base/read_text.h"

namespace railyard {

namespace {

constexpr std::size_t kLargestFindings = std::size_t{4} << 20, kLargestLog = std::size_t{1} << 20;

Diagnostic problem(std::string_view code, std::string message, std::string hint) {
  return {Severity::error, std::string(code), std::move(message), std::move(hint), {}};
}

/// Those of a scenario that was refused; none where there are results.
Diagnostics findings_in(const std::filesystem::path& folder) {
  const auto text = read_text(folder / "results.json", kLargestFindings);
  if (!text) return {};
  const Result<Document> document = parse_json(*text, "results.json", "RY-WEB-022");
  if (!document) return {};
  const Document* const schema = document->find("schema");
  const bool are_findings = schema && schema->text() && *schema->text() == "railyard-findings/1";
  return are_findings ? read_problems(document->find("diagnostics")) : Diagnostics();
}

std::string log_of(const std::filesystem::path& folder) {
  const auto text = read_text(folder / "log.txt", kLargestLog);
  return text ? *text : std::string();
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return printable(text.substr(text.find_last_of('\n') + 1));
}

bool is_out_of_memory(const ChildEnd& end, const std::string& log) {
  return end.signal == SIGKILL || log.find("out of memory") != std::string::npos;
}

}  // namespace

RunEnd end_of_run(const ChildEnd& end, const std::filesystem::path& folder, const ServeLimits& limits) {
  if (end.took_too_long)
    return {.problems = {problem("RY-WEB-021", fmt::format("the run took longer than {} s", limits.longest.count()),
                                 "use a smaller scenario, or start the server with a larger --time-limit")}};
  if (!end.started)
    return {.problems = {problem("RY-WEB-022", "the program could not be started", "look at the limits of the server's user")}};
  Diagnostics findings = findings_in(folder);
  if (!findings.empty()) return {.problems = std::move(findings)};
  std::error_code ignored;
  if (end.signal == 0 && end.code <= 1 && std::filesystem::exists(folder / "page.html", ignored))
    return {.state = ServedState::finished};
  const std::string log = log_of(folder);
  if (is_out_of_memory(end, log))
    return {.problems = {problem("RY-WEB-020",
                                 fmt::format("the run needs more than the {} MiB that one may take", limits.memory >> 20U),
                                 "use a smaller scenario, or start the server with a larger --memory")}};
  return {.problems = {problem("RY-WEB-022",
                               end.signal != 0 ? fmt::format("the run was ended by signal {}", end.signal) : last_line(log),
                               "run the scenario with railyard run, and report it if that fails, too")}};
}

Diagnostic lost_run() { return problem("RY-WEB-023", "the server ended while this ran", "run it again"); }

}  // namespace railyard
