// Reads CSV as traces of MPI programs are often cut down to: a line per operation of a rank, in its order. Columns: rank, op
// (compute, send, recv or a collective), peer (of messages), group (of collectives: ranks, "0-3" or "0 2 5"; all if empty),
// bytes, us (of computes), tag. Operations of a rank follow each other; isend and irecv are not waited for but by "wait".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "base/printed_text.h"
#include "trace/readers.h"

namespace railyard {

namespace {

constexpr std::size_t kEnoughOfCsv = 20;

enum CsvColumn : std::size_t { kCsvRank, kCsvOp, kCsvPeer, kCsvGroup, kCsvBytes, kCsvUs, kCsvTag, kCsvColumns };
constexpr std::string_view kCsvNames[kCsvColumns] = {"rank", "op", "peer", "group", "bytes", "us", "tag"};

std::optional<TraceCollective> collective_of_word(std::string word) {
  std::erase(word, '_');
  if (word.starts_with("mpi")) word.erase(0, 3);
  constexpr std::pair<std::string_view, TraceCollective> kWords[] = {{"allreduce", TraceCollective::all_reduce},
                                                                     {"allgather", TraceCollective::all_gather},
                                                                     {"reducescatter", TraceCollective::reduce_scatter},
                                                                     {"alltoall", TraceCollective::all_to_all},
                                                                     {"broadcast", TraceCollective::broadcast},
                                                                     {"bcast", TraceCollective::broadcast},
                                                                     {"reduce", TraceCollective::reduce},
                                                                     {"barrier", TraceCollective::barrier}};
  for (const auto& [name, kind] : kWords)
    if (word == name) return kind;
  return std::nullopt;
}

class CsvReader {
 public:
  explicit CsvReader(const TraceInput& input) : input_(input), lines_(input.bytes) {}

  Result<TraceDraft> run() {
    draft_.format = TraceFormat::csv;
    draft_.sizes =
        "Sizes of collectives are as nccl-tests count them: of an all-gather what is gathered, of others the buffer of a rank.";
    draft_.files = {input_.name};
    std::string_view line;
    if (!lines_.next(line) || !read_header(line))
      return trace_mistake(input_, 1, "the first line names the columns",
                           "write rank,op,peer,group,bytes,us,tag; rank and op are needed");
    while (found_.size() < kEnoughOfCsv && lines_.next(line)) read_row(line);
    if (lines_.is_broken()) mistake("the file breaks off", "check that it is whole");
    if (draft_.ranks == 0) mistake("there is no operation", "add lines");
    if (found_.empty()) add_groups();
    if (!found_.empty()) return found_;
    return std::move(draft_);
  }

 private:
  struct Order {
    std::vector<TraceNodeId> before;   // what the next operation waits for
    std::vector<TraceNodeId> pending;  // what nobody has waited for yet
  };
  struct Group {
    std::uint32_t number = 0, line = 0;
  };

  void mistake(std::string what, std::string hint) {
    found_.push_back(trace_mistake(input_, lines_.number(), std::move(what), std::move(hint)));
  }

  bool read_header(std::string_view line) {
    column_.assign(kCsvColumns, std::string_view::npos);
    const std::vector<std::string_view> names = printed::split_at(line, ',');
    for (std::size_t i = 0; i < names.size(); i++)
      for (std::size_t known = 0; known < kCsvColumns; known++)
        if (printed::lower_case(printed::without_blanks(names[i])) == kCsvNames[known]) column_[known] = i;
    return column_[kCsvRank] != std::string_view::npos && column_[kCsvOp] != std::string_view::npos;
  }

  [[nodiscard]] std::string_view cell(CsvColumn column) const {
    return column_[column] < cells_.size() ? printed::without_blanks(cells_[column_[column]]) : std::string_view();
  }

  /// A whole number that is needed; complains if it is not there.
  std::uint64_t needed(CsvColumn column, std::uint64_t largest) {
    if (const auto value = printed::whole_number(cell(column), largest)) return *value;
    mistake(fmt::format("\"{}\" is no {}", printable(cell(column)), kCsvNames[column]),
            fmt::format("write a whole number up to {}", largest));
    return 0;
  }

