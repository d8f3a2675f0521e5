#include "tools/fabric/picture/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quantity_text.h"
#include "tools/fabric/fabric_report.h"
#include "tools/fabric/picture/svg_page.h"
#include "tools/fabric/picture/svg_plan.h"

namespace railyard {

namespace {

constexpr double kBoxHeight = 46, kLeafHeight = 40, kBetweenTiers = 92;

class Painter {
 public:
  Painter(const Fabric& fabric, const FabricSummary& summary) : f_(fabric), s_(summary), p_(plan_picture(fabric, summary)) {}

  std::string run() {
    headline();
    double y = 84;
    if (!f_.circuits.empty()) y += 70;
    if (p_.top.valid()) {
      top_box_ = {PicturePlan::kLeft, y, PicturePlan::kRight - PicturePlan::kLeft, kBoxHeight};
      const Block& block = f_.blocks[p_.top];
      draw_group(top_box_, block.width, group_name(top_box_, "", block.width, block.kind));
      tier_label(y, f_.blocks[p_.top].kind);
      y += kBoxHeight + kBetweenTiers;
    }
    if (p_.has_spines) {
      for (Pod& pod : p_.pods) draw_spines(pod, y);
      tier_label(y, NodeKind::spine);
      draw_circuits(y);
      y += kBoxHeight + kBetweenTiers;
    }
    for (Pod& pod : p_.pods)
      for (Column& column : pod.columns) draw_leaf(pod, column, y);
    tier_label(y, NodeKind::leaf);
    const double hosts = y + kLeafHeight + 50;
    const double end = draw_hosts(hosts) + 30;
    bundle_labels(y);
    const std::string widest =
        bandwidth_text(p_.widest_low) + (p_.widest_high > 0 ? " at leaves, " + bandwidth_text(p_.widest_high) + " above" : "");
    return page_.finished(end + add_legend(page_, end, widest, f_.scale_up.domain > 1, !f_.circuits.empty()), s_.name);
  }

 private:
  [[nodiscard]] std::string ports_of_a_gpu() const {
    return fmt::format("{} × {}", s_.nics_per_gpu * s_.ports_per_nic, format(s_.port_rate));
  }

  void headline() {
    page_.text(20, 34, s_.name, "h");
    std::uint64_t switches = 0;
    for (const SwitchTier& tier : s_.switches) switches += tier.switches;
    page_.text(
        20, 58,
        fmt::format("{}: {} GPUs in {} servers, {} a GPU; {} switch{}, {} cables; bisection {:.0f} %", name_of(s_.topology),
                    format_count(s_.gpus), format_count(s_.servers), ports_of_a_gpu(), format_count(switches),
                    switches == 1 ? "" : "es", format_count(s_.bill_of_materials.all_cables()), s_.bisection.share() * 100),
        "s");
  }

  void tier_label(double y, NodeKind kind) {
    for (const SwitchTier& tier : s_.switches) {
      if (tier.kind != kind) continue;
      page_.text(20, y + 16,
                 fmt::format("{} {}{}", format_count(tier.switches), tier_name(kind, s_.topology), plural(kind, tier.switches)),
                 "n");
      page_.text(20, y + 32,
                 tier.radix ? fmt::format("{} of {} ports used", tier.used_most, *tier.radix)
                            : fmt::format("{} ports used", tier.used_most),
                 "s");
    }
  }
  [[nodiscard]] std::string_view plural(NodeKind kind, std::uint32_t count) const {
    if (count == 1) return "";
    return s_.topology == Topology::star ? "es" : kind == NodeKind::leaf ? " switches" : "s";
  }

  /// What one group sends up, in the gap above its row.
  void bundle_labels(double leaf_y) {
    label_bundle(leaf_y, NodeKind::leaf);
    page_.text(20, leaf_y + kLeafHeight + 20, ports_of_a_gpu() + " a GPU", "s");
    if (f_.scale_up.domain > 1)
      page_.text(20, leaf_y + kLeafHeight + 66, fmt::format("{} GPUs a domain", f_.scale_up.domain), "s");
    if (f_.scale_up.domain > 1) page_.text(20, leaf_y + kLeafHeight + 82, format(s_.scale_up.rate) + " a GPU", "s");
    if (p_.has_spines && p_.top.valid()) label_bundle(leaf_y - kBoxHeight - kBetweenTiers, NodeKind::spine);
  }
  void label_bundle(double y, NodeKind kind) {
    for (const Block& block : f_.blocks) {
      if (block.kind != kind || !block.parent.valid()) continue;
      const auto ports = f_.trunk_ports[block.up].size() / block.width;
      page_.text(20, y - kBetweenTiers / 2 - 4, fmt::format("{} × {} up", ports, format(f_.trunk_port_rate[block.up])), "s");
      for (const SwitchTier& tier : s_.switches)
        if (tier.kind == kind)
          page_.text(20, y - kBetweenTiers / 2 + 12, fmt::format("a switch, {}", ratio_text(tier.oversubscription_most)), "s");
      return;
    }
  }

