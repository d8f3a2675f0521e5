// What logs, perftest, counters and configurations say for or against a cause, beside the curves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expected/odd.h"
#include "measured/measured.h"
#include "qos/device.h"
#include "tools/diagnose/cause.h"

namespace railyard {

/// How much a piece of evidence says, as the logarithm of how many times likelier it is with the cause than without it.
/// Assumed: a scale of four, about 2, 5, 20 and 150 to 1.
inline constexpr double kHint = 0.7, kSome = 1.6, kStrong = 3, kProof = 5;

struct Evidence {
  std::string_view cause;  // its id
  double log_odds = 0;     // below zero: against it
  std::string text;        // what was seen, for people
  SourceSpan where;
  std::string_view rule = {};  // of those of one rule that speak the same way, one counts: eight NICs are no eight reasons
};

/// What was seen, before anybody knows what it means.
struct Seen {
  const Measurements& measured;
  const Estate& estate;  // configurations of hosts, switches and jobs that were handed in as well
  const ClusterFacts& facts;
  const std::vector<Outlier>& odd;  // who stands out among its peers
};

/// Adds what one kind of source says. Each rule of it looks at one thing.
void log_evidence(const Seen& seen, std::vector<Evidence>& out);
void setting_evidence(const Seen& seen, std::vector<Evidence>& out);
void perftest_evidence(const Seen& seen, std::vector<Evidence>& out);
void counter_evidence(const Seen& seen, std::vector<Evidence>& out);
void config_evidence(const Seen& seen, std::vector<Evidence>& out);
void odd_evidence(const Seen& seen, std::vector<Evidence>& out);

/// All of it.
[[nodiscard]] std::vector<Evidence> evidence_of(const Seen& seen);

}  // namespace railyard
