// What questions and answers of railyard init share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tools/init/answers.h"

namespace railyard {

/// Transports that the NIC and the switch carry, as far as they are known, and the one that was asked for if any.
std::vector<TransportKind> possible_transports(const InitAnswers& a, const Catalog& catalog);

/// Shapes that can be asked for: all but a drawing.
std::vector<std::string> topology_names();

/// Counts of GPUs that a server may have, of `gpus`.
std::vector<std::uint32_t> even_servers(std::uint32_t gpus);

/// The plan that was asked for, or one that is found. REQUIRES: everything that it needs is answered.
Result<TrainingPlan> plan_of(const InitAnswers& a, const Catalog& catalog);

/// The first of `wished` that is there, else the first that is.
std::string first_of(std::initializer_list<std::string_view> wished, const std::vector<std::string>& there);

}  // namespace railyard
