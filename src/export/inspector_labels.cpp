#include "export/inspector_labels.h"

#include <fmt/format.h>

#include <array>

#include "export/openmetrics.h"

namespace railyard {

namespace {

/// "AllReduce" of "all_reduce"; NCCL writes "AlltoAll".
std::string collective_name(std::string_view name) {
  if (name == "all_to_all") return "AlltoAll";
  std::string out;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
  return out;
}

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

}  // namespace

std::string inspector_size(Bytes size) {
  constexpr std::array kUnits = {"B", "KB", "MB", "GB", "TB"};
  std::int64_t value = size.count();
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); unit++) value /= 1024;
  return value == 0 ? "0B" : fmt::format("{}-{}{}", value, value + 1, kUnits[unit]);
}

std::string inspector_labels(const InspectedCall& call) {
  std::string labels = label_text({{"version", "v5.1"},
                                   {"slurm_job_id", "unknown"},
                                   {"node", fmt::format("server-{}", call.server)},
                                   {"gpu", fmt::format("GPU{}", call.gpu)},
                                   {"comm_name", call.comm}});
  if (call.nodes > 0) add_label(labels, "n_nodes", fmt::to_string(call.nodes));
  if (call.ranks > 0) add_label(labels, "nranks", fmt::to_string(call.ranks));
  add_label(labels, "collective", collective_name(call.collective));
  add_label(labels, "message_size", inspector_size(call.size));
  add_label(labels, "algo_proto", upper_case(call.algorithm));
  if (!call.operation.empty()) add_label(labels, "operation", call.operation);
  return labels;
}

}  // namespace railyard
