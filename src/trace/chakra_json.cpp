// Chakra's traces as JSON: {"workload_graph": [ … ]}. Nodes are cut out and parsed one by one.
#include <fmt/format.h>

#include "base/json.h"
#include "trace/chakra.h"
#include "trace/json_list.h"

namespace railyard::chakra_trace {

namespace {

const Document* member_of(const Document& node, std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const Document* const value = node.find(name)) return value;
  return nullptr;
}

std::optional<std::int64_t> whole_in(const Document& node, std::initializer_list<const char*> names) {
  const Document* const value = member_of(node, names);
  if (!value) return std::nullopt;
  if (value->boolean()) return *value->boolean() ? 1 : 0;
  return value->integer() ? std::optional(*value->integer()) : std::nullopt;
}

Item item_of_json(const Document& node) {
  const auto natural = [&](std::initializer_list<const char*> names) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole_in(node, names).value_or(0)));
  };
  Item item{.id = natural({"Id", "id"}),
            .type = natural({"NodeType", "type"}),
            .duration_us = natural({"runtime", "duration_micros"})};
  for (const auto& names : {std::pair("ctrlDeps", "ctrl_deps"), std::pair("dataDeps", "data_deps")})
    if (const Document* const list = member_of(node, {names.first, names.second}); list && list->items())
      for (const Document& before : *list->items())
        if (before.integer() && *before.integer() >= 0) item.before.push_back(static_cast<std::uint64_t>(*before.integer()));
  item.is_cpu_op = whole_in(node, {"is_cpu_op"}).value_or(0) != 0;
  item.comm_type = whole_in(node, {"comm_type"});
  item.comm_size = whole_in(node, {"comm_size"});
  item.comm_src = whole_in(node, {"comm_src"});
  item.comm_dst = whole_in(node, {"comm_dst"});
  item.comm_tag = whole_in(node, {"comm_tag"});
  if (const Document* const group = node.find("pg_name"); group && group->text()) item.group = *group->text();
  return item;
}

}  // namespace

void read_json_items(const TraceInput& input, BufferedBytes& bytes, Builder& out) {
  if (!skip_behind_text(bytes, "\"workload_graph\"") || !skip_behind_text(bytes, "["))
    return out.mistake("RY-TRC-002", "there is no \"workload_graph\" in this JSON", "give a trace of Chakra");
  std::uint64_t number = 0;
  bool is_whole = false;
  for (std::string_view text = next_json_object(bytes, is_whole); !text.empty();
       text = next_json_object(bytes, is_whole), number++) {
    const Result<Document> node = parse_json(text, input.name, "RY-TRC-002");
    if (!node)
      return out.mistake("RY-TRC-002",
                         fmt::format("entry {} of workload_graph is no JSON: {}", number, node.error().front().message),
                         "check the file");
    bytes.skip(text.size());
    out.add(item_of_json(*node));
    if (out.is_hopeless()) return;
  }
  if (!is_whole)
    out.mistake("RY-TRC-002", fmt::format("workload_graph breaks off after {} nodes", number), "check that the file is whole");
}

}  // namespace railyard::chakra_trace
