// nvidia-smi topo -m and rocm-smi --showtopo: how far GPUs and NICs are apart.
#include <algorithm>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

constexpr std::size_t kMostDistances = 65'536;  // of a host

bool is_distance(std::string_view word) {
  return word == "PIX" || word == "PXB" || word == "PHB" || word == "NODE" || word == "SYS" || word == "X" ||
         starts_with_any(word, {"NV", "PIX", "SOC"});
}

bool is_gpu(std::string_view word) { return word.size() > 3 && word.starts_with("GPU") && whole_number(word.substr(3), 4095); }
bool is_nic_column(std::string_view word) {
  return (word.size() > 3 && word.starts_with("NIC") && whole_number(word.substr(3), 4095)) ||
         starts_with_any(word, {"mlx", "bnxt"});
}

/// "        GPU0  GPU1  NIC0  NIC1  CPU Affinity …"
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  for (const std::string_view word : words_of(line)) {
    if (!is_gpu(word) && !is_nic_column(word)) break;
    columns.emplace_back(word);
  }
  return columns;
}

/// What lines "NIC0: mlx5_0" below the matrix call the columns.
std::map<std::string, std::string, std::less<>> legend_of(std::vector<Line>& lines) {
  std::map<std::string, std::string, std::less<>> legend;
  for (Line& line : lines) {
    const auto parts = key_value(line.text, ":");
    if (!parts || !parts->key.starts_with("NIC") || !is_nic_column(parts->key) || parts->value.empty()) continue;
    legend[std::string(parts->key)] = std::string(parts->value);
    line.taken = true;
  }
  return legend;
}

void read_matrix(HostScope& scope) {
  std::vector<std::string> columns;
  const auto legend = legend_of(scope.block.lines);
  for (Line& line : scope.block.lines) {
    if (line.taken) continue;
    const auto header = columns_of(line.text);
    const auto words = words_of(line.text);
    if (header.size() > 1) {
      columns = header;
      line.taken = true;
      continue;
    }
    if (columns.empty() || header.size() != 1 || words.size() < 2 || !is_distance(words[1])) continue;
    line.taken = true;
    if (!is_gpu(words[0]) || scope.device.distances.size() > kMostDistances) continue;
    for (std::size_t i = 0; i < columns.size() && i + 1 < words.size(); i++) {
      if (!is_nic_column(columns[i]) || !is_distance(words[i + 1])) continue;
      const auto named = legend.find(columns[i]);
      scope.device.distances.push_back({std::string(words[0]), named == legend.end() ? columns[i] : named->second,
                                        std::string(words[i + 1]), scope.at(line)});
    }
  }
  if (columns.empty()) return;
  for (Line& line : scope.block.lines)
    if (starts_with_any(line.text, {"Legend:", "NIC Legend:", "X ", "SYS ", "NODE ", "PHB ", "PXB ", "PIX ", "NV#"}))
      line.taken = true;
}

/// "GPU[0] : (Topology) Numa Node: 1". rocm-smi knows no NICs: those whose node is known are near or far by it.
void read_gpu_nodes(HostScope& scope) {
  for (Line& line : scope.block.lines) {
    constexpr std::string_view kMark = "Numa Node:";
    const std::size_t mark = line.text.find(kMark), close = line.text.find(']');
    if (!line.text.starts_with("GPU[") || mark == std::string_view::npos || close == std::string_view::npos) continue;
    const auto node = whole_number(line.text.substr(mark + kMark.size()), 1024);
    line.taken = true;
    if (!node || scope.device.distances.size() > kMostDistances) continue;
    const std::string gpu = "GPU" + std::string(line.text.substr(4, close - 4));
    for (const NicConfig& nic : scope.device.nics)
      if (nic.numa && *nic.numa >= 0)
        scope.device.distances.push_back({gpu, nic.name.empty() ? nic.netdev : nic.name,
                                          static_cast<std::uint64_t>(*nic.numa) == *node ? "NODE" : "SYS", scope.at(line)});
  }
}

bool is_rocm_topology(std::string_view line) {
  return contains(line, "ROCm System Management") || contains(line, "Weight between two GPUs") ||
         contains(line, "Hops between two GPUs") || contains(line, "Link Type between two GPUs") ||
         contains(line, "End of ROCm SMI");
}

}  // namespace

void read_gpu_topology(HostScope& scope) {
  read_matrix(scope);
  read_gpu_nodes(scope);
  const bool is_rocm = std::any_of(scope.block.lines.begin(), scope.block.lines.end(),
                                   [](const Line& line) { return is_rocm_topology(line.text); });
  if (!is_rocm) return;
  for (Line& line : scope.block.lines)
    if (line.text.starts_with("GPU") || is_rocm_topology(line.text) || contains(line.text, "Numa")) line.taken = true;
}

}  // namespace railyard::host_text
