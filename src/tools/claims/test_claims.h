// Carries out the tests of claims: every run once, on all threads.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "tools/claims/claim.h"

namespace railyard {

/// Finds a scenario by the name that claims use.
using LoadClaimed = std::function<Result<Scenario>(const std::string& name, std::span<const std::string> set)>;

/// The JSON of a command other than `run`, as command_of() writes it: with single failures alone; without advice, drawn a
/// hundred times; several jobs alone and together.
using AskClaimed = std::function<Result<Document>(ClaimCommand command, const std::string& scenario,
                                                  const std::vector<std::string>& set, Progress& progress)>;

/// One finding per claim, in their order, whatever the number of threads (0: as many as the machine has). A scenario that is
/// refused, a path that leads nowhere and a formula without a finite value are errors that name the claim. `progress` counts
/// runs.
Result<std::vector<Finding>> test_claims(std::span<const Claim* const> claims, const LoadClaimed& load, const AskClaimed& ask,
                                         unsigned threads, Progress& progress);

/// What differs from the record, a sentence each: another verdict, a value that moved (judge.h), a claim that is new.
std::vector<std::string> changes(const Claim& claim, const std::optional<Finding>& recorded, const Finding& now);

}  // namespace railyard
