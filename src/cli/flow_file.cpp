#include "cli/flow_file.h"

#include <fmt/format.h>

#include <array>

#include "base/printable.h"

namespace railyard {

namespace {

constexpr std::size_t kLongestPath = 16;  // more lanes, and they are several paths
constexpr const char* kHeader = "start_s,finish_s,bytes,edges,what,group,stage,from_gpu,to_gpu,path\n";

}  // namespace

FlowFile::FlowFile(OutputFile& file) : file_(file) { file_.write(kHeader); }

void FlowFile::write(const FlowRecord& flow) {
  const bool of_step = !flow.group.empty();
  file_.write(fmt::format("{:.9f},{:.9f},{},{},{},{},{},{},{},{}\n", seconds(flow.start), seconds(flow.finish),
                          flow.size.count(), flow.edges, csv_cell(flow.what), csv_cell(flow.group),
                          of_step ? std::to_string(flow.stage) : "", flow.from.index(), flow.to.index(),
                          csv_cell(path_of(flow))));
}

std::string FlowFile::name_of_node(const Fabric& fabric, NodeId node) {
  if (numbers_.empty()) {
    std::array<std::uint32_t, kNodeKinds> next = {};
    for (const NodeKind kind : fabric.kind) numbers_.push_back(next[static_cast<std::size_t>(kind)]++);
  }
  return node_name(fabric, node, numbers_[node.index()]);
}

/// The nodes on the way of a flow that has one: "host 0 > leaf 0 > spine 3 > leaf 1 > host 9".
std::string FlowFile::path_of(const FlowRecord& flow) {
  std::string path;
  if (!flow.fabric || flow.links.size() > kLongestPath) return path;
  for (const std::uint32_t link : flow.links) {
    const PortId port = flow.links_are_ports ? PortId(link) : flow.fabric->trunk_ports[TrunkId(link)].front();
    if (path.empty()) path = name_of_node(*flow.fabric, flow.fabric->port_from[port]);
    path += " > " + name_of_node(*flow.fabric, flow.fabric->port_to[port]);
  }
  return path;
}

}  // namespace railyard
