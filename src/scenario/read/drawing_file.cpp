#include "scenario/read/drawing_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostNodes = 1U << 17;
constexpr std::size_t kMostLinks = 1U << 21;
constexpr BitsPerSecond kSlowest = 1_Mbps, kFastest = 100'000_Gbps;

/// The words of one line, and where they stand.
struct Line {
  std::uint32_t number = 0;
  std::vector<std::string_view> words;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    Line line{++number, {}};
    rest = rest.substr(0, rest.find('#'));
    while (true) {
      const std::size_t first = rest.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) break;
      rest.remove_prefix(first);
      const std::size_t length = std::min(rest.find_first_of(" \t\r"), rest.size());
      line.words.push_back(rest.substr(0, length));
      rest.remove_prefix(length);
    }
    if (!line.words.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::optional<std::uint32_t> count_of(std::string_view word) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

class DrawingReader {
 public:
  explicit DrawingReader(const std::string& file) : file_(file) {}

  Result<Drawing> run(const std::vector<Line>& lines) {
    if (lines.empty())
      mistake(0, "this drawing is empty", "write lines such as \"gpu g0\", \"switch s0\", \"link g0 s0 400Gb/s 500ns\"");
    else if (is_simai(lines))
      read_simai(lines);
    else
      for (const Line& line : lines) read_line(line);
    if (found_.empty() && drawing_.gpus() < 2) mistake(0, "this drawing has fewer than two GPUs", "add gpu lines");
    if (!found_.empty()) return found_;
    return std::move(drawing_);
  }

 private:
  void mistake(std::uint32_t line, std::string message, std::string hint) {
    constexpr std::size_t kEnough = 20;
    if (found_.size() < kEnough)
      found_.push_back(
          {Severity::error, "RY-SCN-080", std::move(message), std::move(hint), {file_, line, line == 0 ? 0U : 1U}});
  }

  void add_node(std::string name, DrawnKind kind, std::uint32_t line) {
    const auto [entry, is_new] = by_name_.try_emplace(std::move(name), static_cast<std::uint32_t>(drawing_.names.size()));
    if (!is_new)
      return mistake(line, fmt::format("node \"{}\" is defined twice", printable(entry->first)),
                     "give every node a name of its own");
    if (drawing_.names.size() >= kMostNodes)
      return mistake(line, fmt::format("more than {} nodes", kMostNodes), "describe large fabrics by numbers");
    drawing_.names.push_back(entry->first);
    drawing_.kinds.push_back(kind);
  }

  std::optional<std::uint32_t> node(std::string_view name, std::uint32_t line) {
    const auto entry = by_name_.find(name);
    if (entry != by_name_.end()) return entry->second;
    mistake(line, fmt::format("there is no node \"{}\"", printable(name)), "name it in a gpu or switch line first");
    return std::nullopt;
  }

  void add_link(const Line& line, std::size_t first, std::string_view count_word) {
    const auto a = node(line.words[first], line.number), b = node(line.words[first + 1], line.number);
    const auto rate = parse_quantity<BitsPerSecond>(line.words[first + 2]);
    const auto delay = parse_quantity<Picoseconds>(line.words[first + 3]);
    const auto count = count_word.empty() ? std::optional<std::uint32_t>(1) : count_of(count_word);
    if (!rate || *rate < kSlowest || *rate > kFastest)
      return mistake(line.number, fmt::format("\"{}\" is not the rate of a link", printable(line.words[first + 2])),
                     "write for instance 400Gb/s");
    if (!delay || *delay > Picoseconds(kPicosecondsPerSecond))
      return mistake(line.number, fmt::format("\"{}\" is not the delay of a link", printable(line.words[first + 3])),
                     "write for instance 500ns");
    if (!count || *count == 0 || *count > kMostNodes)
      return mistake(line.number, fmt::format("\"{}\" is not a number of cables", printable(count_word)),
                     "write a whole number");
    if (!a || !b) return;
    if (*a == *b) return mistake(line.number, "a link joins a node to itself", "name two nodes");
    if (drawing_.links.size() >= kMostLinks) return mistake(line.number, "too many links", "describe large fabrics by numbers");
    drawing_.links.push_back({*a, *b, *count, *rate, *delay});
  }

  void read_line(const Line& line) {
    const std::string_view word = line.words.front();
    const auto nodes = [&](DrawnKind kind) {
      if (line.words.size() < 2)
        mistake(line.number, fmt::format("this \"{}\" line names no node", word), "write for instance: gpu g0 g1 g2");
      for (std::size_t i = 1; i < line.words.size(); i++) add_node(std::string(line.words[i]), kind, line.number);
    };
    if (word == "gpu") return nodes(DrawnKind::gpu);
    if (word == "switch") return nodes(DrawnKind::network_switch);
    if (word == "nvswitch") return nodes(DrawnKind::scale_up_switch);
    if (word != "link")
      return mistake(line.number, fmt::format("a line of a drawing cannot start with \"{}\"", printable(word)),
                     "lines start with gpu, switch, nvswitch or link");
    if (line.words.size() != 5 && line.words.size() != 6)
      return mistake(line.number, "a link has two ends, a rate and a delay",
                     "write: link A B 400Gb/s 500ns, and a number of cables if there are several");
    add_link(line, 1, line.words.size() == 6 ? line.words[5] : std::string_view());
  }

  /// "27 8 2 9 40 H100": nodes, GPUs a server, NVSwitches, switches, links, GPU.
  static bool is_simai(const std::vector<Line>& lines) {
    return lines[0].words.size() >= 5 && std::all_of(lines[0].words.begin(), lines[0].words.begin() + 5,
                                                     [](std::string_view word) { return count_of(word).has_value(); });
  }

  void read_simai(const std::vector<Line>& lines) {
    std::uint32_t head[5] = {};
    for (std::size_t i = 0; i < 5; i++) head[i] = *count_of(lines[0].words[i]);
    const std::uint64_t switches = std::uint64_t{head[2]} + head[3];
    if (lines.size() < 2 || head[0] > kMostNodes || switches > head[0] || head[4] != lines.size() - 2)
      return mistake(1,
                     fmt::format("the first line promises {} nodes, {} switches and {} links, which is not what follows",
                                 head[0], switches, head[4]),
                     "check that the file is whole: nodes, GPUs per server, NVSwitches, switches, links, GPU");
    drawing_.per_server = head[1];
    if (lines[0].words.size() > 5) drawing_.gpu = std::string(lines[0].words[5]);
    std::map<std::uint32_t, DrawnKind> kinds;
    for (std::size_t i = 0; i < lines[1].words.size(); i++) {
      const auto id = count_of(lines[1].words[i]);
      if (!id || *id >= head[0]) return mistake(lines[1].number, "the second line lists the switches by number", "correct it");
      kinds[*id] = i < head[2] ? DrawnKind::scale_up_switch : DrawnKind::network_switch;
    }
    if (kinds.size() != switches)
      return mistake(lines[1].number,
                     fmt::format("the second line lists {} switches, and the first promises {}", kinds.size(), switches),
                     "list every NVSwitch and switch once");
    for (std::uint32_t i = 0; i < head[0]; i++) {
      const auto kind = kinds.find(i);
      add_node(std::to_string(i), kind == kinds.end() ? DrawnKind::gpu : kind->second, 1);
    }
    for (std::size_t i = 2; i < lines.size(); i++) {
      if (lines[i].words.size() == 5)
        add_link(lines[i], 0, {});
      else
        mistake(lines[i].number, "a link has five fields", "write: from to 400Gbps 0.0005ms 0");
    }
  }

  const std::string& file_;
  Drawing drawing_;
  std::map<std::string, std::uint32_t, std::less<>> by_name_;
  Diagnostics found_;
};

}  // namespace

Result<Drawing> read_drawing(std::string_view text, const std::string& file) { return DrawingReader(file).run(lines_of(text)); }

}  // namespace railyard