  /// A box with its switches as small ones, and what it is called.
  void draw_group(const Box& at, std::uint32_t switches, const std::string& name) {
    page_.box(at, "group");
    const double room = std::max(18.0, at.width - 36), step = std::clamp(room / switches, 11.0, 18.0);
    const std::uint32_t shown = std::min(switches, std::min(32U, static_cast<std::uint32_t>(room / step)));
    const double start = at.middle() - shown * step / 2;
    for (std::uint32_t i = 0; i < shown; i++) page_.box({start + i * step + 2, at.y + 7, step - 4, 10}, "switch", 2);
    if (shown < switches) page_.text(start + shown * step + 4, at.y + 16, "…", "t");
    page_.text(at.middle(), at.y + 36, name, "t", Anchor::middle);
  }

  /// "pod 3: 16 spines"; the count alone where there is one group, the name alone where there is no room.
  [[nodiscard]] std::string group_name(const Box& at, const std::string& name, std::uint32_t switches, NodeKind kind) const {
    if (!name.empty() && at.width < 110) return name;
    return fmt::format("{}{}{} {}{}", name, name.empty() ? "" : ": ", format_count(switches), railyard::name_of(kind),
                       switches == 1 ? "" : "s");
  }

  void draw_spines(Pod& pod, double y) {
    pod.at.y = y;
    pod.at.height = kBoxHeight;
    if (pod.left_out > 0) {
      page_.text(pod.at.middle(), y + 24, fmt::format("… {} more", format_count(pod.left_out)), "t", Anchor::middle);
      return;
    }
    if (!pod.spines.valid()) return;
    const std::uint32_t planes = planes_of(pod);
    if (planes == 1) {
      const std::uint32_t spines = f_.blocks[pod.spines].width;
      draw_group(pod.at, spines, group_name(pod.at, pod.name, spines, NodeKind::spine));
    } else {
      for (std::uint32_t plane = 0; plane < planes; plane++) draw_plane(pod, plane, planes);
    }
    const Block& block = f_.blocks[pod.spines];
    if (block.parent.valid())
      page_.line(pod.at.middle(), y, pod.at.middle(), top_box_.bottom(),
                 bundle_width(p_.up_gbps[pod.spines.index()], p_.widest_high), bundle_style(p_.ratio(pod.spines)));
  }

  [[nodiscard]] std::uint32_t planes_of(const Pod& pod) const {
    for (const Column& column : pod.columns)
      if (column.leaf.valid() && f_.blocks[column.leaf].width > 1) return f_.blocks[column.leaf].planes;
    return 1;
  }

  [[nodiscard]] static Box plane_box(const Pod& pod, std::uint32_t plane, std::uint32_t planes) {
    const double width = pod.at.width / planes;
    return {pod.at.x + plane * width + 4, pod.at.y, width - 8, pod.at.height};
  }
  void draw_plane(const Pod& pod, std::uint32_t plane, std::uint32_t planes) {
    const Box at = plane_box(pod, plane, planes);
    const std::uint32_t spines = f_.blocks[pod.spines].width / planes;
    const std::string name = fmt::format("{}plane {}", pod.name.empty() ? "" : pod.name + ", ", plane);
    draw_group(at, spines, group_name(at, name, spines, NodeKind::spine));
  }

  void draw_circuits(double y) {
    for (const CircuitBundle& bundle : f_.circuits) {
      const Pod *a = pod_with(bundle.a), *b = pod_with(bundle.b);
      if (!a || !b) continue;
      const double distance = std::abs(b->at.middle() - a->at.middle());
      page_.arc(a->at.middle(), y, b->at.middle(), y, 24 + 70 * distance / (PicturePlan::kRight - PicturePlan::kLeft),
                bundle_width(static_cast<double>(f_.trunk_rate(bundle.there).count()) / 1e9, p_.widest_high), "circuit");
    }
    if (!f_.circuits.empty()) {
      const CircuitBundle& first = f_.circuits.front();
      page_.text(20, y - 30,
                 fmt::format("{} × {} from", f_.trunk_ports[first.there].size(), format(f_.trunk_port_rate[first.there])), "s");
      page_.text(20, y - 14, fmt::format("pod to pod, {}", ratio_text(p_.ratio(first.a))), "s");
    }
  }
  [[nodiscard]] const Pod* pod_with(BlockId spines) const {
    for (const Pod& pod : p_.pods)
      if (pod.left_out == 0 && pod.spines == spines) return &pod;
    return nullptr;
  }

