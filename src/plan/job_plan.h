// One of several jobs that share a cluster: which of its GPUs it has, and when it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/units.h"

namespace railyard {

/// Which network of the servers a job's messages take.
enum class ServerNetwork : std::uint8_t { compute, front_end };
template<>
struct ChoiceNames<ServerNetwork> {
  static constexpr std::string_view names[] = {"compute", "front-end"};
};

/// Which class its packets are of: that of data, or that of other traffic.
enum class JobClass : std::uint8_t { data, background };
template<>
struct ChoiceNames<JobClass> {
  static constexpr std::string_view names[] = {"data", "background"};
};

/// What a job does once, a training step or a pattern of traffic, is a turn. It takes turns until every job has had those that
/// count.
struct JobPlan {
  std::string name;
  std::optional<std::uint32_t> gpus;   // of its own
  std::string servers;                 // "0-3,8"; free ones, as [placement] deals them, if not given
  std::vector<std::uint32_t> numbers;  // what that says
  std::string of;                      // another job, whose GPUs are the hosts of this one's traffic
  ServerNetwork network = ServerNetwork::compute;
  Picoseconds start;           // of its first turn
  std::uint32_t turns = 1;     // that count
  Picoseconds every;           // from the start of one to that of the next, at least
  std::uint32_t priority = 0;  // of its traffic: those of a lower number are served first
  std::optional<JobClass> traffic_class;
  bool has_own_transport = false;  // its packets are of [job.transport], those of others of [transport]
  std::string to;                  // of caches: another job, whose GPUs are hosts after those of `of`
  std::string serves;              // where it is one part of serving: the job that was written

  /// What its packets are of if nobody says: other traffic than data, where they have a transport or a priority of their own.
  [[nodiscard]] JobClass class_of_packets() const {
    return traffic_class.value_or(has_own_transport || priority > 0 ? JobClass::background : JobClass::data);
  }
};

}  // namespace railyard
