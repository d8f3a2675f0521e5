// What mistakes in configurations cost: the same scenario with devices as they are configured, and as they would be repaired.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "qos/device.h"
#include "report/report.h"

namespace railyard {

struct SimulatedConfigs {
  std::optional<double> time_s;  // of the step, the collective or all messages; none: some of it never ends
  std::uint64_t messages = 0, undelivered = 0;
  double slowdown_p99 = 0;                    // of messages over what each takes alone
  std::optional<double> bystanders_p99 = {};  // the same of background traffic
  std::uint64_t pauses = 0, marked = 0, drops = 0, retransmissions = 0, timeouts = 0, broken = 0;
  double paused_us = 0;
  std::string fingerprint;
  std::string refused = {};  // why nothing gets through, so that nothing was played; all else is empty then
};

struct SimulatedRepairs {
  std::string scenario;
  SimulatedConfigs as_it_is, repaired;
};

/// Runs the scenario packet by packet with both. Whatever its own [qos] from names is left out.
Result<SimulatedRepairs> simulate_repairs(const std::string& scenario, const std::vector<std::string>& overrides,
                                          const Estate& as_it_is, const Estate& repaired, const Catalog& catalog,
                                          unsigned threads, Progress& progress);

Report::Section repairs_section(const SimulatedRepairs& both);
Document repairs_document(const SimulatedRepairs& both);

}  // namespace railyard