  void split(std::string_view line) {
    cells_.clear();
    for (std::size_t end = line.find(','); end != std::string_view::npos; end = line.find(',')) {
      cells_.push_back(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    cells_.push_back(line);
  }

  void read_row(std::string_view line) {
    if (printed::without_blanks(line).empty()) return;
    split(line);
    const auto rank = static_cast<std::uint32_t>(needed(kCsvRank, kMostTraceRanks - 1));
    draft_.ranks = std::max(draft_.ranks, rank + 1);
    std::string op = printed::lower_case(cell(kCsvOp));
    TraceNode node{.rank = rank, .place = lines_.number()};
    bool waited = true;
    if (op == "wait" || op == "waitall") return wait(rank);
    if (op == "compute" || op == "calc") {
      node.amount = read_time();
    } else if (const auto kind = collective_of_word(op)) {
      node.op = TraceOp::collective;
      node.kind = *kind;
      node.amount = *kind == TraceCollective::barrier ? 0 : static_cast<std::int64_t>(needed(kCsvBytes, kLargestTraceMessage));
      node.peer = group_of(cell(kCsvGroup));
    } else if (op == "send" || op == "isend" || op == "recv" || op == "irecv") {
      waited = op.front() != 'i';
      node.op = op.ends_with("send") ? TraceOp::send : TraceOp::receive;
      node.peer = static_cast<std::uint32_t>(needed(kCsvPeer, kMostTraceRanks - 1));
      node.amount = static_cast<std::int64_t>(needed(kCsvBytes, kLargestTraceMessage));
      if (!cell(kCsvTag).empty()) node.tag = static_cast<std::uint32_t>(needed(kCsvTag, 0x7fff'ffff));
    } else {
      return mistake(fmt::format("\"{}\" is no operation", printable(op)),
                     "use compute, send, recv, isend, irecv, wait, allreduce, allgather, reduce_scatter, alltoall, bcast, "
                     "reduce or barrier");
    }
    add(node, waited);
  }

  std::int64_t read_time() {
    double us = 0;
    const std::string_view word = cell(kCsvUs);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), us);
    if (error == std::errc() && end == word.data() + word.size() && us >= 0 && us <= 86'400e6)
      return static_cast<std::int64_t>(us * 1e6 + 0.5);
    mistake(fmt::format("\"{}\" is no time in microseconds", printable(word)),
            "write a number in the column us, a day at most");
    return 0;
  }

  void add(const TraceNode& node, bool waited) {
    if (draft_.nodes.size() >= kMostTraceNodes)
      return mistake("there are more operations than can be played", "use a shorter trace");
    const TraceNodeId id = draft_.nodes.push(node);
    Order& order = order_of(node.rank);
    for (const TraceNodeId before : order.before) draft_.after_end.add(before, id);
    if (waited)
      order.before = {id};
    else
      order.pending.push_back(id);
  }

  Order& order_of(std::uint32_t rank) {
    if (rank >= order_.size()) order_.resize(std::size_t{rank} + 1);
    return order_[rank];
  }

  /// What follows waits for all that was begun.
  void wait(std::uint32_t rank) {
    Order& order = order_of(rank);
    order.before.insert(order.before.end(), order.pending.begin(), order.pending.end());
    order.pending.clear();
  }

  /// The number that a text of ranks has; its ranks are known at the end.
  std::uint32_t group_of(std::string_view word) {
    if (last_group_ && word == last_group_->first) return last_group_->second.number;
    last_group_ =
        &*groups_.try_emplace(std::string(word), Group{static_cast<std::uint32_t>(groups_.size()), lines_.number()}).first;
    return last_group_->second.number;
  }

  void add_groups() {
    std::vector<std::vector<std::uint32_t>> members(groups_.size());
    for (const auto& [word, group] : groups_)
      if (!read_members(word, members[group.number]))
        found_.push_back(trace_mistake(input_, group.line, fmt::format("\"{}\" are no ranks", printable(word)),
                                       "write 0-3 or 0 2 5, or nothing for all"));
    for (std::vector<std::uint32_t>& one : members) draft_.groups.push(std::move(one));
  }

  bool read_members(std::string_view word, std::vector<std::uint32_t>& members) const {
    if (word.empty()) {
      members.resize(draft_.ranks);
      std::iota(members.begin(), members.end(), 0U);
      return true;
    }
    for (const std::string_view part : printed::words_of(word)) {
      const std::size_t dash = part.find('-');
      const auto first = printed::whole_number(part.substr(0, dash), draft_.ranks - 1);
      const auto last = dash == std::string_view::npos ? first : printed::whole_number(part.substr(dash + 1), draft_.ranks - 1);
      if (!first || !last || *last < *first) return false;
      for (std::uint64_t rank = *first; rank <= *last; rank++) members.push_back(static_cast<std::uint32_t>(rank));
    }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return true;
  }

  const TraceInput& input_;
  TraceLines lines_;
  TraceDraft draft_;
  Diagnostics found_;
  std::vector<std::size_t> column_;
  std::vector<std::string_view> cells_;
  std::vector<Order> order_;                                         // by rank
  std::map<std::string, Group> groups_;                              // by how their ranks are written
  const std::pair<const std::string, Group>* last_group_ = nullptr;  // that was named
};

}  // namespace

Result<TraceDraft> read_csv_trace(const TraceInput& input) { return CsvReader(input).run(); }

}  // namespace railyard
