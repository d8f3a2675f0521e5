#include "cli/collective_command.h"

#include <fmt/format.h>

#include <charconv>
#include <iostream>

#include "analysis/results.h"
#include "base/quantity_text.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "report/nccl_tests.h"
#include "report/results_report.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr std::size_t kMostSizes = 4096;

/// "16G" as nccl-tests reads it, in powers of two, or a size with its unit.
Result<Bytes> size_of(const std::string& option, const std::string& text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  if (error == std::errc() && number > 0 && unit.size() <= 1) {
    const std::size_t power = unit.empty() ? 0 : std::string_view(" KMGT").find(static_cast<char>(std::toupper(unit[0])));
    if (power != std::string_view::npos && (unit.empty() || power > 0) && number < (std::int64_t{1} << (50 - 10 * power)))
      return Bytes(number << (10 * power));
  }
  if (const auto size = parse_quantity<Bytes>(text); size && *size > Bytes::zero()) return *size;
  return Diagnostic{Severity::error,
                    "RY-RUN-015",
                    fmt::format("{} {} is not a size", option, printable(text)),
                    "write 8, 64K, 1M, 16G or \"64 MiB\"",
                    {}};
}

Result<SizeSweep> asked_for(const Options& options) {
  const Result<Bytes> first = size_of("-b", options.first_size), last = size_of("-e", options.last_size);
  const Result<Bytes> step = options.size_step.empty() ? Result<Bytes>(0_B) : size_of("-i", options.size_step);
  for (const auto* size : {&first, &last, &step})
    if (!*size) return size->error();
  return SizeSweep{*first, *last, *step, options.size_factor};
}

/// From -b to -e by the factor -f, or in steps of -i.
Result<std::vector<Bytes>> sizes_of(const SizeSweep& asked, const Options& options) {
  const auto refuse = [](std::string what, std::string hint) {
    return Diagnostic{Severity::error, "RY-RUN-015", std::move(what), std::move(hint), {}};
  };
  const bool adds = asked.step > Bytes::zero();
  if (asked.last < asked.first)
    return refuse(fmt::format("-e {} is below -b {}", options.last_size, options.first_size), "swap them");
  if (asked.factor < 2 && !adds && asked.last > asked.first)
    return refuse(fmt::format("-f {} never gets from -b to -e", asked.factor), "use a factor of at least 2, or -i");
  std::vector<Bytes> sizes;
  for (Bytes size = asked.first; size <= asked.last; size = adds ? size + asked.step : size * asked.factor) {
    sizes.push_back(size);
    if (!adds && size.count() > asked.last.count() / std::max<std::int64_t>(1, asked.factor)) break;
    if (sizes.size() > kMostSizes) return refuse("this sweep has more than 4096 sizes", "use a larger step");
  }
  return sizes;
}

Document collective_section(const std::string& kind, const std::vector<Bytes>& sizes) {
  const SourceSpan here{"railyard collective", 0, 0};
  Document section(Document::Object{}, here);
  section.set("kind", Document(kind, here), here);
  Document list(Document::Array{}, here);
  for (const Bytes size : sizes) list.push(Document(format_exact(size), here));
  section.set("sizes", std::move(list), here);
  return section;
}

}  // namespace

int collective_command(const Options& options) {
  const Result<SizeSweep> asked = asked_for(options);
  if (!asked) return complain(asked.error(), options);
  const Result<std::vector<Bytes>> sizes = sizes_of(*asked, options);
  if (!sizes) return complain(sizes.error(), options);
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options,
                                               {.workload = true, .collective = collective_section(options.kind, *sizes)});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  Progress progress;
  const Result<Run> run = [&] {
    const ProgressLine line(progress, options.quiet);
    return simulate(*scenario, {.threads = options.threads}, progress);
  }();
  if (!run) return complain(run.error(), options);
  const Results results = analyse(*scenario, *run);
  if (!write_results(results_document(results, 0), options)) return kFoundErrors;
  if (options.json != "-" && !options.quiet) std::cout << nccl_tests_table(*scenario, results, *asked);
  Diagnostics findings = results.diagnostics;  // notes are for reports: whoever reads this table knows what it is
  std::erase_if(findings, [](const Diagnostic& one) { return one.severity == Severity::note; });
  show_findings(findings, std::cerr);
  return has_errors(results.diagnostics) ? kFoundErrors : kFine;
}

}  // namespace railyard
