#include "trace/collective_name.h"

#include <string>
#include <utility>

#include "base/printed_text.h"

namespace railyard {

std::optional<TraceCollective> collective_in_name(std::string_view name) {
  std::string plain = printed::lower_case(name.substr(0, 80));
  std::erase(plain, '_');
  constexpr std::pair<std::string_view, TraceCollective> kWords[] = {{"allreduce", TraceCollective::all_reduce},
                                                                     {"allgather", TraceCollective::all_gather},
                                                                     {"reducescatter", TraceCollective::reduce_scatter},
                                                                     {"alltoall", TraceCollective::all_to_all},
                                                                     {"broadcast", TraceCollective::broadcast},
                                                                     {"barrier", TraceCollective::barrier},
                                                                     {"reduce", TraceCollective::reduce}};
  for (const auto& [word, kind] : kWords)
    if (plain.find(word) != std::string::npos) return kind;
  return std::nullopt;
}

}  // namespace railyard
