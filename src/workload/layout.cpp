#include "workload/layout.h"

#include <algorithm>

#include "base/check.h"

namespace railyard {

std::string_view name_of(GroupKind kind) {
  static constexpr std::array<std::string_view, kGroupKinds> kNames = {"tensor", "context",     "expert tensor", "expert",
                                                                       "data",   "expert data", "pipeline",      "embedding"};
  return kNames[index(kind)];
}

Group Layout::group(GroupKind kind) const {
  Group group{.kind = kind};
  switch (kind) {
    case GroupKind::tensor:
      group.size = tensor;
      break;
    case GroupKind::context:
      group.size = context, group.stride = tensor;
      break;
    case GroupKind::data:
      group.size = context * data, group.stride = tensor;
      break;
    case GroupKind::expert_tensor:
      group.size = expert_tensor;
      break;
    case GroupKind::expert:
      group.size = expert, group.stride = expert_tensor;
      break;
    case GroupKind::expert_data:
      group.stride = expert * expert_tensor, group.size = stage_ranks() / group.stride;
      break;
    case GroupKind::pipeline:
      group.size = pipeline;
      break;
    case GroupKind::embedding:
      group.size = std::min(2U, pipeline);
      break;
  }
  group.local = spreads[index(kind)].local;
  group.domains = spreads[index(kind)].domains;
  return group;
}

/// Groups repeat their way of lying across domains; those that begin in the first few domains show every one of them.
Group Layout::placed(Group group) const {
  constexpr std::uint32_t kDomains = 16;
  group.local = group.size;
  group.domains = 1;
  for (std::uint32_t rank = 0; rank < std::min(ranks(), kDomains * domain) && group.domains < group.size; rank++) {
    if (!is_first(group, rank)) continue;
    const Spread spread = spread_of(members(group, rank));
    group.local = std::min(group.local, spread.local);
    group.domains = std::max(group.domains, spread.domains);
  }
  return group;
}

bool Layout::is_first(const Group& group, std::uint32_t rank) const {
  const Position at = position(rank);
  if (group.kind == GroupKind::pipeline || group.kind == GroupKind::embedding) return at.pipeline == 0;
  const std::uint32_t here = group.mirrored ? group.size / 2 : group.size;
  const std::uint32_t index = at.tensor + tensor * (at.context + context * at.data);
  return index % (here * group.stride) < group.stride && (!group.mirrored || at.pipeline < pipeline - 1 - at.pipeline);
}

Layout::Spread Layout::spread_of(std::vector<std::uint32_t> members) const {
  if (!std::is_sorted(members.begin(), members.end())) std::sort(members.begin(), members.end());  // mirrored groups are not
  Spread spread{static_cast<std::uint32_t>(members.size()), 0};
  for (std::size_t i = 0; i < members.size();) {
    const std::size_t first = i;
    const std::uint32_t at = members[first] / domain;
    while (i < members.size() && members[i] / domain == at) i++;
    spread.local = std::min(spread.local, static_cast<std::uint32_t>(i - first));
    spread.domains++;
  }
  return spread;
}

Position Layout::position(std::uint32_t rank) const {
  const std::uint32_t outer = rank / (tensor * context);
  if (order == RankOrder::data_inside) return {rank % tensor, rank / tensor % context, outer % data, outer / data};
  return {rank % tensor, rank / tensor % context, outer / pipeline, outer % pipeline};
}

std::uint32_t Layout::rank(Position p) const {
  const std::uint32_t outer = order == RankOrder::data_inside ? p.data + data * p.pipeline : p.pipeline + pipeline * p.data;
  return p.tensor + tensor * (p.context + context * outer);
}

std::vector<std::uint32_t> Layout::members(const Group& group, std::uint32_t rank) const {
  std::vector<std::uint32_t> all;
  Position at = position(rank);
  if (group.kind == GroupKind::pipeline || group.kind == GroupKind::embedding) {
    const std::uint32_t step = group.kind == GroupKind::pipeline ? 1 : std::max(1U, pipeline - 1);
    for (at.pipeline = 0; at.pipeline < pipeline; at.pipeline += step) all.push_back(this->rank(at));
    return all;
  }
  const std::uint32_t index = at.tensor + tensor * (at.context + context * at.data);  // among the ranks of the stage
  const std::uint32_t here = group.mirrored ? group.size / 2 : group.size, span = here * group.stride;
  RY_CHECK(stage_ranks() % span == 0, "groups of a stage fill it without a rest");
  const std::uint32_t first = index / span * span + index % group.stride;
  const auto add_stage = [&](std::uint32_t stage) {
    for (std::uint32_t i = 0; i < here; i++) {
      const std::uint32_t member = first + i * group.stride;
      all.push_back(this->rank({member % tensor, member / tensor % context, member / (tensor * context), stage}));
    }
  };
  const std::uint32_t other = pipeline - 1 - at.pipeline;
  add_stage(group.mirrored ? std::min(at.pipeline, other) : at.pipeline);
  if (group.mirrored) add_stage(std::max(at.pipeline, other));
  return all;
}

bool Layout::crosses(std::uint32_t stage, std::uint32_t other) const {
  constexpr std::uint32_t kReplicas = 64;  // enough to meet every way a replica can lie across domains
  for (std::uint32_t data_position = 0; data_position < std::min(data, kReplicas); data_position++)
    for (std::uint32_t inner = 0; inner < tensor * context; inner++) {
      const Position at{inner % tensor, inner / tensor, data_position, stage};
      const Position there{at.tensor, at.context, at.data, other};
      if (rank(at) / domain != rank(there) / domain) return true;
    }
  return false;
}

Layout on_domains(Layout layout, std::uint32_t domain) {
  layout.domain = domain;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const Group group = layout.placed(layout.group(static_cast<GroupKind>(kind)));
    layout.spreads[kind] = {group.local, group.domains};
  }
  return layout;
}

Layout layout_of(const WorkloadPlan& workload) {
  const ParallelPlan& p = workload.parallel;
  Layout layout{.tensor = p.tensor, .context = p.context, .pipeline = p.pipeline, .expert = p.expert, .order = p.order};
  layout.data = workload.gpus.value_or(1) / (p.tensor * p.context * p.pipeline);
  layout.expert_tensor = p.expert_tensor;
  return on_domains(layout, workload.gpu->scale_up_domain);
}

}  // namespace railyard
