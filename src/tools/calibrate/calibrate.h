// `railyard calibrate`: what packets make of a transport, as the one number that the flow engine takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "report/report.h"

namespace railyard {

/// One transport with one way of routing. A share is the goodput of packets over that of flows which use all of every port,
/// from the first start to the last delivery; sharing that is not fair may bring it above 1.
struct Calibrated {
  TransportKind kind = TransportKind::roce;
  RoutingPolicy policy = RoutingPolicy::ecmp;
  CongestionControl control = CongestionControl::none;
  double permutation = 0, incast = 0, ring = 0;
  double efficiency = 0;    // their geometric mean, at most 1: the best that one number can do
  std::string differs;      // what packets met where they fell behind most
  std::string fingerprint;  // of all runs
};

struct CalibrateRequest {
  std::optional<TransportKind> kind = {};  // all of them if not given
  unsigned threads = 0;                    // the result does not depend on it
};

/// Plays the reference traffic with packets and with flows. Refuses nothing of its own: errors are those of scenarios.
Result<std::vector<Calibrated>> calibrate(const CalibrateRequest& request, const Catalog& catalog, Progress& progress);

/// "uec-spray": what an entry is called in the catalog.
std::string entry_name(const Calibrated& row);

Report calibrate_report(const std::vector<Calibrated>& rows);

/// As catalog/transports.toml has it, with the command and the version that made it.
std::string calibrate_toml(const std::vector<Calibrated>& rows, const std::string& command, const std::string& version);

}  // namespace railyard
