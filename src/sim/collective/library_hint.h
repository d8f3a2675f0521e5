// What to do about an algorithm that a communication library does not have.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "collective/library.h"
#include "collective/lower.h"
#include "plan/workload_plan.h"

namespace railyard {

inline std::string not_modelled(const CollectiveSpec& spec, Library library) {
  return fmt::format("{}: {} with algorithm \"{}\" and protocol \"{}\" is not modelled on this hardware",
                     library == Library::nccl ? "NCCL" : "RCCL", name_of(spec.kind), name_of(spec.algorithm),
                     name_of(spec.protocol));
}

/// ", or …": what would simulate an algorithm that a library does not have, where anything does.
inline std::string without_library(const CollectiveSpec& spec) {
  const auto known = algorithms_for(spec.kind);
  if (std::find(known.begin(), known.end(), spec.algorithm) == known.end()) return {};
  return fmt::format(", or set library = \"none\"{} to simulate the algorithm on the bare network",
                     spec.protocol == ProtocolChoice::automatic ? "" : " and no protocol");
}

}  // namespace railyard
