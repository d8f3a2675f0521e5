#include "fabric/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace railyard {

namespace {

using Servers = std::vector<std::uint32_t>;

/// All but those that other jobs have.
Servers servers_in_order(const PlacementPlan& plan, const Fabric& fabric) {
  Servers servers((fabric.endpoints() - 1) / fabric.per_node + 1);
  std::iota(servers.begin(), servers.end(), 0U);
  if (plan.taken_servers.empty()) return servers;
  const std::set<std::uint32_t> taken(plan.taken_servers.begin(), plan.taken_servers.end());
  std::erase_if(servers, [&](std::uint32_t server) { return taken.contains(server); });
  return servers;
}

/// First server of every leaf, then the second of every leaf, …
Servers servers_across_leaves(const PlacementPlan& plan, const Fabric& fabric) {
  std::map<BlockId, Servers> under;
  for (const std::uint32_t server : servers_in_order(plan, fabric))
    under[fabric.leaf_of(EndpointId(server * fabric.per_node))].push_back(server);
  Servers servers;
  for (std::size_t seat = 0, before = 1; before != servers.size(); seat++) {
    before = servers.size();
    for (const auto& [leaf, there] : under)
      if (seat < there.size()) servers.push_back(there[seat]);
    if (servers.size() == before) break;
  }
  return servers;
}

/// Fisher and Yates's shuffle.
Servers servers_at_random(const PlacementPlan& plan, const Fabric& fabric) {
  Servers servers = servers_in_order(plan, fabric);
  Rng rng(plan.seed, "placement", 0);
  for (std::size_t i = servers.size(); i > 1; i--) std::swap(servers[i - 1], servers[rng.below(static_cast<std::uint32_t>(i))]);
  return servers;
}

Servers free_servers(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric) {
  Servers servers = servers_at_random(plan, fabric);
  servers.resize((ranks - 1) / fabric.per_node + 1);
  std::sort(servers.begin(), servers.end());
  return servers;
}

Servers servers_for(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric) {
  switch (plan.policy) {
    case PlacementPolicy::round_robin:
      return servers_across_leaves(plan, fabric);
    case PlacementPolicy::random:
      return servers_at_random(plan, fabric);
    case PlacementPolicy::fragmented:
      return free_servers(plan, ranks, fabric);
    default:
      return servers_in_order(plan, fabric);
  }
}

Result<Placement> from_file(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric, const GivenKeys& keys) {
  const std::vector<std::uint32_t>& seats = plan.seats;
  const auto refuse = [&](std::string what, std::string hint) {
    return Diagnostic{Severity::error, "RY-FAB-013", std::move(what), std::move(hint), keys.where("placement.file")};
  };
  if (seats.size() < ranks)
    return refuse(fmt::format("the rank file places {} ranks, and the job has {}", seats.size(), ranks),
                  "give every rank a GPU");
  Placement placement;
  for (std::uint32_t rank = 0; rank < ranks; rank++) {
    if (seats[rank] >= fabric.endpoints())
      return refuse(
          fmt::format("rank {} is placed on GPU {}, and the fabric has {} GPUs", rank, seats[rank], fabric.endpoints()),
          fmt::format("use numbers from 0 to {}", fabric.endpoints() - 1));
    placement.push(EndpointId(seats[rank]));
  }
  return placement;
}

/// Ranks on servers that are out sit on spares instead, GPU for GPU. Spares are whole servers without a rank, the last first.
Result<Placement> with_spares(Placement placement, const PlacementPlan& plan, const Fabric& fabric, const GivenKeys& keys) {
  const auto refuse = [&](std::string what, std::string hint) {
    return Diagnostic{Severity::error, "RY-FAB-021", std::move(what), std::move(hint), keys.where("placement.lost_servers")};
  };
  const std::uint32_t whole = fabric.endpoints() / fabric.per_node;  // servers with all their GPUs
  std::set<std::uint32_t> taken(plan.lost_servers.begin(), plan.lost_servers.end());
  if (!taken.empty() && *taken.rbegin() >= whole)
    return refuse(fmt::format("server {} is out, and the fabric has {} servers", *taken.rbegin(), whole),
                  fmt::format("use numbers from 0 to {}", whole - 1));
  for (const RankId rank : ids(placement)) taken.insert(fabric.server_of(placement[rank]));
  taken.insert(plan.taken_servers.begin(), plan.taken_servers.end());
  std::map<std::uint32_t, std::uint32_t> spares;
  std::uint32_t next = whole;
  for (const RankId rank : ids(placement)) {
    const std::uint32_t server = fabric.server_of(placement[rank]);
    if (std::find(plan.lost_servers.begin(), plan.lost_servers.end(), server) == plan.lost_servers.end()) continue;
    if (!spares.contains(server)) {
      while (next > 0 && taken.contains(next - 1)) next--;
      if (next == 0)
        return refuse(fmt::format("server {} is out, and no server is free to take its ranks", server),
                      "give the fabric more GPUs than the job has: fabric.gpus");
      spares[server] = --next;
    }
    placement[rank] = EndpointId(spares[server] * fabric.per_node + placement[rank].index() % fabric.per_node);
  }
  return placement;
}

Result<Placement> deal(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric, const GivenKeys& keys) {
  if (plan.policy == PlacementPolicy::file) return from_file(plan, ranks, fabric, keys);
  Placement placement;
  const Servers servers = servers_for(plan, ranks, fabric);
  const auto seat = [&](std::uint32_t server, std::uint32_t local) {
    const std::uint32_t endpoint = server * fabric.per_node + local;
    if (endpoint < fabric.endpoints() && placement.size() < ranks) placement.push(EndpointId(endpoint));
  };
  if (plan.policy == PlacementPolicy::along_rails) {
    const std::size_t used = (ranks - 1) / fabric.per_node + 1;  // servers, so that a small job stays together
    for (std::uint32_t local = 0; local < fabric.per_node; local++)
      for (std::size_t i = 0; i < used; i++) seat(servers[i], local);
  } else {
    for (const std::uint32_t server : servers)
      for (std::uint32_t local = 0; local < fabric.per_node; local++) seat(server, local);
  }
  return placement;
}

}  // namespace

Result<Placement> place(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric, const GivenKeys& keys) {
  RY_CHECK(ranks > 0 && ranks <= fabric.endpoints(), "every rank has an endpoint of its own");
  Result<Placement> dealt = deal(plan, ranks, fabric, keys);
  if (!dealt || plan.lost_servers.empty()) return dealt;
  return with_spares(std::move(*dealt), plan, fabric, keys);
}

}  // namespace railyard
