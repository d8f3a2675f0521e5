#include "tools/compare/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "base/check.h"
#include "base/quantity_text.h"
#include "tools/compare/document_figures.h"

namespace railyard {

namespace {

constexpr const char* kDocuments =
    "the source documents, mainly 001 (AMD, November 2025); catalog/documents/models.toml; railyard claims judges it";

/// Three significant digits, no exponent.
std::string three_digits(double value) {
  const int whole = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  return fmt::format("{:.{}f}", value, std::max(0, 3 - std::max(whole, 1)));
}

/// `value` in the largest of units a thousand apart that leaves at least 1.
std::string in_units(double value, std::initializer_list<const char*> units) {
  auto unit = units.begin();
  for (; value >= 999.5 && unit + 1 != units.end(); unit++) value /= 1000;
  return fmt::format("{} {}", three_digits(value), *unit);
}

}  // namespace

std::string percent_text(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string seconds_text(double seconds) { return format(from_seconds(seconds)); }
std::string count_text(double count) { return format_count(static_cast<std::uint64_t>(count + 0.5)); }
std::string rate_text(double gbps) { return in_units(gbps, {"Gb/s", "Tb/s", "Pb/s", "Eb/s"}); }
std::string amount_text(double bytes) {
  return bytes == 0 ? "0 B" : in_units(bytes, {"B", "kB", "MB", "GB", "TB", "PB", "EB"});
}

const StepResults& step_of(const ComparedRun& run) {
  RY_CHECK(run.analysed.step, "what is compared are training steps");
  return *run.analysed.step;
}

double number_at(const Document& document, std::string_view path, double value) {
  constexpr double kDigits = 1e-3;  // lists of rates are written with four
  double storage = 0;
  const Document* const found = document.at_path(path);
  const double* const number = found ? found->number(storage) : nullptr;
  RY_CHECK(number, "the results have a number where a table says that it is from");
  RY_CHECK(std::abs(*number - value) <= kDigits * std::abs(value), "and it is the number of the table");
  return *number;
}

Figure derived(std::string text, std::string path) { return {std::move(text), std::move(path), "simulated"}; }

Figure simulated(const ComparedRun& run, const std::string& path, std::optional<double> value,
                 const std::function<std::string(double)>& text) {
  return value ? derived(text(number_at(run.results, path, *value)), path) : Figure{};
}

FigureColumn path_column(std::string id, std::string title, std::string path, ReadNumber value, std::string formula,
                         std::function<std::string(double)> text) {
  return {std::move(id), std::move(title), Align::right, std::move(formula),
          [path, value, text](const ComparedRun& run) { return simulated(run, path, value(run.analysed), text); }};
}

FigureColumn claimed_column(const std::string& what, const std::string& title) {
  return {what + "-said", title, Align::left, "as the documents claim it", [what](const ComparedRun& run) {
            return Figure{document_figure(run.id, what).claimed, {}, "claimed", kDocuments};
          }};
}

FigureColumn published_column(const std::string& what, const std::string& title) {
  return {what + "-published", title, Align::left, "as a primary source has it", [what](const ComparedRun& run) {
            const DocumentFigure claimed = document_figure(run.id, what);
            return Figure{claimed.published, {}, "published", claimed.source};
          }};
}

std::vector<FigureTable> comparison_tables() {
  return {architecture_table(),
          power_table(),
          cost_table(),
          parallelism_table(),
          primitives_table_of_all(),
          primitives_table_of_network(),
          patterns_table(),
          bandwidth_table(),
          latency_table(),
          mfu_table(),
          time_table(),
          transports_table(),
          congestion_table()};
}

}  // namespace railyard
