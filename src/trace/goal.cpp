// Reads GOAL: num_ranks, then blocks "rank 0 { … }" of calc, send and recv with labels, and "a requires b" between labels.
#include <fmt/format.h>

#include <charconv>

#include "base/printed_text.h"
#include "trace/goal_labels.h"
#include "trace/readers.h"

namespace railyard {

namespace {

constexpr std::int64_t kPicosecondsPerUnit = 1000;  // calc counts nanoseconds

constexpr const char* kGoalSizes = "Sizes are bytes of one message.";

template<class T>
bool whole_of(std::string_view word, T& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

/// Leaves out comments, which may go over several lines; a word "l1:send" becomes two.
class GoalWords {
 public:
  /// Words of a line; valid until the next call, and as long as the line is.
  const std::vector<std::string_view>& of(std::string_view line) {
    words_.clear();
    if (!in_comment_ && line.find('/') == std::string_view::npos)
      add_words(line);
    else
      add_words(without_comments(line));
    return words_;
  }
  [[nodiscard]] bool is_open() const { return in_comment_; }

 private:
  std::string_view without_comments(std::string_view line) {
    text_.clear();
    while (!line.empty()) {
      const std::size_t mark = in_comment_ ? line.find("*/") : std::min(line.find("//"), line.find("/*"));
      if (!in_comment_) text_ += line.substr(0, mark);
      if (mark == std::string_view::npos || (!in_comment_ && line[mark + 1] == '/')) break;
      in_comment_ = !in_comment_;
      text_ += ' ';
      line.remove_prefix(mark + 2);
    }
    return text_;
  }

  /// What stands between blanks, and after a colon.
  void add_words(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); at++) {
      const char c = text[at];
      const bool is_blank = c == ' ' || c == '\t';
      if (!is_blank && c != ':') continue;
      if (const std::size_t end = is_blank ? at : at + 1; end > begin) words_.push_back(text.substr(begin, end - begin));
      begin = at + 1;
    }
    if (begin < text.size()) words_.push_back(text.substr(begin));
  }

  std::string text_;
  std::vector<std::string_view> words_;
  bool in_comment_ = false;
};

class GoalReader {
 public:
  explicit GoalReader(const TraceInput& input) : input_(input), lines_(input.bytes) {}

  Result<TraceDraft> run() {
    draft_.format = TraceFormat::goal;
    draft_.sizes = kGoalSizes;
    draft_.files = {input_.name};
    std::string_view line;
    while (found_.size() < kEnough && lines_.next(line)) read_line(words_.of(line));
    if (lines_.is_broken()) mistake("the file breaks off: it cannot be read or unpacked to its end", "check that it is whole");
    if (lines_.is_too_long()) mistake("a line is longer than 1 MiB", "check that this is GOAL text");
    if (found_.empty()) check_end();
    if (!found_.empty()) return found_;
    return std::move(draft_);
  }

 private:
  static constexpr std::size_t kEnough = 20;
  using Words = std::vector<std::string_view>;

  struct Requirement {
    std::uint64_t before = 0, after = 0;  // labels
    std::uint32_t line = 0;
    bool of_begin = false;
  };

  void mistake(std::string what, std::string hint) {
    found_.push_back(trace_mistake(input_, lines_.number(), std::move(what), std::move(hint)));
  }

  void check_end() {
    if (draft_.ranks == 0) return mistake("there is no line \"num_ranks\"", "begin with num_ranks 8 or the like");
    if (words_.is_open()) return mistake("a comment is not closed", "add */");
    if (in_rank_ || next_rank_ != draft_.ranks)
      mistake(fmt::format("the file ends in or before rank {} of {}", in_rank_ ? next_rank_ - 1 : next_rank_, draft_.ranks),
              "check that it is whole");
  }

  void read_line(const Words& words) {
    if (words.empty()) return;
    if (draft_.ranks == 0) return read_head(words);
    if (!in_rank_) return open_rank(words);
    if (words.front() == "}") {
      if (words.size() > 1) mistake("something follows the } of a rank", "begin a new line");
      return close_rank();
    }
    if (words.size() == 3 && (words[1] == "requires" || words[1] == "irequires")) return read_requirement(words);
    read_op(words);
  }

  void read_head(const Words& words) {
    if (words.size() != 2 || words[0] != "num_ranks" || !whole_of(words[1], draft_.ranks) || draft_.ranks == 0 ||
        draft_.ranks > kMostTraceRanks) {
      draft_.ranks = 1;
      mistake("the first line of GOAL is num_ranks and how many there are",
              fmt::format("write num_ranks 1 to {}", kMostTraceRanks));
    }
  }

  void open_rank(const Words& words) {
    std::uint32_t rank = 0;
    const bool fits = words.size() == 3 && words[0] == "rank" && whole_of(words[1], rank) && words[2] == "{";
    if (!fits) return mistake("here a rank begins", fmt::format("write rank {} {{", next_rank_));
    if (rank != next_rank_ || rank >= draft_.ranks)
      return mistake(fmt::format("rank {} comes where rank {} of {} should", rank, next_rank_, draft_.ranks),
                     "write ranks in order, each once");
    in_rank_ = true;
    next_rank_++;
  }

