// The XML that NCCL and RCCL dump of a server (NCCL_TOPO_DUMP_FILE) and read (NCCL_TOPO_FILE): how far GPUs and NICs are apart,
// and the PCIe links of NICs.
#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "base/printable.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

constexpr int kDeepest = 64;             // bridges above a device
constexpr std::size_t kMostParts = 256;  // GPUs, or NICs, of a server

/// A GPU or a NIC, and what is above it: its processor first.
struct TopologyPart {
  std::string name;
  std::vector<pugi::xml_node> above;
  pugi::xml_node pci;
};

class NcclTopology {
 public:
  NcclTopology(const ConfigText& text, Device& device) : text_(text), device_(device) {}

  void read(const pugi::xml_node& system) {
    for (const pugi::xml_node& processor : system.children("cpu")) walk(processor, {processor});
    for (const TopologyPart& nic : nics_) add_nic(nic);
    for (const TopologyPart& gpu : gpus_)
      for (const TopologyPart& nic : nics_)
        device_.distances.push_back({gpu.name, nic.name, distance(gpu, nic), place_of(gpu.pci)});
  }

 private:
  void walk(const pugi::xml_node& parent, const std::vector<pugi::xml_node>& above) {
    if (above.size() > kDeepest) return;
    for (const pugi::xml_node& pci : parent.children("pci")) {
      const std::string_view kind = pci.attribute("class").value();
      if (is_gpu(pci, kind))
        add_part(gpus_, gpu_name(pci), above, pci);
      else if (is_nic(pci, kind))
        add_part(nics_, nic_name(pci), above, pci);
      std::vector<pugi::xml_node> deeper = above;
      deeper.push_back(pci);
      walk(pci, deeper);
    }
  }

  static bool is_gpu(const pugi::xml_node& pci, std::string_view kind) {
    return pci.child("gpu") || kind.starts_with("0x0302") || kind.starts_with("0x0300") || kind.starts_with("0x1200");
  }
  static bool is_nic(const pugi::xml_node& pci, std::string_view kind) { return pci.child("nic") || kind.starts_with("0x02"); }

  /// As nvidia-smi counts them, where a dump says so; else in the order of the file.
  [[nodiscard]] std::string gpu_name(const pugi::xml_node& pci) const {
    const pugi::xml_attribute number = pci.child("gpu").attribute("dev");
    return "GPU" + (number ? printable(number.value()) : std::to_string(gpus_.size()));
  }
  static std::string nic_name(const pugi::xml_node& pci) {
    const pugi::xml_attribute name = pci.child("nic").child("net").attribute("name");
    return printable(name ? name.value() : pci.attribute("busid").value());
  }

  static void add_part(std::vector<TopologyPart>& parts, std::string name, const std::vector<pugi::xml_node>& above,
                       const pugi::xml_node& pci) {
    if (parts.size() < kMostParts) parts.push_back({std::move(name), above, pci});
  }

  /// In the words of nvidia-smi topo: one bridge between them, several, the processor, or two processors.
  static const char* distance(const TopologyPart& gpu, const TopologyPart& nic) {
    std::size_t shared = 0;
    while (shared < gpu.above.size() && shared < nic.above.size() && gpu.above[shared] == nic.above[shared]) shared++;
    if (shared == 0) return "SYS";
    if (shared == 1) return "PHB";
    return shared == gpu.above.size() && shared == nic.above.size() ? "PIX" : "PXB";
  }

  void add_nic(const TopologyPart& part) {
    const auto known = std::find_if(device_.nics.begin(), device_.nics.end(), [&](const NicConfig& nic) {
      return nic.name == part.name || std::find(nic.aliases.begin(), nic.aliases.end(), part.name) != nic.aliases.end();
    });
    NicConfig& nic = known == device_.nics.end() ? device_.nics.emplace_back() : *known;
    if (nic.name.empty()) nic.name = part.name;
    if (const std::string address = printable(part.pci.attribute("busid").value()); address != nic.name)
      nic.aliases.push_back(address);
    const SourceSpan here = place_of(part.pci);
    if (const auto width = part.pci.attribute("link_width").as_uint(); width > 0 && width <= 32) {
      nic.pcie_width = width;
      nic.said["pcie_width"] = here;
    }
    if (const auto speed = part.pci.attribute("link_speed").as_double(); speed > 0 && speed < 1000) {  // "32.0 GT/s PCIe"
      nic.pcie_speed = speed;
      nic.said["pcie_speed"] = here;
    }
    if (const auto node = part.above.front().attribute("numaid"); node && node.as_int(-1) >= 0) nic.numa = node.as_int();
    constexpr std::int64_t kMegabit = 1'000'000, kFastest = 100'000'000;
    if (const auto rate = part.pci.child("nic").child("net").attribute("speed").as_llong(); rate > 0 && rate < kFastest)
      nic.speed = BitsPerSecond(rate * kMegabit);
  }

  [[nodiscard]] SourceSpan place_of(const pugi::xml_node& node) const {
    const auto end =
        text_.text.begin() + std::clamp<std::ptrdiff_t>(node.offset_debug(), 0, static_cast<std::ptrdiff_t>(text_.text.size()));
    return {text_.file, static_cast<std::uint32_t>(1 + std::count(text_.text.begin(), end, '\n')), 0};
  }

  const ConfigText& text_;
  Device& device_;
  std::vector<TopologyPart> gpus_, nics_;
};

bool is_nccl_topology(const ConfigText& text) {
  constexpr std::size_t kNear = 4096;  // a comment may come first
  return text.text.find("<system") < kNear && text.text.find("<cpu") != std::string::npos &&
         text.text.find("<pci") != std::string::npos;
}

Diagnostics read_nccl_topology(const ConfigText& text, Estate& estate) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.text.data(), text.text.size());
  if (!parsed) {
    const auto end =
        text.text.begin() + std::clamp<std::ptrdiff_t>(parsed.offset, 0, static_cast<std::ptrdiff_t>(text.text.size()));
    const auto line = static_cast<std::uint32_t>(1 + std::count(text.text.begin(), end, '\n'));
    return {{Severity::error,
             "RY-CFG-003",
             std::string("this topology is not XML: ") + parsed.description(),
             "dump it again with NCCL_TOPO_DUMP_FILE",
             {text.file, line, 0}}};
  }
  const pugi::xml_node system = document.child("system");
  const bool is_nvidia = text.text.find("0x15b3") != std::string::npos || text.text.find("mlx5") != std::string::npos;
  Device& device = device_of(estate, text.device, DeviceKind::host, is_nvidia ? Dialect::mlnx : Dialect::dcb);
  device.role = Role::host;
  device.files.push_back({text.file, 0, 0});
  NcclTopology(text, device).read(system);
  return {};
}

}  // namespace

std::vector<FileReader> nccl_topology_readers() {
  return {{"topology of a server, as NCCL and RCCL dump it", is_nccl_topology, read_nccl_topology}};
}

}  // namespace railyard
