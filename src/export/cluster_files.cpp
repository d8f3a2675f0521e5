#include "export/cluster_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/check.h"

namespace railyard {

namespace {

/// "server[0-3,8]" of numbers in order.
std::string name_list(const std::string& prefix, const std::vector<std::uint32_t>& numbers) {
  std::string ranges;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) last++;
    ranges += (ranges.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) ranges += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return numbers.size() == 1 ? prefix + ranges : fmt::format("{}[{}]", prefix, ranges);
}

/// "leaf 0 to 7", for people.
std::string switches_of(const Fabric& fabric, const std::set<BlockId>& blocks) {
  std::string text;
  for (const BlockId id : blocks) {
    const Block& block = fabric.blocks[id];
    const std::uint32_t first = number_of(fabric, block.first);
    text += (text.empty() ? "" : ", ") + node_name(fabric, block.first, first);
    if (block.width > 1) text += fmt::format(" to {}", first + block.width - 1);
  }
  return text;
}

/// Leaves that every server of a place is connected to, and the servers.
std::map<std::set<BlockId>, std::vector<std::uint32_t>> places_of(const Fabric& fabric) {
  std::map<std::uint32_t, std::set<BlockId>> leaves;
  for (std::uint32_t gpu = 0; gpu < fabric.gpus; gpu++)
    leaves[fabric.server_of(EndpointId(gpu))].insert(fabric.leaf_of(EndpointId(gpu)));
  std::map<std::set<BlockId>, std::vector<std::uint32_t>> places;
  for (const auto& [server, blocks] : leaves) places[blocks].push_back(server);
  return places;
}

/// One tier of Slurm's tree: what lies at one place, and its numbers of the tier below.
struct SlurmTier {
  std::map<std::set<BlockId>, std::vector<std::uint32_t>> places;
  std::string name, below;
};

/// The places above: those whose blocks have the same parents. Empty at the top.
SlurmTier tier_above(const Fabric& fabric, const SlurmTier& tier) {
  SlurmTier above{{}, tier.below == "server" ? "spine" : "core", tier.name};
  std::uint32_t number = 0;
  for (const auto& [blocks, members] : tier.places) {
    std::set<BlockId> parents;
    for (const BlockId block : blocks)
      if (fabric.blocks[block].parent.valid()) parents.insert(fabric.blocks[block].parent);
    if (!parents.empty()) above.places[parents].push_back(number);
    number++;
  }
  return above;
}

void write_tier(const Fabric& fabric, const SlurmTier& tier, std::string& out) {
  std::uint32_t number = 0;
  for (const auto& [blocks, members] : tier.places)
    out += fmt::format("# {}\nSwitchName={}{} {}={}\n", switches_of(fabric, blocks), tier.name, number++,
                       tier.below == "server" ? "Nodes" : "Switches", name_list(tier.below, members));
}

/// Several places without anything above them are one to Slurm, or it would see several clusters.
void join_tops(const SlurmTier& top, std::string& out) {
  if (top.places.size() < 2) return;
  std::vector<std::uint32_t> all(top.places.size());
  for (std::uint32_t i = 0; i < all.size(); i++) all[i] = i;
  out += fmt::format("# what joins them\nSwitchName=top Switches={}\n", name_list(top.name, all));
}

constexpr const char* kPciLink = R"(link_speed="32.0 GT/s PCIe" link_width="16")";

/// Of the bridge above a GPU (0), of the GPU (1) and of its NICs (from 2): sixteen a GPU, fifteen GPUs a domain.
std::string pci_address(std::uint32_t gpu, std::uint32_t part) {
  constexpr std::uint32_t kPerDomain = 15, kEach = 16;
  return fmt::format("{:04x}:{:02x}:00.0", gpu / kPerDomain, kEach * (gpu % kPerDomain + 1) + part);
}
std::string gpu_address(std::uint32_t gpu) { return pci_address(gpu, 1); }

/// Links between GPUs: NVLink to switches or to each other, xGMI to each other.
std::string scale_up_of(const NcclServer& shape, std::uint32_t gpu) {
  if (shape.scale_up_rate == BitsPerSecond::zero()) return {};
  constexpr std::int64_t kNvlink = 200'000'000'000, kFastNvlink = 400'000'000'000;  // of one link: up to Hopper, Blackwell
  std::string out;
  if (!shape.is_amd && shape.scale_up_switched) {
    const std::int64_t one = shape.scale_up_rate.count() > 18 * kNvlink ? kFastNvlink : kNvlink;
    return fmt::format("          <nvlink target=\"0000:f0:00.0\" count=\"{}\" tclass=\"0x068000\"/>\n",
                       std::max<std::int64_t>(1, shape.scale_up_rate.count() / one));
  }
  for (std::uint32_t other = 0; other < shape.gpus; other++)
    if (other != gpu)
      out += fmt::format("          <{} target=\"{}\" count=\"1\" tclass=\"{}\"/>\n", shape.is_amd ? "xgmi" : "nvlink",
                         gpu_address(other), shape.is_amd ? "0x120000" : "0x030200");
  return out;
}

std::string gpu_xml(const NcclServer& shape, std::uint32_t gpu) {
  return fmt::format(
      "      <pci busid=\"{}\" class=\"{}\" {}>\n        <gpu dev=\"{}\" rank=\"{}\" gdr=\"1\">\n{}        </gpu>\n      "
      "</pci>\n",
      gpu_address(gpu), shape.is_amd ? "0x120000" : "0x030200", kPciLink, gpu, gpu, scale_up_of(shape, gpu));
}

std::string nic_xml(const NcclServer& shape, std::uint32_t nic, std::uint32_t gpu, std::uint32_t nth) {
  return fmt::format(
      "      <pci busid=\"{}\" class=\"0x020700\" {}>\n        <nic>\n          <net name=\"mlx5_{}\" dev=\"{}\" "
      "speed=\"{}\" port=\"1\" guid=\"0x{:x}\" maxconn=\"131072\" gdr=\"1\"/>\n        </nic>\n      </pci>\n",
      pci_address(gpu, 2 + nth), kPciLink, nic, nic, shape.nic_rate.count() / 1'000'000, nic + 1);
}

}  // namespace

