#include "report/fabric_map_report.h"

#include <algorithm>
#include <cmath>

#include "report/json_fields.h"
#include "report/rounded.h"

namespace railyard {

namespace {

constexpr JsonField<FabricMap::Link> kMapLinkFields[] = {
    json_field<&FabricMap::Link::from>("from"),
    json_field<&FabricMap::Link::to>("to"),
    json_field<&FabricMap::Link::name>("name"),
    json_field<&FabricMap::Link::ports>("ports"),
    json_field<&FabricMap::Link::gbps, six_digits>("gbps"),
    json_field<&FabricMap::Link::up, four_digits>("mean"),
    json_field<&FabricMap::Link::down, four_digits>("mean_back"),
    json_field<&FabricMap::Link::peak, four_digits>("peak"),
    json_field<&FabricMap::Link::worst>("worst"),
};

/// Thousandths of capacity: a page carries thousands of them. Nothing where all are zero.
void set_loads(Document& out, const char* name, const std::vector<double>& loads) {
  if (std::all_of(loads.begin(), loads.end(), [](double load) { return load == 0; })) return;
  Document& items = out.set(name, Document::array());
  for (const double load : loads) items.push(Document(static_cast<std::int64_t>(std::llround(load * 1000))));
}

/// The busiest port is told where it is not one of one.
Document over_time_document(const FabricMap& map, const MapOverTime& over_time) {
  Document out = Document::object();
  if (!over_time.unknown.empty()) {
    out.set("unknown", Document(over_time.unknown));
    return out;
  }
  out.set("bin_s", rounded(over_time.bin_s, 6));
  out.set("bins", Document(static_cast<std::int64_t>(over_time.links.front().peak.size())));
  Document& links = out.set("links", Document::array());
  for (std::size_t i = 0; i < over_time.links.size(); i++) {
    Document& item = links.push(Document::object());
    item.set("name", Document(map.links[i].name));
    set_loads(item, "mean", over_time.links[i].up);
    set_loads(item, "mean_back", over_time.links[i].down);
    if (map.links[i].ports > 1) set_loads(item, "peak", over_time.links[i].peak);
  }
  return out;
}

}  // namespace

Document map_document(const FabricMap& map, const MapOverTime* over_time) {
  Document out = Document::object();
  Document& nodes = out.set("nodes", Document::array());
  for (std::size_t i = 0; i < map.nodes.size(); i++) {
    Document& item = nodes.push(Document::object());
    item.set("id", Document(static_cast<std::int64_t>(i)));
    item.set("name", Document(map.nodes[i].name));
    item.set("tier", Document(std::int64_t{map.nodes[i].tier}));
    item.set("kind", Document(map.nodes[i].kind));
  }
  out.set("links", list_of(map.links, kMapLinkFields));
  Document& switches = out.set("switches", Document::array());
  for (const FabricMap::Switches& all : map.switches) {
    Document& item = switches.push(Document::object());
    item.set("kind", Document(all.kind));
    if (!all.names.empty()) {
      Document& names = item.set("names", Document::array());
      for (const std::string& name : all.names) names.push(Document(name));
    }
    if (!all.up.empty()) item.set("up", rounded_numbers(all.up));
    item.set("down", rounded_numbers(all.down));
    item.set("peak", rounded_numbers(all.peak));
  }
  if (!map.left_out.empty()) out.set("left_out", Document(map.left_out));
  Document& histogram = out.set("histogram", Document::array());
  for (const FabricMap::Histogram& tier : map.histogram) {
    Document& item = histogram.push(Document::object());
    item.set("tier", Document(tier.tier));
    item.set("ports", Document(static_cast<std::int64_t>(tier.ports)));
    item.set("bins", rounded_numbers({tier.bins.begin(), tier.bins.end()}));
  }
  if (over_time) out.set("over_time", over_time_document(map, *over_time));
  return out;
}

}  // namespace railyard
