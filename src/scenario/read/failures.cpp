#include "scenario/read/failures.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>

#include "base/schema.h"

namespace railyard {

namespace {

constexpr std::string_view kExamples =
    "write for instance \"gpu 5 port 0\", \"leaf 3 uplink 7\", \"spine 2\" or \"core 0 link 3\"; in a drawing \"node s1\" or "
    "\"link a b\"";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::optional<std::uint32_t> number_of(const std::string& word) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

template<Choice E>
std::optional<E> choice_of(const std::string& word) {
  const std::vector<std::string> known = choices<E>();
  for (std::size_t i = 0; i < known.size(); i++)
    if (known[i] == word) return static_cast<E>(i);
  return std::nullopt;
}

/// What links of a thing are called.
std::vector<std::string> link_kinds_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::gpu:
      return {"port"};
    case FailureKind::leaf:
    case FailureKind::spine:
      return {"uplink", "link"};
    case FailureKind::core:
    case FailureKind::gateway:
      return {"link"};
    case FailureKind::node:
    case FailureKind::link:
      break;
  }
  return {};
}

/// Reads the name of one thing.
class TargetReader {
 public:
  TargetReader(const Document::Member& member, Complaints& complaints) : member_(member), complaints_(complaints) {}

  std::optional<FailureTarget> read() {
    const std::vector<std::string> words = words_of(member_.key);
    const std::optional<FailureKind> kind = words.empty() ? std::nullopt : choice_of<FailureKind>(words[0]);
    if (!kind) return refuse("is not a network element", guess(words));
    FailureTarget target;
    target.kind = *kind;
    if (*kind == FailureKind::node || *kind == FailureKind::link) return read_names(words, target);
    return read_numbers(words, target);
  }

 private:
  std::optional<FailureTarget> refuse(const std::string& why, std::string hint) {
    complaints_.error("RY-SCN-082", member_.where, fmt::format("'{}' {}", printable(member_.key), why), std::move(hint));
    return std::nullopt;
  }

  static std::string guess(std::vector<std::string> words) {
    const std::string near = words.empty() ? "" : nearest(words[0], choices<FailureKind>());
    if (near.empty()) return std::string(kExamples);
    words[0] = near;
    return fmt::format("did you mean '{}'?", printable(schema::join(words, " ")));
  }

  std::optional<FailureTarget> read_names(const std::vector<std::string>& words, FailureTarget& target) {
    const std::size_t names = target.kind == FailureKind::node ? 1 : 2;
    if (words.size() != names + 1)
      return refuse(fmt::format("does not have {}", names == 1 ? "one name" : "the names of both ends"),
                    "write \"node s1\" or \"link a b\", with names of the drawing");
    target.first = words[1];
    if (names == 2) target.second = words[2];
    return target;
  }

  std::optional<FailureTarget> read_numbers(const std::vector<std::string>& words, FailureTarget& target) {
    const std::string kind(name_of(target.kind));
    const std::vector<std::string> link_kinds = link_kinds_of(target.kind);
    const std::optional<std::uint32_t> index = words.size() > 1 ? number_of(words[1]) : std::nullopt;
    if (!index) return refuse(fmt::format("needs the number of the {}", kind), fmt::format("count from 0: \"{} 3\"", kind));
    target.index = *index;
    if (words.size() == 2) return target;
    const std::string example = fmt::format("\"{0} {1} {2} 0\", or \"{0} {1}\" for all of it", kind, *index, link_kinds[0]);
    if (std::find(link_kinds.begin(), link_kinds.end(), words[2]) == link_kinds.end())
      return refuse(fmt::format("has no such link on a {}", kind), fmt::format("write {}", example));
    target.link_kind = choice_of<FailureLinkKind>(words[2]);
    const std::optional<std::uint32_t> link_index = words.size() == 4 ? number_of(words[3]) : std::nullopt;
    if (!link_index) return refuse(fmt::format("needs the number of the {}", words[2]), fmt::format("write {}", example));
    target.link_index = *link_index;
    return target;
  }

  const Document::Member& member_;
  Complaints& complaints_;
};

constexpr std::string_view kWantedState =
    "\"down\", or a table like { rate = \"100 Gb/s\", from = \"1 ms\", until = \"2 ms\" }, or several in brackets";
constexpr std::uint32_t kMostFlaps = 1000;