  void close_rank() {
    for (const Requirement& one : requirements_) {
      const TraceNodeId before = labels_.find(one.before), after = labels_.find(one.after);
      if (before.valid() && after.valid()) {
        relate(one, before, after);
        continue;
      }
      const std::string missing = labels_.name(after.valid() ? one.before : one.after);
      found_.push_back(trace_mistake(input_, one.line,
                                     fmt::format("rank {} has no label \"{}\"", next_rank_ - 1, printable(missing)),
                                     "correct the name, or add the label"));
      if (found_.size() >= kEnough) break;
    }
    requirements_ = {};
    labels_.clear();
    in_rank_ = false;
  }

  void relate(const Requirement& one, TraceNodeId before, TraceNodeId after) {
    (one.of_begin ? draft_.after_begin : draft_.after_end).add(before, after);
  }

  /// At once where both labels are known; else it and all that follow are kept, so that edges stay in the order of the file.
  void read_requirement(const Words& words) {
    const Requirement one{labels_.key(words[2]), labels_.key(words[0]), lines_.number(), words[1] == "irequires"};
    const TraceNodeId before = requirements_.empty() ? labels_.find(one.before) : TraceNodeId();
    const TraceNodeId after = before.valid() ? labels_.find(one.after) : TraceNodeId();
    if (before.valid() && after.valid())
      relate(one, before, after);
    else
      requirements_.push_back(one);
  }

  void read_op(const Words& words) {
    std::size_t at = 0;
    std::string_view label;
    if (words[0].ends_with(':')) label = words[0].substr(0, words[0].size() - 1), at = 1;
    TraceNode node{.rank = next_rank_ - 1, .place = lines_.number()};
    if (!read_what(words, at, node) || !read_options(words, at, node)) return;
    if (draft_.nodes.size() >= kMostTraceNodes)
      return mistake("there are more nodes than can be played", "use a shorter trace");
    const TraceNodeId id = draft_.nodes.push(node);
    if (!label.empty() && !labels_.add(label, id)) mistake("its label is there twice", "labels of a rank differ");
  }

  /// "calc 100", "send 8b to 1", "recv 8b from 0"; `at` moves behind it.
  bool read_what(const Words& words, std::size_t& at, TraceNode& node) {
    const auto word = [&](std::size_t i) { return at + i < words.size() ? words[at + i] : std::string_view(); };
    if (word(0) == "calc") {
      if (!whole_of(word(1), node.amount) || node.amount < 0 || node.amount > kLongestTraceNode.count() / kPicosecondsPerUnit)
        return mistake("calc takes a whole number of nanoseconds, a day at most", "write calc 1000"), false;
      node.amount *= kPicosecondsPerUnit;
      at += 2;
      return true;
    }
    const bool sends = word(0) == "send";
    if (!sends && word(0) != "recv")
      return mistake(fmt::format("\"{}\" is no operation", printable(word(0))), "use calc, send, recv, requires or irequires"),
             false;
    node.op = sends ? TraceOp::send : TraceOp::receive;
    const bool sized =
        word(1).ends_with('b') && whole_of(word(1).substr(0, word(1).size() - 1), node.amount) && node.amount >= 0;
    const bool anybody = !sends && word(3) == "-1";
    if (!sized || word(2) != (sends ? "to" : "from") || (!anybody && !whole_of(word(3), node.peer)))
      return mistake(sends ? "a send has a size and a receiver" : "a receive has a size and a sender",
                     sends ? "write send 8b to 1 tag 0" : "write recv 8b from 0 tag 0"),
             false;
    if (anybody) node.peer = TraceNode::kAny;
    at += 4;
    return true;
  }

  /// "tag 3 cpu 0 nic 0": the stream is the cpu; NICs are those of the fabric.
  bool read_options(const Words& words, std::size_t at, TraceNode& node) {
    for (; at < words.size(); at += 2) {
      const std::string_view value = at + 1 < words.size() ? words[at + 1] : std::string_view();
      std::uint32_t nic = 0;
      const bool message = node.op != TraceOp::compute;
      bool fits = false;
      if (words[at] == "tag" && message) fits = read_tag(value, node);
      if (words[at] == "cpu") fits = whole_of(value, node.stream);
      if (words[at] == "nic" && message) fits = whole_of(value, nic);
      if (!fits)
        return mistake(fmt::format("\"{} {}\" does not belong here", printable(words[at]), printable(value)),
                       "after an operation come tag, cpu and nic, each with a number"),
               false;
    }
    return true;
  }

  static bool read_tag(std::string_view word, TraceNode& node) {
    if (word == "-1" && node.op == TraceOp::receive) return node.tag = TraceNode::kAny, true;
    return whole_of(word, node.tag) && node.tag != TraceNode::kAny;
  }

  const TraceInput& input_;
  TraceLines lines_;
  GoalWords words_;
  TraceDraft draft_;
  Diagnostics found_;
  GoalLabels labels_;                      // of this rank
  std::vector<Requirement> requirements_;  // of this rank
  std::uint32_t next_rank_ = 0;
  bool in_rank_ = false;
};

}  // namespace

Result<TraceDraft> read_goal(const TraceInput& input) { return GoalReader(input).run(); }

}  // namespace railyard
