#include "sim/cut_off.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/quantity_text.h"
#include "fabric/unreachable.h"

namespace railyard {

namespace {

/// "0 to 31", "3, 7 and 9 to 12"; of many ranges the first few.
std::string ranges_text(const std::vector<std::uint32_t>& numbers) {
  constexpr std::size_t kMostRanges = 4;
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) end++;
    ranges.push_back(end == i ? fmt::format("{}", numbers[i]) : fmt::format("{} to {}", numbers[i], numbers[end]));
    i = end + 1;
  }
  const bool cut = ranges.size() > kMostRanges;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranges.size(), kMostRanges); i++)
    text += (i == 0 ? "" : !cut && i + 1 == ranges.size() ? " and " : ", ") + ranges[i];
  return cut ? text + " and more" : text;
}

/// GPUs that most others can reach, of two scale-up domains: who cannot reach the one of another domain is cut off.
class References {
 public:
  References(const Fabric& f, const LivePorts& live, const Placement& placement) : f_(f) {
    const std::vector<EndpointId> some = samples(placement);
    std::vector<std::pair<std::size_t, EndpointId>> by_friends;
    for (const EndpointId a : some) {
      const auto friends = std::count_if(
          some.begin(), some.end(), [&](EndpointId b) { return f_.domain_of(a) != f_.domain_of(b) && live.connects(a, b); });
      by_friends.emplace_back(static_cast<std::size_t>(friends), a);
    }
    std::stable_sort(by_friends.begin(), by_friends.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [friends, endpoint] : by_friends)
      if (all_.empty() || f_.domain_of(all_.front()) != f_.domain_of(endpoint)) all_.push_back(endpoint);
  }

  /// Of another domain than this one's; none where there is only one.
  [[nodiscard]] std::optional<EndpointId> for_endpoint(EndpointId endpoint) const {
    for (const EndpointId one : all_)
      if (f_.domain_of(one) != f_.domain_of(endpoint)) return one;
    return std::nullopt;
  }

 private:
  static std::vector<EndpointId> samples(const Placement& placement) {
    constexpr std::size_t kMostSamples = 48;
    std::vector<EndpointId> some;
    const std::size_t count = std::min(kMostSamples, placement.size());
    for (std::size_t i = 0; i < count; i++)  // not at even distances, which may all be of one rail
      some.push_back(placement[RankId(static_cast<std::uint32_t>((i * placement.size() + i * i) / count % placement.size()))]);
    return some;
  }

  const Fabric& f_;
  std::vector<EndpointId> all_;
};

}  // namespace

std::vector<CutOff> find_cut_off(const Fabric& fabric, const LivePorts& live, const Placement& placement) {
  std::vector<CutOff> found;
  std::map<std::string, std::size_t> known;
  const References references(fabric, live, placement);
  for (const RankId rank : ids(placement)) {
    const std::optional<EndpointId> other = references.for_endpoint(placement[rank]);
    if (!other || placement[rank] == *other || live.connects(placement[rank], *other)) continue;
    const std::string why = why_unreachable(fabric, live, placement[rank], *other);
    const std::string cause = why.substr(std::min(why.size(), why.find(": ") == std::string::npos ? 0 : why.find(": ") + 2));
    const auto [place, is_new] = known.try_emplace(cause, found.size());
    if (is_new) found.push_back({cause, {}});
    found[place->second].ranks.push_back(rank);
  }
  return found;
}

std::string to_text(const Fabric& fabric, const Placement& placement, const CutOff& cut) {
  std::vector<std::uint32_t> ranks, servers;
  std::optional<std::uint32_t> rail;
  bool one_rail = fabric.rails > 1 && cut.ranks.size() > 1;
  for (const RankId rank : cut.ranks) {
    const EndpointId endpoint = placement[rank];
    ranks.push_back(rank.index());
    servers.push_back(fabric.server_of(endpoint));
    const std::uint32_t its = endpoint.index() % fabric.per_node / fabric.per_interface % fabric.rails;
    one_rail = one_rail && rail.value_or(its) == its;
    rail = its;
  }
  if (!one_rail)
    return fmt::format("{}: rank{} {} {} cut off", cut.cause, ranks.size() == 1 ? "" : "s", ranges_text(ranks),
                       ranks.size() == 1 ? "is" : "are");
  std::sort(servers.begin(), servers.end());
  servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
  return fmt::format("{}: rail {} of server{} {} is off ({} ranks)", cut.cause, *rail, servers.size() == 1 ? "" : "s",
                     ranges_text(servers), format_count(ranks.size()));
}

}  // namespace railyard
