// What Cumulus Linux does with packets: its defaults, those of its RoCE modes, and the profiles that change them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/read/nvue_statements.h"
#include "config/read/switch_device.h"
#include "qos/policy.h"

namespace railyard::nvue {

/// A switch priority of NVUE is a traffic class here, a traffic class of NVUE is a queue, and each switch priority that PFC is
/// on for has a priority group of its own.

/// What ports do about which nothing is said. Source: Cumulus Linux 5.9 user guide, Quality of Service.
QosPolicy default_policy();

/// What `nv set qos roce` makes of it, by mode. Source: Cumulus Linux 5.19 user guide, RDMA over Converged Ethernet.
QosPolicy roce_policy(std::string_view mode, const SourceSpan& where);

/// Whether a RoCE mode pauses.
bool is_lossless(std::string_view mode);

/// Kinds of profiles, in the order in which they are laid over each other.
inline constexpr std::string_view kProfileKinds[] = {
    "mapping", "egress-queue-mapping", "egress-scheduler", "congestion-control", "pfc", "link-pause"};

/// Statements of the profiles, by kind ("mapping", "pfc", …) and name.
using Profiles = std::map<std::pair<std::string, std::string>, std::vector<const Statement*>>;

/// `policy` with one profile of a kind laid over it; one that is bound to a port replaces the default of that kind as a whole.
void apply_profile(QosPolicy& policy, std::string_view kind, const std::string& name, const Profiles& profiles,
                   UnreadNotes& unread);

}  // namespace railyard::nvue
