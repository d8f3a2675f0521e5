#include "measured/nccl_log_lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "measured/text.h"

namespace railyard::nccl_log {

namespace {

using namespace measured_text;

constexpr std::string_view kDigits = "0123456789";

constexpr std::array<std::string_view, 7> kAlgorithms = {"Tree",     "Ring", "CollNetDirect", "CollNetChain", "NVLS",
                                                         "NVLSTree", "PAT"};
constexpr std::array<std::string_view, 3> kProtocols = {"LL", "LL128", "Simple"};

bool same_letters(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return plain(x) == plain(y); });
}

/// By number or by name, whatever its case; "COLLNET_DIRECT" too. What is unknown stays as it is.
template<std::size_t N>
std::string name_in(const std::array<std::string_view, N>& names, std::string_view word) {
  if (const auto number = small_number(word); number && *number < N) return std::string(names[*number]);
  std::string joined(word);
  joined.erase(std::remove(joined.begin(), joined.end(), '_'), joined.end());
  for (const std::string_view name : names)
    if (same_letters(name, joined)) return std::string(name);
  return short_text(word);
}

/// "node-0" of "node-0:309:310", whatever stands before it in the same word; "" if it is no such word.
std::string_view host_of_word(std::string_view word) {
  for (int i = 0; i < 2; i++) {
    const std::size_t colon = word.rfind(':');
    if (colon == std::string_view::npos || !digits(word.substr(colon + 1))) return {};
    word = word.substr(0, colon);
  }
  return word.substr(word.find_last_of(":>") + 1);
}

/// The last word of a prefix that names a host, a process and a thread.
std::string_view host_of(std::string_view prefix) {
  while (!prefix.empty()) {
    const std::size_t last = prefix.find_last_not_of(" \t");
    if (last == std::string_view::npos) return {};
    prefix = prefix.substr(0, last + 1);
    const std::size_t blank = prefix.find_last_of(" \t");
    if (const std::string_view host = host_of_word(prefix.substr(blank + 1)); !host.empty()) return host;
    if (blank == std::string_view::npos) return {};
    prefix = prefix.substr(0, blank);
  }
  return {};
}

/// "7[3]": a rank and the index of its GPU, or the address of its bus.
struct End {
  std::uint32_t rank = 0, device = 0;
  std::optional<std::uint64_t> bus;
};
std::optional<End> end_of(std::string_view word) {
  const std::size_t open = word.find('[');
  if (open == std::string_view::npos || !word.ends_with(']')) return std::nullopt;
  const auto rank = small_number(word.substr(0, open));
  const std::string_view inside = word.substr(open + 1, word.size() - open - 2);
  if (!rank || inside.empty()) return std::nullopt;
  End out{*rank, 0, {}};
  if (inside.size() < 4 && inside.find_first_not_of(kDigits) == std::string_view::npos) {
    out.device = *small_number(inside);
    return out;
  }
  std::uint64_t bus = 0;
  const auto [end, problem] = std::from_chars(inside.data(), inside.data() + inside.size(), bus, 16);
  if (problem != std::errc() || end != inside.data() + inside.size()) return std::nullopt;
  out.bus = bus;
  return out;
}

/// "0" or "0(2)" as a part of a path: the NIC, and the rank that PXN goes through.
bool read_nic(std::string_view part, LoggedConnection& connection) {
  const auto nic = leading_number(part);
  if (!nic) return false;
  const std::string_view rest =
      part.substr(part.find_first_not_of(kDigits) == std::string_view::npos ? part.size() : part.find_first_not_of(kDigits));
  if (!rest.empty() && !(rest.front() == '(' && rest.back() == ')')) return false;
  connection.nic = nic;
  if (!rest.empty()) connection.proxy_rank = small_number(rest.substr(1, rest.size() - 2));
  return true;
}

