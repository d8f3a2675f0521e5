// What NCCL's Inspector says of a call when it writes for Prometheus.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace railyard {

struct InspectedCall {
  std::string_view collective;  // "all_reduce"
  Bytes size;
  std::string algorithm;  // "ring_Simple", and its protocol
  std::string comm;
  std::uint32_t ranks = 0, nodes = 0;  // 0: not known, and left out
  std::uint32_t server = 0, gpu = 0;   // whose numbers these are: of the first rank
  std::string_view operation = {};     // what the call is for, which the Inspector does not know
};

/// As its format 5.1 has them: version, slurm_job_id, node, gpu, comm_name, n_nodes, nranks, collective, message_size,
/// algo_proto.
std::string inspector_labels(const InspectedCall& call);

/// A range one unit wide, in units of 1,024: "256-257MB" has 256 MiB in it.
std::string inspector_size(Bytes size);

}  // namespace railyard
