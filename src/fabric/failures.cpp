#include "fabric/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/nearest.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// A port that is slowed, or loses packets, for a while.
struct Slowed {
  PortId port;
  std::optional<BitsPerSecond> rate;
  PacketLoss loss;
  Picoseconds from, until;
};

NodeKind kind_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::leaf:
      return NodeKind::leaf;
    case FailureKind::spine:
      return NodeKind::spine;
    case FailureKind::core:
      return NodeKind::core;
    case FailureKind::gateway:
      return NodeKind::gateway;
    case FailureKind::gpu:
    case FailureKind::node:
    case FailureKind::link:
      break;
  }
  RY_CHECK(false, "only switches have a tier");
}

bool belongs_to(FailureLinkKind link_kind, Tier tier) {
  switch (link_kind) {
    case FailureLinkKind::port:
      return tier == Tier::host_up;
    case FailureLinkKind::uplink:
      return tier == Tier::leaf_up || tier == Tier::spine_up || tier == Tier::across;
    case FailureLinkKind::link:
      return tier == Tier::host_down || tier == Tier::leaf_down || tier == Tier::spine_down;
  }
  return false;
}

Csr<NodeId, PortId> ports_by_node(const Fabric& f) {
  std::vector<std::pair<NodeId, PortId>> pairs;
  pairs.reserve(f.port_from.size());
  for (const PortId port : ids(f.port_from)) pairs.emplace_back(f.port_from[port], port);
  return {f.kind.size(), pairs};
}

std::string counted(std::size_t count) { return count == 0 ? "none" : fmt::format("{}", count); }

std::string hint_at(std::size_t count) {
  if (count == 0) return "remove it, or use a fabric that has some";
  return count == 1 ? "use 0" : fmt::format("use 0 to {}", count - 1);
}

class FailureResolver {
 public:
  explicit FailureResolver(const Fabric& fabric) : f_(fabric), leaving_(ports_by_node(fabric)) {}

  /// The ports that fail, one direction of each link; none if the fabric does not have them, which is then reported.
  std::vector<PortId> ports_of(const Failure& failure) {
    const FailureTarget& what = failure.what;
    switch (what.kind) {
      case FailureKind::gpu:
        return ports_of_gpu(failure);
      case FailureKind::node:
        return ports_of_name(failure);
      case FailureKind::link:
        return ports_between(failure);
      case FailureKind::leaf:
      case FailureKind::spine:
      case FailureKind::core:
      case FailureKind::gateway:
        break;
    }
    return ports_of_switch(failure);
  }

  void refuse(const char* code, const Failure& failure, std::string message, std::string hint) {
    found.push_back({Severity::error, code, std::move(message), std::move(hint), failure.where});
  }

  Diagnostics found;

 private:
  std::vector<PortId> ports_of_gpu(const Failure& failure) {
    if (failure.what.index >= f_.endpoints()) return no_such(failure, "GPU", f_.endpoints());
    std::vector<PortId> ports;
    for (const PortId port : leaving_.row(f_.node_of(EndpointId(failure.what.index))))
      if (belongs_to(FailureLinkKind::port, f_.trunk_tier[f_.port_trunk[port]])) ports.push_back(port);
    return links_of(failure, std::move(ports));
  }

  std::vector<PortId> ports_of_switch(const Failure& failure) {
    if (f_.drawn) {
      refuse("RY-FAB-015", failure,
             fmt::format("\"{}\" cannot be used with a drawn fabric, whose nodes have names", failure.name),
             "write \"node s1\" or \"link a b\", with names of the drawing");
      return {};
    }
    const NodeKind kind = kind_of(failure.what.kind);
    std::uint32_t count = 0;
    for (const NodeId node : ids(f_.kind))
      if (f_.kind[node] == kind && count++ == failure.what.index) {
        std::vector<PortId> ports;
        for (const PortId port : leaving_.row(node))
          if (!failure.what.link_kind || belongs_to(*failure.what.link_kind, f_.trunk_tier[f_.port_trunk[port]]))
            ports.push_back(port);
        return links_of(failure, std::move(ports));
      }
    return no_such(failure, name_of(kind), count);
  }

  std::vector<PortId> no_such(const Failure& failure, std::string_view kind, std::uint32_t count) {
    refuse("RY-FAB-015", failure, fmt::format("there is no {} {}: the fabric has {}", kind, failure.what.index, counted(count)),
           hint_at(count));
    return {};
  }

  /// One of `ports` where the failure names one, else all.
  std::vector<PortId> links_of(const Failure& failure, std::vector<PortId> ports) {
    const FailureTarget& what = failure.what;
    if (!what.link_kind) return ports;
    if (what.link_index < ports.size()) return {ports[what.link_index]};
    refuse("RY-FAB-016", failure,
           fmt::format("{} {} has no {} {}: it has {}", name_of(what.kind), what.index, name_of(*what.link_kind),
                       what.link_index, counted(ports.size())),
           hint_at(ports.size()));
    return {};
  }

