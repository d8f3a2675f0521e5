#include "trace/kineto_event.h"

#include <algorithm>

#include "base/printed_text.h"
#include "trace/graph.h"
#include "trace/json_members.h"

namespace railyard {

namespace {

double bytes_of_element(std::string_view type) {
  const std::string plain = printed::lower_case(type);
  if (plain.starts_with("float8") || plain == "byte" || plain == "char" || plain == "bool") return 1;
  if (plain == "half" || plain == "bfloat16" || plain == "float16" || plain == "short") return 2;
  if (plain == "double" || plain == "long") return 8;
  return plain == "float" || plain == "float32" || plain == "int" ? 4 : 0;
}

bool is_library_kernel(std::string_view name) {
  return name.starts_with("nccl") || name.starts_with("rccl") || name.find("ncclDevKernel") != std::string_view::npos ||
         name.find("ncclKernel") != std::string_view::npos;
}

}  // namespace

bool may_be_on_gpu(std::string_view text) {
  return text.find("\"kernel\"") != std::string_view::npos || text.find("\"gpu_memcpy\"") != std::string_view::npos ||
         text.find("\"gpu_memset\"") != std::string_view::npos;
}

KinetoEvent kineto_event(const Document& event) {
  KinetoEvent out;
  out.category = text_member(event, "cat");
  out.name = text_member(event, "name");
  out.start_us = number_member(event, "ts", -1);
  out.length_us = number_member(event, "dur", -1);
  out.kernel = out.category == "kernel";
  out.on_gpu = out.kernel || out.category == "gpu_memcpy" || out.category == "gpu_memset";
  out.communicates = out.kernel && is_library_kernel(out.name);
  const Document* const args = event.find("args");
  if (!args || !args->members()) return out;
  out.collective = text_member(*args, "Collective name");
  const double elements = std::max(number_member(*args, "In msg nelems"), number_member(*args, "Out msg nelems"));
  out.bytes = std::max(0.0, elements * bytes_of_element(text_member(*args, "dtype")));
  out.group_size =
      static_cast<std::uint32_t>(std::clamp(number_member(*args, "Group size"), 0.0, static_cast<double>(kMostTraceRanks)));
  out.group = text_member(*args, "Process Group Description");
  if (out.group.empty()) out.group = text_member(*args, "Process Group Name");
  out.group_ranks = text_member(*args, "Process Group Ranks");
  return out;
}

}  // namespace railyard