  void draw_leaf(const Pod& pod, Column& column, double y) {
    column.at.y = y;
    column.at.height = kLeafHeight;
    if (!column.leaf.valid()) {
      page_.text(column.at.middle(), y + 18, fmt::format("… {}", format_count(column.left_out)), "t", Anchor::middle);
      page_.text(column.at.middle(), y + 33, "more", "t", Anchor::middle);
      return;
    }
    const Block& block = f_.blocks[column.leaf];
    const Box at{column.at.x + 3, y, std::min(column.at.width - 6, 150.0), kLeafHeight};
    const Box centred{column.at.middle() - at.width / 2, y, at.width, at.height};
    page_.box(centred, "leaf");
    const std::string index = std::to_string(p_.number[column.leaf.index()]);
    page_.text(centred.middle(), y + 17, f_.topology == Topology::star ? "switch" : "leaf " + index,
               centred.width < 66 ? "s" : "t", Anchor::middle);
    std::string note = rail_note(column.leaf);
    if (block.width > 1) note += fmt::format("{}× {}", note.empty() ? "" : " ", block.width);
    if (!note.empty()) page_.text(centred.middle(), y + 32, note, "s", Anchor::middle);
    if (pod.spines.valid()) draw_uplinks(pod, column);
  }

  [[nodiscard]] std::string rail_note(BlockId leaf) const {
    if (f_.rails == 1) return "";
    const Below& b = p_.below[leaf.index()];
    return b.gpus ? fmt::format("rail {}", b.first_nic % (f_.rails - f_.host_nics)) : std::string("servers");
  }

  void draw_uplinks(const Pod& pod, const Column& column) {
    const Block& block = f_.blocks[column.leaf];
    const double width = bundle_width(p_.up_gbps[column.leaf.index()], p_.widest_low), middle = column.at.middle();
    const std::string_view style = bundle_style(p_.ratio(column.leaf));
    if (block.planes == 1 || block.width == 1) return page_.line(middle, column.at.y, middle, pod.at.bottom(), width, style);
    for (std::uint32_t plane = 0; plane < block.planes; plane++) {
      const Box to = plane_box(pod, plane, block.planes);
      const double share = (middle - pod.at.x) / pod.at.width, from = middle + (plane - (block.planes - 1) / 2.0) * 14;
      page_.line(from, column.at.y, to.x + share * to.width, to.bottom(), std::max(1.5, width / block.planes), style);
    }
  }

  // Hosts. Servers whose NICs go to neighbouring leaves are drawn across them; others below their leaf.

  double draw_hosts(double y) {
    double end = y;
    for (const Pod& pod : p_.pods)
      for (std::size_t i = 0; i < pod.columns.size(); i++)
        if (f_.rails == 1 && pod.columns[i].leaf.valid()) end = std::max(end, draw_stack(pod.columns[i], y));
    if (f_.rails == 1) return end;
    std::vector<const Column*> all;
    for (const Pod& pod : p_.pods) {
      if (pod.left_out > 0) all.push_back(nullptr);
      for (const Column& column : pod.columns) all.push_back(&column);
    }
    for (std::size_t i = 0; i < all.size();) {
      std::size_t next = i + 1;
      if (all[i] && all[i]->leaf.valid()) {
        const std::uint32_t group = p_.below[all[i]->leaf.index()].first_server;
        while (next < all.size() && all[next] && all[next]->leaf.valid() &&
               p_.below[all[next]->leaf.index()].first_server == group)
          next++;
        end = std::max(
            end, draw_row({all.begin() + static_cast<std::ptrdiff_t>(i), all.begin() + static_cast<std::ptrdiff_t>(next)}, y));
      }
      i = next;
    }
    return end;
  }

  void host_bundle(const Column& column, double y) {
    page_.line(column.at.middle(), column.at.bottom(), column.at.middle(), y,
               bundle_width(p_.below[column.leaf.index()].gbps, p_.widest_low), "fine");
  }

