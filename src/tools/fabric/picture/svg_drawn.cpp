#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/quantity_text.h"
#include "tools/fabric/fabric_report.h"
#include "tools/fabric/picture/svg.h"
#include "tools/fabric/picture/svg_page.h"

namespace railyard {

namespace {

constexpr double kRow = 120, kTop = 100;
constexpr std::size_t kMostInRow = 16;

/// All cables between two nodes.
struct Join {
  NodeId a, b;
  std::map<BitsPerSecond, std::uint32_t> cables;
  bool scale_up = false;
  double gbps = 0;
};

/// Rows by distance from the GPUs: scale-up switches below them, switches above.
class Graph {
 public:
  Graph(const Fabric& fabric, const FabricSummary& summary)
      : f_(fabric), s_(summary), level_(f_.kind.size(), -1), x_(f_.kind.size(), -1) {
    collect();
    set_levels();
    arrange();
  }

  std::string run() {
    page_.text(20, 34, s_.name, "h");
    std::uint64_t switches = 0;
    for (const SwitchTier& tier : s_.switches) switches += tier.switches;
    page_.text(20, 58,
               fmt::format("drawn by hand: {} GPUs; {} switches, {} cables; bisection {:.0f} %", format_count(s_.gpus),
                           format_count(switches), format_count(s_.bill_of_materials.all_cables()), s_.bisection.share() * 100),
               "s");
    for (const Join& join : joins_) draw(join);
    for (const NodeId node : ids(f_.kind))
      if (x_[node.index()] >= 0) draw(node);
    const double end = y_of(lowest_) + 70;
    return page_.finished(end + add_legend(page_, end, bandwidth_text(widest_), has_scale_up_, false), s_.name);
  }

 private:
  void collect() {
    std::map<std::pair<NodeId, NodeId>, Join> joins;
    for (const TrunkId trunk : ids(f_.trunk_tier)) {
      const PortId port = f_.trunk_ports[trunk].front();
      const NodeId a = f_.port_from[port], b = f_.port_to[port];
      if (b < a) continue;  // the same cables, the other way
      Join& join = joins[{a, b}];
      join.a = a;
      join.b = b;
      join.cables[f_.trunk_port_rate[trunk]] += f_.trunk_ports[trunk].size();
      join.gbps += static_cast<double>(f_.trunk_rate(trunk).count()) / 1e9;
      join.scale_up = is_scale_up(f_.trunk_tier[trunk]);
      has_scale_up_ = has_scale_up_ || join.scale_up;
      if (!join.scale_up) widest_ = std::max(widest_, join.gbps);
    }
    for (const auto& [ends, join] : joins) joins_.push_back(join);
  }

  void set_levels() {
    std::deque<NodeId> open;
    for (const NodeId node : ids(f_.kind)) {
      if (f_.kind[node] == NodeKind::scale_up) level_[node.index()] = 0;
      if (f_.kind[node] == NodeKind::host) level_[node.index()] = 1, open.push_back(node);
    }
    for (; !open.empty(); open.pop_front())
      for (const TrunkId trunk : f_.drawn->from.row(open.front())) {
        const NodeId to = f_.port_to[f_.trunk_ports[trunk].front()];
        if (level_[to.index()] >= 0) continue;
        level_[to.index()] = level_[open.front().index()] + 1;
        open.push_back(to);
      }
    for (const Join& join : joins_) between_switches_ += joins_switches(join) ? 1 : 0;
    highest_ = *std::max_element(level_.begin(), level_.end());
    lowest_ = *std::min_element(level_.begin(), level_.end());
  }

  /// Nodes of a row in the order of what they hang on below; the middle of a long row is left out.
  void arrange() {
    std::vector<double> rank(f_.kind.size());
    for (const NodeId node : ids(f_.kind)) rank[node.index()] = node.index();
    for (int level = std::max(lowest_, 0); level <= highest_; level++) {
      std::vector<NodeId> row;
      for (const NodeId node : ids(f_.kind))
        if (level_[node.index()] == level) row.push_back(node);
      if (level > 1) {
        for (const NodeId node : row) rank[node.index()] = mean_below(node, rank);
        std::stable_sort(row.begin(), row.end(), [&](NodeId a, NodeId b) { return rank[a.index()] < rank[b.index()]; });
      }
      if (row.size() > kMostInRow) {
        left_out_[level] = static_cast<std::uint32_t>(row.size() - kMostInRow + 1);
        row.erase(row.begin() + kMostInRow - 2, row.end() - 1);
      }
      const std::size_t slots = row.size() + (left_out_.contains(level) ? 1 : 0);
      const double unit = (SvgPage::kWidth - 160) / static_cast<double>(slots);
      for (std::size_t i = 0; i < row.size(); i++) {
        const std::size_t slot = left_out_.contains(level) && i + 1 == row.size() ? i + 1 : i;
        x_[row[i].index()] = 140 + unit * (static_cast<double>(slot) + 0.5);
      }
      if (left_out_.contains(level))
        page_.text(140 + unit * (static_cast<double>(slots) - 1.5), y_of(level) + 4,
                   fmt::format("… {} more", format_count(left_out_[level])), "t", Anchor::middle);
      width_[level] = std::min(unit - 8, 120.0);
    }
  }

