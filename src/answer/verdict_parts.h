// Parts of a verdict, by what was run. Internal to verdict.cpp.
#pragma once

#include <string>

#include "answer/verdict.h"

namespace railyard {

std::string percent_of(double share);  // "14.6 %", "0.03 %", "less than 0.01 %"
std::string time_of(double seconds);   // "6.638 s"

/// What a rerun showed the network's cost to come from: the change that takes most of it away. Empty where none takes a
/// quarter of it, or nothing was tried.
std::string cause_of(const Tried& tried, double network_share);

/// "hash collisions", … for a cause; empty for none.
std::string cause_in_words(const std::string& cause);

/// Cost, parts and limit of a training step, with their sentences.
void judge_step(const Scenario& scenario, const Results& results, const Tried& tried, RunVerdict& verdict);

/// The same of a collective, of a trace, and of traffic.
void judge_collective(const Scenario& scenario, const Results& results, const Tried& tried, RunVerdict& verdict);
void judge_trace(const Results& results, const Tried& tried, RunVerdict& verdict);
void judge_traffic(const Scenario& scenario, const Results& results, const Tried& tried, RunVerdict& verdict);

}  // namespace railyard