  /// A node of the drawing, if there is one of that name.
  std::optional<NodeId> node_called(const Failure& failure, const std::string& name) {
    if (!f_.drawn) {
      refuse("RY-FAB-015", failure, fmt::format("\"{}\" works only with a drawn fabric (topology = \"file\")", failure.name),
             "write for instance \"leaf 3\" or \"leaf 3 uplink 7\"");
      return std::nullopt;
    }
    const auto found_at = std::find(f_.names.begin(), f_.names.end(), name);
    if (found_at != f_.names.end()) return NodeId(static_cast<std::uint32_t>(found_at - f_.names.begin()));
    const std::string guess = nearest(name, f_.names);
    refuse("RY-FAB-015", failure, fmt::format("the drawing has no node \"{}\"", printable(name)),
           guess.empty() ? "use a name of the drawing" : fmt::format("did you mean \"{}\"?", guess));
    return std::nullopt;
  }

  std::vector<PortId> ports_of_name(const Failure& failure) {
    const std::optional<NodeId> node = node_called(failure, failure.what.first);
    if (!node) return {};
    return {leaving_.row(*node).begin(), leaving_.row(*node).end()};
  }

  std::vector<PortId> ports_between(const Failure& failure) {
    const std::optional<NodeId> first = node_called(failure, failure.what.first);
    const std::optional<NodeId> second = first ? node_called(failure, failure.what.second) : std::nullopt;
    if (!second) return {};
    std::vector<PortId> ports;
    for (const PortId port : leaving_.row(*first))
      if (f_.port_to[port] == *second) ports.push_back(port);
    if (ports.empty())
      refuse("RY-FAB-016", failure, fmt::format("no link joins \"{}\" and \"{}\"", failure.what.first, failure.what.second),
             "name two nodes that the drawing joins");
    return ports;
  }

  const Fabric& f_;
  Csr<NodeId, PortId> leaving_;
};

/// The changes of one port. REQUIRES: all of `slowed` are of that port, by when they begin.
void add_changes(const Fabric& f, std::span<const Slowed> slowed, std::vector<PortChange>& changes) {
  std::vector<Picoseconds> times;
  for (const Slowed& s : slowed) times.insert(times.end(), {s.from, s.until});
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const PortId port = slowed.front().port;
  const BitsPerSecond whole = f.trunk_port_rate[f.port_trunk[port]];
  PortChange before{port, whole, {}, {}};
  std::vector<Slowed> in_force;
  auto next = slowed.begin();
  for (const Picoseconds at : times) {
    if (at == Picoseconds::max()) break;  // never mended
    std::erase_if(in_force, [&](const Slowed& s) { return s.until <= at; });
    for (; next != slowed.end() && next->from <= at; ++next) in_force.push_back(*next);
    PortChange now{port, whole, at, {}};
    for (const Slowed& s : in_force) {
      now.rate = std::min(now.rate, s.rate.value_or(whole));
      now.loss = {std::max(now.loss.share, s.loss.share), std::max(now.loss.bit_errors, s.loss.bit_errors)};
    }
    if (now.rate != before.rate || now.loss != before.loss) changes.push_back(now);
    before = now;
  }
}

}  // namespace

Result<std::vector<PortChange>> port_changes(std::span<const Failure> failures, const Fabric& fabric) {
  std::vector<PortChange> changes;
  if (failures.empty()) return changes;
  FailureResolver resolver(fabric);
  std::vector<Slowed> slowed;
  for (const Failure& failure : failures) {
    BitsPerSecond fastest;
    for (const PortId port : resolver.ports_of(failure)) {
      fastest = std::max(fastest, fabric.trunk_port_rate[fabric.port_trunk[port]]);
      const auto slow = [&](PortId direction) {
        for (std::uint32_t i = 0; i < failure.times; i++) {
          const Picoseconds later = failure.every.value_or(Picoseconds::zero()) * i;
          slowed.push_back({direction, failure.rate, PacketLoss{failure.loss, failure.bit_errors}, failure.from + later,
                            failure.until ? *failure.until + later : Picoseconds::max()});
        }
      };
      if (failure.direction != FailureDirection::in) slow(port);
      if (failure.direction != FailureDirection::out) slow(reverse_of(fabric, port));
    }
    if (fastest > BitsPerSecond::zero() && failure.rate && *failure.rate >= fastest)
      resolver.refuse("RY-FAB-017", failure,
                      fmt::format("rate = {} is not below the link rate of \"{}\", {}", format(*failure.rate), failure.name,
                                  format(fastest)),
                      "give a lower rate, or \"down\"");
  }
  if (!resolver.found.empty()) return std::move(resolver.found);
  std::sort(slowed.begin(), slowed.end(),
            [](const Slowed& a, const Slowed& b) { return std::tie(a.port, a.from) < std::tie(b.port, b.from); });
  for (auto first = slowed.begin(); first != slowed.end();) {
    const auto last = std::find_if(first, slowed.end(), [&](const Slowed& s) { return s.port != first->port; });
    add_changes(fabric, {first, last}, changes);
    first = last;
  }
  std::sort(changes.begin(), changes.end(),
            [](const PortChange& a, const PortChange& b) { return std::tie(a.at, a.port) < std::tie(b.at, b.port); });
  return changes;
}

}  // namespace railyard
