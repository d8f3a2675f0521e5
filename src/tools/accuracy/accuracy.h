// How close are predictions to what others measured? Predicts every row of catalog/published and compares, in closed form or
// over the network that the row was measured on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/choices.h"
#include "report/report.h"
#include "tools/accuracy/published_network.h"

namespace railyard {

/// Why a row is shown but not counted. Rules apply to kinds of rows, never to how well they are predicted.
enum class Exclusion : std::uint8_t { none, repeated, calibrated };
template<>
struct ChoiceNames<Exclusion> {
  static constexpr std::string_view names[] = {"none", "repeated", "calibrated"};
};

/// One published measurement and what the simulator says.
struct PublishedRow {
  std::string name, note;
  std::uint32_t gpus = 0;
  double published_s = 0, predicted_s = 0;  // step time
  Exclusion excluded = Exclusion::none;
  std::string network = {};  // of catalog/published/networks.toml; none: not said
  bool experts = false;      // of a model that has some

  [[nodiscard]] double error() const { return predicted_s / published_s - 1; }
};

/// Whether a table was looked at when the constants of catalog/speeds.toml were set, or only compared with afterwards. Nothing
/// that was set with a row in sight is validated by that row.
enum class TableRole : std::uint8_t { calibration, validation };
template<>
struct ChoiceNames<TableRole> {
  static constexpr std::string_view names[] = {"calibration", "validation"};
};

struct PublishedTable {
  std::string name, title, source;
  std::string left_out;  // rows of the source that are not here, and why
  TableRole role = TableRole::calibration;
  std::vector<PublishedRow> rows;
};

struct AccuracyRequest {
  std::string table = {};  // alone; all if empty
  Fidelity engine = Fidelity::analytic;
  unsigned threads = 0;  // 0: as many as the machine has; the result does not depend on it
};

/// What was measured and what was predicted, by which engine.
struct Comparison {
  Fidelity engine = Fidelity::analytic;
  PublishedNetworks networks;
  std::vector<PublishedTable> tables;
};

/// A row that cannot be read or run is an error with its place. The flow engine needs every row's network.
Result<Comparison> predict_published(std::span<const EmbeddedFile> files, const Catalog& catalog, const AccuracyRequest& asked);

/// Errors of some rows in a few numbers.
struct ErrorSummary {
  std::size_t rows = 0;
  double median = 0, p90 = 0, mean = 0, worst = 0;  // of absolute errors; what nine of ten do not exceed
  double bias = 0;                                  // mean of signed errors
  double within_5 = 0, within_12 = 0;               // shares of rows
};
/// `all`: with rows that are shown and not counted, but for those that repeat another.
ErrorSummary summarise(std::span<const PublishedTable> tables, bool all = false);

Report accuracy_report(const Comparison& comparison);
std::string accuracy_csv(const Comparison& comparison);

}  // namespace railyard