  [[nodiscard]] double mean_below(NodeId node, const std::vector<double>& rank) const {
    double sum = 0, count = 0;
    for (const TrunkId trunk : f_.drawn->from.row(node)) {
      const NodeId to = f_.port_to[f_.trunk_ports[trunk].front()];
      if (level_[to.index()] < level_[node.index()]) sum += rank[to.index()], count += 1;
    }
    return count > 0 ? sum / count : rank[node.index()];
  }

  [[nodiscard]] bool joins_switches(const Join& join) const { return level_[join.a.index()] > 1 && level_[join.b.index()] > 1; }

  /// What comes to a switch from below over what goes up from it.
  [[nodiscard]] double ratio(NodeId node) const {
    double down = 0, up = 0;
    for (const TrunkId trunk : f_.drawn->from.row(node)) {
      const int other = level_[f_.port_to[f_.trunk_ports[trunk].front()].index()];
      const auto rate = static_cast<double>(f_.trunk_rate(trunk).count());
      if (other > level_[node.index()]) up += rate;
      if (other < level_[node.index()] && other > 0) down += rate;
    }
    return up > 0 ? down / up : 0;
  }

  [[nodiscard]] double y_of(int level) const { return kTop + kRow * (highest_ - level); }

  void draw(const Join& join) {
    const double x1 = x_[join.a.index()], x2 = x_[join.b.index()];
    if (x1 < 0 || x2 < 0) return;
    const int level_a = level_[join.a.index()], level_b = level_[join.b.index()];
    const double y1 = y_of(level_a), y2 = y_of(level_b);
    const double width = join.scale_up ? 2 : std::min(between_switches_ > 16 ? 2.5 : 10.0, bundle_width(join.gbps, widest_));
    const std::string_view style = join.scale_up ? "bracket" : bundle_style(ratio(level_a < level_b ? join.a : join.b));
    if (level_a == level_b)
      page_.arc(x1, y1, x2, y2, 26 + std::abs(x2 - x1) / 12, width, style);
    else
      page_.line(x1, y1, x2, y2, width, style);
    if (between_switches_ > 16 || !joins_switches(join)) return;
    std::string label;
    for (const auto& [rate, count] : join.cables)
      label += (label.empty() ? "" : ", ") + (count == 1 ? format(rate) : fmt::format("{} × {}", count, format(rate)));
    const double lift = level_a == level_b ? 24 + std::abs(x2 - x1) / 16 : 0, label_at = level_a < level_b ? 0.66 : 0.34;
    const double x = x1 + (x2 - x1) * label_at, y = y1 + (y2 - y1) * label_at - lift;
    const double half = static_cast<double>(label.size()) * 3.4;
    page_.box({x - half, y - 12, 2 * half, 16}, "page", 2);
    page_.text(x, y, label, "s", Anchor::middle);
  }

  void draw(NodeId node) {
    const int level = level_[node.index()];
    const double x = x_[node.index()], y = y_of(level), width = width_[level];
    const NodeKind kind = f_.kind[node];
    page_.box({x - width / 2, y - 16, width, 32}, kind == NodeKind::host       ? "gpu"
                                                  : kind == NodeKind::scale_up ? "domain"
                                                                               : "leaf");
    std::string name = f_.names[node.index()];
    const auto room = static_cast<std::size_t>(width / 7.5);
    if (name.size() > room && room > 1) name = name.substr(0, room - 1) + "…";
    page_.text(x, y + 4, name, "t", Anchor::middle);
  }

  const Fabric& f_;
  const FabricSummary& s_;
  std::vector<Join> joins_;
  std::vector<int> level_;  // by node: GPUs 1, what is above 2 and more, scale-up switches 0
  std::vector<double> x_;   // by node; below 0: left out
  std::map<int, std::uint32_t> left_out_;
  std::map<int, double> width_;
  int highest_ = 1, lowest_ = 1;
  std::uint32_t between_switches_ = 0;  // pairs of switches that are joined
  bool has_scale_up_ = false;
  double widest_ = 0;
  SvgPage page_;
};

}  // namespace

std::string drawn_svg(const Fabric& fabric, const FabricSummary& summary) { return Graph(fabric, summary).run(); }

}  // namespace railyard
