#include "tools/fabric/picture/svg_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace railyard {

namespace {

constexpr std::uint32_t kMostColumns = 16;
constexpr double kPodGap = 14;
constexpr double kGapColumn = 0.8;  // width of a column that stands for what is left out

/// First few, a gap and the last of `count`: indices, with the number left out where there is a gap.
std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen(std::uint32_t count, std::uint32_t room) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  room = std::max(room, 3U);
  for (std::uint32_t i = 0; i < count; i++) {
    if (count <= room || i + 2 < room || i + 1 == count)
      all.emplace_back(i, 0);
    else if (i + 2 == room)
      all.emplace_back(i, count - room + 1);
  }
  return all;
}

class PicturePlanner {
 public:
  PicturePlanner(const Fabric& fabric, const FabricSummary& summary) : f_(fabric), s_(summary) {
    p_.below.resize(f_.blocks.size());
    p_.up_gbps.resize(f_.blocks.size());
    p_.down_gbps.resize(f_.blocks.size());
  }

  PicturePlan run() {
    measure();
    choose();
    place();
    return std::move(p_);
  }

 private:
  void measure() {
    for (const InterfaceId nic : ids(f_.leaf)) {
      Below& b = p_.below[f_.leaf[nic].index()];
      const bool of_gpu = nic.index() < f_.interfaces;
      const std::uint32_t per_server = std::max(1U, f_.per_node / f_.per_interface);
      const std::uint32_t server =
          of_gpu ? nic.index() / per_server : (nic.index() - f_.interfaces) / std::max(1U, f_.host_nics);
      b.first_nic = std::min(b.first_nic, nic.index());
      if (b.nics == 0 || server != last_server_[f_.leaf[nic]]) b.servers++;
      last_server_[f_.leaf[nic]] = server;
      b.first_server = std::min(b.first_server, server);
      b.nics++;
      b.gpus = b.gpus || of_gpu;
      b.gbps += static_cast<double>(f_.trunk_rate(host_up_trunk(f_, nic)).count()) / 1e9;
    }
    std::uint32_t counted[kNodeKinds] = {};
    for (const BlockId id : ids(f_.blocks)) {
      const Block& block = f_.blocks[id];
      p_.number.push_back(counted[static_cast<std::size_t>(block.kind)]++);
      p_.down_gbps[id.index()] += p_.below[id.index()].gbps;
      p_.widest_low = std::max(p_.widest_low, p_.below[id.index()].gbps);
      if (!block.parent.valid()) continue;
      p_.up_gbps[id.index()] = static_cast<double>(f_.trunk_rate(block.up).count()) / 1e9;
      p_.down_gbps[block.parent.index()] += p_.up_gbps[id.index()];
      double& widest = block.kind == NodeKind::leaf ? p_.widest_low : p_.widest_high;
      widest = std::max(widest, p_.up_gbps[id.index()]);
    }
    for (const CircuitBundle& bundle : f_.circuits) {
      const double gbps = static_cast<double>(f_.trunk_rate(bundle.there).count()) / 1e9;
      for (const BlockId end : {bundle.a, bundle.b}) p_.up_gbps[end.index()] += gbps;
      p_.widest_high = std::max(p_.widest_high, gbps);
    }
  }

  void choose() {
    std::map<BlockId, std::vector<BlockId>> leaves;  // by the spines above them
    for (const BlockId id : ids(f_.blocks)) {
      const Block& block = f_.blocks[id];
      if (block.kind == NodeKind::leaf) {
        const bool alone = !block.parent.valid() || f_.blocks[block.parent].kind != NodeKind::spine;
        leaves[alone ? BlockId() : block.parent].push_back(id);
      }
      if (block.kind == NodeKind::spine) p_.has_spines = true;
      if (block.kind == NodeKind::core || block.kind == NodeKind::gateway) p_.top = id;
    }
    const auto count = static_cast<std::uint32_t>(leaves.size());
    std::size_t columns = 0;
    for (const auto& [spines, below] : leaves) columns += below.size();
    std::vector<BlockId> order;
    for (const auto& [spines, below] : leaves) order.push_back(spines);
    for (const auto& [index, left_out] : chosen(count, columns <= kMostColumns ? count : 4)) {
      Pod pod{order[index], pod_name(index), left_out, {}, {}};
      if (left_out == 0)
        choose_leaves(pod, leaves[order[index]], columns <= kMostColumns ? kMostColumns : kMostColumns / std::min(count, 3U));
      p_.pods.push_back(std::move(pod));
    }
  }

  static void choose_leaves(Pod& pod, const std::vector<BlockId>& leaves, std::uint32_t room) {
    for (const auto& [i, left_out] : chosen(static_cast<std::uint32_t>(leaves.size()), room))
      pod.columns.push_back({left_out > 0 ? BlockId() : leaves[i], left_out, {}});
  }

  [[nodiscard]] std::string pod_name(std::uint32_t index) const {
    if (f_.topology == Topology::rail_only) return fmt::format("rail {}", index);
    if (f_.topology == Topology::hybrid) return index == 0 ? "main fabric" : "island";
    if (f_.topology == Topology::two_site) return fmt::format("site {}", index);
    return s_.pods > 1 ? fmt::format("pod {}", index) : "";
  }

  void place() {
    double weight = 0;
    for (const Pod& pod : p_.pods) {
      if (pod.left_out > 0) weight += 1;
      for (const Column& column : pod.columns) weight += column.left_out > 0 ? kGapColumn : 1;
    }
    const double unit = (PicturePlan::kRight - PicturePlan::kLeft - kPodGap * static_cast<double>(p_.pods.size() - 1)) / weight;
    double x = PicturePlan::kLeft;
    for (Pod& pod : p_.pods) {
      pod.at.x = x;
      if (pod.left_out > 0) x += unit;
      for (Column& column : pod.columns) {
        column.at.x = x;
        column.at.width = unit * (column.left_out > 0 ? kGapColumn : 1);
        x += column.at.width;
      }
      pod.at.width = x - pod.at.x;
      x += kPodGap;
    }
  }

  const Fabric& f_;
  const FabricSummary& s_;
  PicturePlan p_;
  std::map<BlockId, std::uint32_t> last_server_;
};

}  // namespace

PicturePlan plan_picture(const Fabric& fabric, const FabricSummary& summary) { return PicturePlanner(fabric, summary).run(); }

}  // namespace railyard
