// What a network may cost, draw and need, and which of these wishes keeps every network out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/plan/network_figures.h"
#include "tools/plan/request.h"

namespace railyard {

/// One wish, and what a network has of it.
struct NetworkLimit {
  std::string word;  // "budget"
  NetworkFigure figure = kUsd;
  double allowed = 0;
};

/// Those that were asked for.
std::vector<NetworkLimit> limits_of(const PlanRequest& asked);

/// The ones that a network does not keep, by what is known of it: a sum that lacks a price is at least so much.
std::vector<NetworkLimit> broken_limits(const std::vector<NetworkLimit>& limits, const std::vector<double>& values);

/// Whether all that is limited is known of a network.
bool is_known(const std::vector<NetworkLimit>& limits, const std::vector<double>& values);

/// In a sentence, why none of `built` keeps all limits: the one that binds, or those that bind together, with what they would
/// have to be. REQUIRES: each of `built` breaks one.
std::string binding_limit(const std::vector<NetworkLimit>& limits, const std::vector<std::vector<double>>& built);

}  // namespace railyard
