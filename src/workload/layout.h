// Which rank holds which position, and which ranks form a group. Tensor positions are neighbours, then context; whether data
// or pipeline positions come next is the user's choice. Expert groups regroup the ranks of one stage.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "plan/workload_plan.h"

namespace railyard {

enum class GroupKind : std::uint8_t { tensor, context, expert_tensor, expert, data, expert_data, pipeline, embedding };
inline constexpr std::size_t kGroupKinds = 8;
[[nodiscard]] constexpr std::size_t index(GroupKind kind) { return static_cast<std::size_t>(kind); }
std::string_view name_of(GroupKind kind);

/// Every group of a kind is `size` ranks of one stage, `stride` apart when the ranks of the stage are counted through. A
/// pipeline group has a rank of every stage instead, an embedding group one of the first and one of the last. A mirrored group
/// has half of its ranks in the stage that holds the same part of the model for the other direction of a dual pipe.
struct Group {
  GroupKind kind = GroupKind::tensor;
  std::uint32_t size = 1, stride = 1;
  bool mirrored = false;
  std::uint32_t local = 1;    // members that share a scale-up domain: the fewest that some domain holds of some group
  std::uint32_t domains = 1;  // it lies on, at most

  /// Whether domains hold unequal parts of it: the smallest then sets the pace.
  [[nodiscard]] bool uneven() const { return local * domains != size; }
};

struct Position {
  std::uint32_t tensor = 0, context = 0, data = 0, pipeline = 0;
};

struct Layout {
  std::uint32_t tensor = 1, context = 1, data = 1, pipeline = 1;
  std::uint32_t expert = 1, expert_tensor = 1;
  RankOrder order = RankOrder::data_inside;
  std::uint32_t domain = 1;  // ranks of a scale-up domain; ranks fill domains in order
  struct Spread {
    std::uint32_t local = 1, domains = 1;
  };
  std::array<Spread, kGroupKinds> spreads = {};  // Group::local and ::domains of every kind, see on_domains

  [[nodiscard]] std::uint32_t ranks() const { return tensor * context * data * pipeline; }
  [[nodiscard]] std::uint32_t stage_ranks() const { return tensor * context * data; }

  /// Gradients of what experts do not own are reduced over context and data together: the data group spans both.
  [[nodiscard]] Group group(GroupKind kind) const;
  /// A group of any size and stride with `local` and `domains` counted.
  [[nodiscard]] Group placed(Group group) const;

  [[nodiscard]] Position position(std::uint32_t rank) const;
  [[nodiscard]] std::uint32_t rank(Position position) const;
  /// The group that `rank` belongs to, in order. REQUIRES: the group's span divides the ranks of a stage.
  [[nodiscard]] std::vector<std::uint32_t> members(const Group& group, std::uint32_t rank) const;

  /// Whether some rank of one stage and its counterpart in another are in different domains.
  [[nodiscard]] bool crosses(std::uint32_t stage, std::uint32_t other) const;

 private:
  [[nodiscard]] bool is_first(const Group& group, std::uint32_t rank) const;
  [[nodiscard]] Spread spread_of(std::vector<std::uint32_t> members) const;
};

/// The layout on domains of that many ranks, with the members of every kind of group that share one.
Layout on_domains(Layout layout, std::uint32_t domain);

/// REQUIRES: the scenario has a model and was checked.
Layout layout_of(const WorkloadPlan& workload);

}  // namespace railyard