/// "NET/NCCL RDMA Plugin v6/0(2)/GDRDMA/Shared".
void read_path(std::string_view path, LoggedConnection& connection) {
  const std::size_t slash = path.find('/');
  connection.via = short_text(path.substr(0, slash));
  if (slash == std::string_view::npos) return;
  std::string_view rest = path.substr(slash + 1);
  if (connection.via != "NET" && connection.via != "COLLNET") return;
  connection.network = short_text(rest.substr(0, rest.find('/')));
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = without_blanks(rest.substr(0, end));
    if (!first && !connection.nic) read_nic(part, connection);
    if (part.starts_with("GDRDMA")) connection.gpu_direct = true;
    if (part == "Shared") connection.shared = true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// "[0]mlx5_0:1/RoCE/SHARP".
std::optional<LoggedHca> hca_of(std::string_view word) {
  const std::size_t close = word.find(']');
  if (!word.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  const auto index = small_number(word.substr(1, close - 1));
  const std::string_view rest = word.substr(close + 1);
  const std::size_t colon = rest.find(':'), slash = rest.find('/');
  if (!index || colon == std::string_view::npos || slash == std::string_view::npos || slash < colon) return std::nullopt;
  LoggedHca out;
  out.index = *index;
  out.device = short_text(rest.substr(0, colon));
  out.port = small_number(rest.substr(colon + 1, slash - colon - 1)).value_or(1);
  out.roce = contains(rest.substr(slash), "RoCE");
  out.sharp = contains(rest.substr(slash), "SHARP");
  return out;
}

}  // namespace

std::optional<LogLine> log_line(std::string_view line) {
  std::size_t at = line.find("NCCL ");
  while (at != std::string_view::npos) {
    const std::string_view rest = line.substr(at + 5);
    if (rest.starts_with("INFO ") || rest.starts_with("WARN ") || rest.starts_with("TRACE ")) {
      const std::size_t word = rest.find(' ') + 1;
      return LogLine{host_of(line.substr(0, at)), without_blanks(rest.substr(word)), rest.front() == 'W'};
    }
    at = line.find("NCCL ", at + 5);
  }
  return std::nullopt;
}

std::optional<ChannelLine> channel_line(std::string_view message) {
  const std::size_t arrow = message.find(" -> "), via = message.find(" via ");
  const std::size_t colon = message.find(" : ");
  if (!message.starts_with("Channel ") || arrow == std::string_view::npos || via == std::string_view::npos ||
      colon == std::string_view::npos || !(colon < arrow && arrow < via))
    return std::nullopt;
  const auto channel = leading_number(without_blanks(message.substr(8)));
  const auto from = end_of(without_blanks(message.substr(colon + 3, arrow - colon - 3)));
  const std::string_view target = without_blanks(message.substr(arrow + 4, via - arrow - 4));
  const auto to = end_of(target.substr(0, target.find(' ')));
  if (!channel || !from || !to) return std::nullopt;
  ChannelLine out;
  out.connection.channel = *channel;
  out.connection.from = from->rank;
  out.connection.to = to->rank;
  out.connection.from_device = from->device;
  out.connection.to_device = to->device;
  out.connection.receives = target.ends_with("[receive]");
  out.from_bus = from->bus;
  out.to_bus = to->bus;
  read_path(without_blanks(message.substr(via + 5)), out.connection);
  return out;
}

std::optional<UsingLine> using_line(std::string_view message) {
  const auto list = behind(message, "Using [");
  if (!message.starts_with("NET/") || !list || message.starts_with("NET/Socket")) return std::nullopt;
  UsingLine out;
  const std::string_view from_bracket = message.substr(message.size() - list->size() - 1);
  const std::size_t end = std::min(from_bracket.find(';'), from_bracket.size());
  for (const std::string_view word : words_of(from_bracket.substr(0, end))) {
    if (auto hca = hca_of(word)) out.hcas.push_back(std::move(*hca));
    if (word == "[RO]") out.relaxed_ordering = true;
  }
  const std::string_view interface = word_behind(from_bracket.substr(end), "OOB ");
  out.bootstrap = interface.substr(0, interface.find(':'));
  if (out.hcas.empty()) return std::nullopt;
  return out;
}

std::optional<SettingLine> setting_line(std::string_view message) {
  const std::size_t blank = message.find(' ');
  const std::string_view name = message.substr(0, blank);
  if (blank == std::string_view::npos || !(name.starts_with("NCCL_") || name.starts_with("RCCL_"))) return std::nullopt;
  std::string_view rest = message.substr(blank);
  for (const std::string_view words : {" set by environment to ", " set to ", " set by environment variable to "})
    if (rest.starts_with(words)) {
      rest = without_blanks(rest.substr(words.size()));
      if (rest.ends_with('.')) rest.remove_suffix(1);
      return SettingLine{name, rest};
    }
  return std::nullopt;
}

std::optional<LoggedChoice> choice_line(std::string_view message) {
  const std::size_t arrow = message.find(" Bytes -> Algo ");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view left = message.substr(0, arrow);
  const auto size = digits(left.substr(left.find_last_of(" \t") + 1));
  const std::string_view algorithm = word_behind(message, " Algo "), protocol = word_behind(message, " proto ");
  if (!size || !size_of(static_cast<double>(*size)) || algorithm.empty() || protocol.empty()) return std::nullopt;
  LoggedChoice out;
  out.size = Bytes(static_cast<std::int64_t>(*size));
  if (const std::size_t colon = left.find(':'); colon != std::string_view::npos)
    out.collective = collective_name(without_blanks(left.substr(0, colon)));
  out.algorithm = name_in(kAlgorithms, algorithm);
  out.protocol = name_in(kProtocols, protocol);
  return out;
}

std::optional<ChannelCounts> channel_counts(std::string_view message) {
  if (!contains(message, " coll channels")) return std::nullopt;
  ChannelCounts out;
  for (const std::string_view part : printed::split_at(message, ',')) {
    const std::vector<std::string_view> words = words_of(part);
    if (words.size() != 3 || words[2] != "channels") continue;
    const auto count = small_number(words[0]);
    if (words[1] == "coll") out.coll = count;
    if (words[1] == "collnet") out.collnet = count;
    if (words[1] == "nvls") out.nvls = count;
    if (words[1] == "p2p") out.p2p = count;
  }
  return out;
}

std::string collective_name(std::string_view name) {
  std::string joined = printed::lower_case(name.substr(0, 40));
  joined.erase(std::remove_if(joined.begin(), joined.end(), [](char c) { return c == '_' || c == '-'; }), joined.end());
  if (joined == "allreduce") return "all_reduce";
  if (joined == "allgather") return "all_gather";
  if (joined == "reducescatter") return "reduce_scatter";
  if (joined == "sendrecv" || joined == "send" || joined == "recv") return "sendrecv";
  return short_text(joined);
}

std::string library_version(std::string_view line) {
  const auto rest = behind(line, "CCL version");
  if (!rest) return {};
  const std::string_view number = rest->substr(std::min(rest->find_first_not_of(" :"), rest->size()));
  return std::string(number.substr(0, std::min<std::size_t>(number.find_first_not_of("0123456789."), 20)));
}

}  // namespace railyard::nccl_log