  /// A server that is a scale-up domain by itself is drawn as one.
  [[nodiscard]] std::string_view server_style() const {
    return f_.scale_up.domain > 1 && f_.scale_up.domain <= f_.per_node ? "domain" : "server";
  }
  /// A domain that holds several servers is drawn around them.
  void large_domain(const Box& servers) {
    if (f_.scale_up.domain > f_.per_node)
      page_.ground({servers.x - 3, servers.y - 3, servers.width + 6, servers.height + 3}, "domain");
  }

  /// Servers across the leaves of their rails.
  double draw_row(const std::vector<const Column*>& columns, double y) {
    const Below& first = p_.below[columns.front()->leaf.index()];
    const double left = columns.front()->at.x + 2, right = columns.back()->at.right() - 2;
    const std::uint32_t shown = std::min(first.servers, 2U);
    for (const Column* column : columns) host_bundle(*column, y);
    for (std::uint32_t i = 0; i < shown; i++) {
      page_.box({left, y + i * 38.0, right - left, 32}, columns.size() > 1 ? server_style() : "server");
      for (const Column* column : columns) {
        const Below& b = p_.below[column->leaf.index()];
        if (b.gpus)
          page_.box({column->at.middle() - 9, y + i * 38.0 + 9, 18, 14}, "gpu", 2);
        else
          page_.circle(column->at.middle(), y + i * 38.0 + 16, 6, "nic");
      }
    }
    double end = y + shown * 38 + 10;
    const std::string more = first.servers > shown ? fmt::format("… {} more servers", format_count(first.servers - shown)) : "";
    const bool narrow = right - left < 150;
    page_.text((left + right) / 2, end + 4, narrow ? fmt::format("{} servers", format_count(first.servers)) : more,
               narrow ? "s" : "t", Anchor::middle);
    large_domain({left, y, right - left, end - y - 10});
    return end + 14;
  }

  /// Servers, or GPUs by themselves, below one leaf.
  double draw_stack(const Column& column, double y) {
    const Below& b = p_.below[column.leaf.index()];
    host_bundle(column, y);
    const double width = std::min(column.at.width - 8, 96.0), left = column.at.middle() - width / 2;
    const std::uint32_t gpus = b.nics * f_.per_interface;
    if (f_.per_node == 1) {
      const std::uint32_t across = column.at.width > 300 ? 16 : 4, shown = std::min(gpus, 4 * across);
      draw_gpus({column.at.middle() - across * 6.5 - 8, y, across * 13.0 + 16, 0}, shown, across, "server");
      const double end = y + (shown + across - 1) / across * 13.0 + 24;
      page_.text(column.at.middle(), end,
                 gpus > shown ? fmt::format("… {} more", format_count(gpus - shown)) : fmt::format("{} GPUs", gpus), "s",
                 Anchor::middle);
      return end + 10;
    }
    const double height = (std::min(f_.per_node, 8U) + 3) / 4 * 13.0 + 8;
    const std::uint32_t shown = std::min(b.servers, 2U);
    for (std::uint32_t i = 0; i < shown; i++)
      draw_gpus({left, y + i * (height + 6), width, 0}, std::min(f_.per_node, 8U), 4, server_style());
    double end = y + shown * (height + 6) + 14;
    if (b.servers > shown) {
      page_.text(column.at.middle(), end, fmt::format("… {} more", format_count(b.servers - shown)), "s", Anchor::middle);
      end += 15;
    }
    page_.text(column.at.middle(), end, fmt::format("{} server{}", format_count(b.servers), b.servers == 1 ? "" : "s"), "s",
               Anchor::middle);
    large_domain({left, y, width, shown * (height + 6)});
    return end + 10;
  }

  void draw_gpus(Box at, std::uint32_t count, std::uint32_t across, std::string_view style) {
    at.height = (count + across - 1) / across * 13.0 + 6;
    page_.box(at, style);
    const double start = at.middle() - std::min(count, across) * 6.5 + 1;
    for (std::uint32_t i = 0; i < count; i++)
      page_.box({start + i % across * 13.0, at.y + 4 + i / across * 13.0, 11, 10}, "gpu", 2);
  }

  const Fabric& f_;
  const FabricSummary& s_;
  PicturePlan p_;
  Box top_box_;
  SvgPage page_;
};

}  // namespace

std::string fabric_svg(const Fabric& fabric, const FabricSummary& summary) {
  return fabric.drawn ? drawn_svg(fabric, summary) : Painter(fabric, summary).run();
}

}  // namespace railyard
