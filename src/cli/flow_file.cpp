#include "cli/flow_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace railyard {

namespace {

constexpr std::size_t kLongestPath = 16;  // more lanes, and they are several paths
constexpr const char* kHeader = "start_s,finish_s,bytes,edges,what,group,stage,from_gpu,to_gpu,path\n";

}  // namespace

FlowFile::FlowFile(std::string file) : file_(std::move(file)) {
  if (file_ == "-") {
    std::cout << kHeader;
    return;
  }
  partial_ = file_ + ".partial-" + std::to_string(getpid());
  out_.open(partial_, std::ios::binary);
  out_ << kHeader;
}

FlowFile::~FlowFile() {
  std::error_code ignored;
  if (!partial_.empty()) std::filesystem::remove(partial_, ignored);
}

bool FlowFile::is_open() const { return file_ == "-" || static_cast<bool>(out_) || complain(); }

bool FlowFile::complain() const {
  std::cerr << "railyard: cannot write " << file_ << "; check that its folder exists, is writable and has room\n";
  return false;
}

void FlowFile::write(const FlowRecord& flow) {
  const bool of_step = !flow.group.empty();
  (file_ == "-" ? std::cout : out_) << fmt::format(
      "{:.9f},{:.9f},{},{},{},{},{},{},{},{}\n", seconds(flow.start), seconds(flow.finish), flow.size.count(), flow.edges,
      flow.what, flow.group, of_step ? std::to_string(flow.stage) : "", flow.from.index(), flow.to.index(), path_of(flow));
}

bool FlowFile::finish() {
  if (file_ == "-") return static_cast<bool>(std::cout.flush());
  out_.close();
  std::error_code failure;
  if (out_) std::filesystem::rename(partial_, file_, failure);
  if (!out_ || failure) return complain();
  partial_.clear();
  return true;
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
