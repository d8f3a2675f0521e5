// What a run of the analytic or the flow engine will need in memory where many messages are under way, estimated before it
// starts.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/scenario.h"

namespace railyard {

/// Whether rates of messages change while these are under way: not where all start together and have one size.
enum class Changes : std::uint8_t { none, many };

/// Connections of a collective whose ranks all send to each other; else zero.
double direct_pairs(const CollectiveSpec& spec, std::uint32_t ranks);

/// What one connection with a message under way needs, at most: as planned, opened, posted, in flight and solved for. Links and
/// paths make it more (docs/models.md, memory of messages).
Bytes memory_of_connection(const Scenario& scenario, const Fabric& fabric, Changes changes = Changes::many);

/// Of a collective that is played message by message, before its schedule is made: everybody who sends to somebody. Counts what
/// `at_once` of its sizes need that are played at the same time. Zero for algorithms where ranks have few neighbours.
Bytes collective_memory(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, std::size_t at_once);

/// The same of any schedule, once it is made: of its `connections` few are under way at once where ranks have few neighbours.
Bytes schedule_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t connections, std::uint64_t transfers);

/// Of a pattern between nodes that a library is measured with.
Bytes probe_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t connections);

/// An error, with about how many ranks fit, if that is more than `limit`.
Diagnostics too_long_schedule(const Scenario& scenario, Bytes need, std::uint32_t ranks, Bytes limit);

/// An error, with how many ranks fit, if that is more than `limit`.
Diagnostics too_many_pairs(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, std::size_t at_once,
                           Bytes limit);

/// Of traffic between so many pairs with so many messages.
Bytes messages_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t pairs, std::uint64_t messages);

/// An error, with how many of them fit, if that is more than `limit`.
Diagnostics too_many_messages(const Scenario& scenario, const Fabric& fabric, std::uint64_t pairs, std::uint64_t messages,
                              Bytes limit);

}  // namespace railyard
