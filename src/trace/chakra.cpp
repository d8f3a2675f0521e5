// Chakra's execution traces: what is common to protobuf and JSON, and the ranks of process groups.
#include "trace/chakra.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/json.h"

namespace railyard {

namespace chakra_trace {

namespace {

constexpr std::uint64_t kLongestMicroseconds = 86'400'000'000;
constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
constexpr std::size_t kEnoughOfChakra = 20;
enum : std::uint16_t { kGpuStream = 0, kCpuStream = 1, kMemoryStream = 2 };

/// Chakra's numbers of collectives; none for those that nobody plays.
std::optional<TraceCollective> collective_of_number(std::int64_t number) {
  switch (number) {
    case 0:
      return TraceCollective::all_reduce;
    case 1:
      return TraceCollective::reduce;
    case 2:
      return TraceCollective::all_gather;
    case 5:
      return TraceCollective::broadcast;
    case 6:
      return TraceCollective::all_to_all;
    case 7:
    case 8:
      return TraceCollective::reduce_scatter;
    case 9:
      return TraceCollective::barrier;
    default:
      return std::nullopt;
  }
}

std::uint32_t short_place(std::uint64_t id) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(id, 0xffff'ffffU)); }

bool is_rank(const std::optional<std::int64_t>& value) {
  return value && *value >= 0 && *value < std::int64_t{kMostTraceRanks};
}

}  // namespace

Builder::Builder(const std::vector<std::string>& files, std::map<std::string, std::vector<std::uint32_t>> groups)
    : members_(std::move(groups)) {
  draft_.format = TraceFormat::chakra;
  draft_.sizes =
      "Sizes are what one rank puts in: an all-gather over n ranks gathers n times comm_size; of others comm_size is the whole "
      "buffer of a rank.";
  draft_.files = files;
  draft_.has_lines = false;
  draft_.gathers_parts = true;
  draft_.ranks = static_cast<std::uint32_t>(files.size());
}

bool Builder::is_hopeless() const { return found_.size() >= kEnoughOfChakra; }

void Builder::mistake(std::string_view code, std::string what, std::string hint) {
  found_.push_back({Severity::error, std::string(code), std::move(what), std::move(hint), {draft_.file_of(rank_), 0, 0}});
}

void Builder::mistake_at(std::uint64_t id, std::string_view code, std::string_view what, std::string hint) {
  mistake(code, fmt::format("node {}: {}", id, what), std::move(hint));
}

void Builder::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  by_id_.clear();
  waits_ = {};
  sized_ = unsized_ = launches_ = 0;
}

void Builder::name_group(const std::string& name, std::vector<std::uint32_t> members) {
  members_.try_emplace(name, std::move(members));
}

std::uint32_t Builder::group_of(const std::string& name) {
  const auto [known, is_new] = groups_.try_emplace(name, static_cast<std::uint32_t>(draft_.groups.size()));
  if (!is_new) {
    std::vector<std::uint32_t>& members = draft_.groups[TraceGroupId(known->second)];
    if (unnamed_.contains(known->second) && members.back() != rank_) members.push_back(rank_);
    return known->second;
  }
  std::vector<std::uint32_t> members;
  if (const auto named = members_.find(name); named != members_.end()) {
    members = named->second;
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
  } else if (name != "0") {
    members = {rank_};
    unnamed_.insert(known->second);
  } else {
    members.resize(draft_.ranks);
    std::iota(members.begin(), members.end(), 0U);
  }
  draft_.groups.push(std::move(members));
  return known->second;
}

/// [{"pg_name": "1", "ranks": [0, 1]}, …] somewhere in a text.
void Builder::add_groups(std::string_view text) {
  const std::size_t begin = text.find("[{"), end = text.rfind("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
  const Result<Document> list = parse_json(text.substr(begin, end + 2 - begin), draft_.file_of(rank_), "RY-TRC-002");
  if (!list || !list->items()) return;
  for (const Document& group : *list->items()) {
    const Document *const name = group.find("pg_name"), *const ranks = group.find("ranks");
    if (!name || !name->text() || !ranks || !ranks->items()) continue;
    std::vector<std::uint32_t> members;
    for (const Document& rank : *ranks->items())
      if (rank.integer() && is_rank(*rank.integer())) members.push_back(static_cast<std::uint32_t>(*rank.integer()));
    if (!members.empty()) name_group(*name->text(), std::move(members));
  }
}

void Builder::add_message(const Item& item, TraceNode& node) {
  const bool sends = item.type == kSend;
  const std::optional<std::int64_t>& peer = sends ? item.comm_dst : item.comm_src;
  if (!is_rank(peer))
    return mistake_at(item.id, "RY-TRC-002", fmt::format("it has no rank in {}", sends ? "comm_dst" : "comm_src"),
                      "traces that PyTorch's converter makes have none: write peers into them");
  if (!item.comm_size || *item.comm_size < 0)
    return mistake_at(item.id, "RY-TRC-002", "it has no comm_size", "write the bytes of its message into it");
  node.op = sends ? TraceOp::send : TraceOp::receive;
  node.peer = static_cast<std::uint32_t>(*peer);
  node.tag = static_cast<std::uint32_t>(item.comm_tag.value_or(0)) & 0x7fff'ffffU;
  node.amount = *item.comm_size;
}

/// Without a size it is the launch of one, or one that only its time is known of: computed as recorded.
void Builder::add_collective(const Item& item, TraceNode& node) {
  const std::int64_t type = item.comm_type.value_or(0);
  const std::optional<TraceCollective> kind = collective_of_number(type);
  const bool barrier = kind == TraceCollective::barrier;
  if (!item.comm_size && !barrier) {
    (item.is_cpu_op ? launches_ : unsized_)++;
    return;
  }
  sized_++;
  if (!kind)
    return mistake_at(item.id, "RY-TRC-008", fmt::format("its collective {} is not played", type),
                      "gather (3) and scatter (4) are not; write sends and receives instead");
  node.op = TraceOp::collective;
  node.kind = *kind;
  node.peer = group_of(item.group.empty() ? "0" : item.group);
  node.amount = barrier ? 0 : std::max<std::int64_t>(0, *item.comm_size);
}

void Builder::add(const Item& item) {
  if (item.duration_us > kLongestMicroseconds)
    return mistake_at(item.id, "RY-TRC-002", "it takes longer than a day", "correct its duration");
  if (draft_.nodes.size() >= kMostTraceNodes)
    return mistake_at(item.id, "RY-TRC-002", "there are more nodes than can be played", "use a shorter trace");
  TraceNode node{.rank = rank_, .place = short_place(item.id)};
  node.stream = item.type == kLoad || item.type == kStore ? kMemoryStream : item.is_cpu_op ? kCpuStream : kGpuStream;
  node.amount = item.type == kMetadata ? 0 : static_cast<std::int64_t>(item.duration_us) * kPicosecondsPerMicrosecond;
  if (item.type == 0 || item.type > kCollective)
    return mistake_at(item.id, "RY-TRC-002", fmt::format("{} is no type of a node", item.type), "types are 1 to 7");
  if (item.type == kMetadata) add_groups(item.inputs);
  if (item.type == kSend || item.type == kReceive) add_message(item, node);
  if (item.type == kCollective) add_collective(item, node);
  const TraceNodeId id = draft_.nodes.push(node);
  if (!by_id_.add(item.id, id))
    return mistake_at(item.id, "RY-TRC-002", "another node has its number", "give every node of a rank its own");
  for (const std::uint64_t before : item.before) {
    if (waits_.empty() && by_id_.find(before).valid())
      wait(before, id);
    else
      waits_.emplace_back(before, id);
  }
}

void Builder::wait(std::uint64_t before, TraceNodeId after) {
  const TraceNodeId node = by_id_.find(before);
  if (node == after)
    mistake_at(before, "RY-TRC-006", "it waits for itself", "remove it from its own dependencies");
  else
    draft_.after_end.add(node, after);
}

void Builder::end_rank() {
  std::size_t missing = 0;
  for (const auto& [before, after] : waits_) {
    if (by_id_.find(before).valid())
      wait(before, after);
    else
      missing++;
  }
  if (missing > 0)
    note(fmt::format("{} dependencies name nodes that are not in this file, and count as fulfilled", missing),
         "trace the whole step if they matter");
  if (const std::size_t silent = unsized_ + (sized_ == 0 ? launches_ : 0); silent > 0)
    note(fmt::format("{} collectives have no comm_size, send nothing, and take the time that was recorded", silent),
         "write what a rank puts in, in bytes, into comm_size");
}

void Builder::note(std::string what, std::string hint) {
  draft_.notes.push_back({Severity::note, "RY-TRC-009", std::move(what), std::move(hint), {draft_.file_of(rank_), 0, 0}});
}

Result<TraceDraft> Builder::take() {
  if (!found_.empty()) return found_;
  return std::move(draft_);
}

Result<std::map<std::string, std::vector<std::uint32_t>>> read_groups(std::string_view json, const std::string& file) {
  std::map<std::string, std::vector<std::uint32_t>> groups;
  if (json.empty()) return groups;
  const Result<Document> document = parse_json(json, file, "RY-TRC-002");
  if (!document) return document.error();
  const auto refuse = [&] {
    return Diagnostic{
        Severity::error, "RY-TRC-002", "this is no list of groups", "write {\"1\": [0, 1, 2, 3], …}", {file, 0, 0}};
  };
  if (!document->members()) return refuse();
  for (const Document::Member& group : *document->members()) {
    if (!group.value.items()) return refuse();
    for (const Document& rank : *group.value.items()) {
      if (!rank.integer() || !is_rank(*rank.integer())) return refuse();
      groups[group.key].push_back(static_cast<std::uint32_t>(*rank.integer()));
    }
  }
  return groups;
}

}  // namespace chakra_trace

Result<TraceDraft> read_chakra(std::span<const TraceInput> inputs, std::string_view groups) {
  Result<std::map<std::string, std::vector<std::uint32_t>>> named = chakra_trace::read_groups(groups, "the groups of a trace");
  if (!named) return named.error();
  std::vector<std::string> files;
  for (const TraceInput& input : inputs) files.push_back(input.name);
  chakra_trace::Builder builder(files, std::move(*named));
  for (std::size_t rank = 0; rank < inputs.size() && !builder.is_hopeless(); rank++) {
    builder.begin_rank(static_cast<std::uint32_t>(rank));
    BufferedBytes bytes(inputs[rank].bytes);
    if (bytes.peek(1) == "{")
      chakra_trace::read_json_items(inputs[rank], bytes, builder);
    else
      chakra_trace::read_messages(bytes, builder);
    builder.end_rank();
  }
  return builder.take();
}

}  // namespace railyard