std::string slurm_topology(const Fabric& fabric) {
  std::string out = "# Written by Railyard: the network as a tree, for TopologyPlugin=topology/tree.\n";
  SlurmTier tier{places_of(fabric), "leaf", "server"};
  const auto has_several = [](const auto& place) { return place.first.size() > 1; };
  if (std::any_of(tier.places.begin(), tier.places.end(), has_several))
    tier.name = "rails";  // a server has leaves of its own by rail
  while (true) {
    write_tier(fabric, tier, out);
    SlurmTier above = tier_above(fabric, tier);
    if (above.places.empty()) break;
    tier = std::move(above);
  }
  join_tops(tier, out);
  return out;
}

std::string nccl_topology(const NcclServer& shape) {
  RY_CHECK(shape.gpus > 0, "a server has GPUs");
  constexpr std::uint32_t kProcessors = 2;
  const std::uint32_t processors = std::min(kProcessors, shape.gpus);
  std::string out =
      "<!-- Written by Railyard; addresses are made up: put in those of the server. -->\n<system version=\"1\">\n";
  for (std::uint32_t processor = 0; processor < processors; processor++) {
    out += fmt::format(
        "  <cpu numaid=\"{}\" affinity=\"{}\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">\n",
        processor, processor == 0 ? "00000000,ffffffff" : "ffffffff,00000000");
    for (std::uint32_t gpu = shape.gpus * processor / processors; gpu < shape.gpus * (processor + 1) / processors; gpu++) {
      out += fmt::format("    <pci busid=\"{}\" class=\"0x060400\" {}>\n", pci_address(gpu, 0), kPciLink);
      out += gpu_xml(shape, gpu);
      const std::uint32_t first = shape.nics * gpu / shape.gpus, end = shape.nics * (gpu + 1) / shape.gpus;
      for (std::uint32_t nic = first; nic < end; nic++) out += nic_xml(shape, nic, gpu, nic - first);
      out += "    </pci>\n";
    }
    out += "  </cpu>\n";
  }
  return out + "</system>\n";
}

}  // namespace railyard