const std::vector<Key<Failure>>& state_keys() {
  static const Limits<Picoseconds> kWithinADay{.max = Picoseconds(86'400 * kPicosecondsPerSecond)};
  static const std::vector<Key<Failure>> kKeys = {
      key("rate", &Failure::rate, "rate that is left of each link; none if neither that nor losses are given",
          {.max = 100'000_Gbps}),
      key("loss", &Failure::loss, "share of packets that the link loses (packets alone)", {.min = 0.0, .max = 1.0}),
      key("ber", &Failure::bit_errors, "bit error rate after FEC: a packet with an error is lost (packets alone)",
          {.min = 0.0, .max = 1e-6}),
      key("storm", &Failure::storms, "of a GPU: its NIC pauses its switch all the time (packets alone)"),
      key("takes", &Failure::takes, "of a GPU: the rate its host takes packets in at; 0: not at all (packets alone)",
          {.max = 100'000_Gbps}),
      key("direction", &Failure::direction, "what the thing sends (out), what it is sent (in), or both"),
      key("from", &Failure::from, "when it fails", kWithinADay),
      key("until", &Failure::until, "when it is repaired; never if not given", kWithinADay),
      key("every", &Failure::every, "of a flap: from one failure to the next", kWithinADay),
      key("times", &Failure::times, "of a flap: how often it fails", {.min = 1U, .max = kMostFlaps})};
  return kKeys;
}

/// Reads one state of a thing: when it fails and what is left of it.
class StateReader {
 public:
  StateReader(const Document::Member& member, Complaints& complaints) : member_(member), complaints_(complaints) {}

  /// Appends a failure, unless something is wrong with it.
  void read(const Document& value, Failure failure, std::vector<Failure>& failures) {
    const std::size_t before = complaints_.found().size();
    failure.rate = std::nullopt;
    read_table<Failure>(value, state_keys(), {}, failure, complaints_);
    if (complaints_.found().size() != before || !is_in_order(value, failure) || !is_of_its_kind(value, failure)) return;
    if (!failure.rate && failure.loss == 0 && failure.bit_errors == 0 && !failure.is_of_host())
      failure.rate = BitsPerSecond::zero();
    failures.push_back(std::move(failure));
  }

 private:
  bool refuse(const Document& value, const char* key, std::string what, std::string hint) {
    complaints_.error("RY-SCN-083", value.find(key)->where(), std::move(what), std::move(hint));
    return false;
  }

  /// Only hosts pause their switch or take packets in, and a link does not fail with that.
  bool is_of_its_kind(const Document& value, const Failure& failure) {
    if (!failure.is_of_host()) return true;
    const char* const key = failure.storms ? "storm" : "takes";
    if (failure.what.kind != FailureKind::gpu || failure.what.link_kind)
      return refuse(value, key, fmt::format("'{}' has no host, and {} is a matter of one", printable(member_.key), key),
                    fmt::format("write \"gpu 3\" = {{ {} = {}, … }}", key, failure.storms ? "true" : "\"0 b/s\""));
    if (!failure.rate && failure.loss == 0 && failure.bit_errors == 0) return true;
    return refuse(value, key, fmt::format("'{}' has {} beside what happens to its link", printable(member_.key), key),
                  "write both in brackets: [{ … }, { … }]");
  }

  bool is_in_order(const Document& value, const Failure& failure) {
    const std::string name = printable(member_.key);
    if (failure.until && *failure.until <= failure.from)
      return refuse(value, "until",
                    fmt::format("'{}' is repaired at {}, no later than it fails ({})", name, format(*failure.until),
                                format(failure.from)),
                    "set until later than from");
    if (failure.times > 1 && !failure.every)
      return refuse(value, "times", fmt::format("'{}' fails {} times, and every is not given", name, failure.times),
                    "set every, from one failure to the next");
    if (!failure.every) return true;
    if (!failure.until) return refuse(value, "every", fmt::format("'{}' fails again and is never repaired", name), "set until");
    if (*failure.every <= *failure.until - failure.from)
      return refuse(value, "every",
                    fmt::format("'{}' fails every {} for {}: it never comes up", name, format(*failure.every),
                                format(*failure.until - failure.from)),
                    "set every longer than from until to until");
    return true;
  }

  const Document::Member& member_;
  Complaints& complaints_;
};

/// "down", or what is left and when, once or several times.
void read_states(const Document::Member& member, Failure failure, std::vector<Failure>& failures, Complaints& complaints) {
  if (const std::string* text = member.value.text(); text && *text == "down") {
    failure.rate = BitsPerSecond::zero();
    failures.push_back(std::move(failure));
    return;
  }
  StateReader reader(member, complaints);
  if (member.value.members()) return reader.read(member.value, failure, failures);
  const auto* const several = member.value.items();
  if (!several || several->empty()) return schema::wrong_type(member.key, member.value, kWantedState, complaints);
  for (const Document& one : *several) {
    if (!one.members()) return schema::wrong_type(member.key, one, kWantedState, complaints);
    reader.read(one, failure, failures);
  }
}

}  // namespace

void read_failures(const Document& table, std::vector<Failure>& failures, Complaints& complaints) {
  for (const Document::Member& member : *table.members()) {
    const std::optional<FailureTarget> target = TargetReader(member, complaints).read();
    Failure failure;
    failure.name = member.key;
    failure.where = member.where;
    if (target) failure.what = *target;
    std::vector<Failure> read;
    read_states(member, failure, read, complaints);
    if (target) failures.insert(failures.end(), read.begin(), read.end());
  }
  const auto sort_key = [](const Failure& failure) {
    return std::tie(failure.where.file, failure.where.line, failure.where.column);
  };
  std::stable_sort(failures.begin(), failures.end(),
                   [&](const Failure& a, const Failure& b) { return sort_key(a) < sort_key(b); });
}

}  // namespace railyard
