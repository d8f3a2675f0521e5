// A run as metrics under the names that exporters of NICs, switches and communication libraries use.
#pragma once

#include <string>
#include <vector>

#include "analysis/results.h"
#include "export/openmetrics.h"
#include "sim/simulate.h"

namespace railyard {

struct MetricsChoice {
  std::string run;              // the label that all series have; empty: the fingerprint
  double dilation = 0;          // seconds of Prometheus for one of the run; 0: the usual one
  double start_s = 1735689600;  // since 1970: 2025-01-01, so that equal runs give equal files
};

/// A microsecond becomes a second where packets are sampled, a millisecond does otherwise.
double usual_dilation(const Run& run);

std::vector<MetricFamily> metrics_of_run(const Run& run, const Results& results, const MetricsChoice& choice);

}  // namespace railyard
