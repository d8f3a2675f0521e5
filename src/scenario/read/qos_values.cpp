// Values of [qos]: maps of numbers, sets of priorities, thresholds of queues.
#include <charconv>

#include "scenario/read/qos_spec.h"

namespace railyard {

namespace {

/// All of a word as a number up to `most`.
std::optional<std::uint32_t> small_number(const std::string& word, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value > most) return std::nullopt;
  return value;
}

/// "100 KB", 100000, "55 %" or "2 us".
void convert_threshold(const std::string& key, const Document& value, std::optional<Threshold>& out, Complaints& complaints) {
  if (const std::string* text = value.text(); text && text->ends_with('%')) {
    double share = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), share);
    const bool whole =
        error == std::errc() && text->find_first_not_of(' ', static_cast<std::size_t>(end - text->data())) == text->size() - 1;
    if (!whole || !(share >= 0) || share > 100) return schema::out_of_range(key, value, "\"0 %\" to \"100 %\"", complaints);
    out = Threshold{ThresholdUnit::percent, share};
    return;
  }
  if (const std::string* text = value.text())
    if (const Parsed<Picoseconds> time = parse_quantity<Picoseconds>(*text);
        time && *time <= Picoseconds(kPicosecondsPerSecond)) {
      out = Threshold{ThresholdUnit::time, static_cast<double>(time->count()) / 1e6};
      return;
    }
  Bytes size;
  const std::size_t before = complaints.found().size();
  schema::convert(key, value, size, Limits<Bytes>{.max = 2_GiB}, complaints);
  if (complaints.found().size() == before) out = Threshold{ThresholdUnit::bytes, static_cast<double>(size.count())};
}

EcnTable::Row ecn_row(const std::string& key, const Document& value, Complaints& complaints) {
  EcnTable::Row row;
  if (const std::string* text = value.text(); text && *text == "off") {
    row.off = true;
    return row;
  }
  if (!value.members()) {
    schema::wrong_type(key, value, "\"off\", or a table like { kmin = \"100 KB\", kmax = \"400 KB\", pmax = 0.2 }", complaints);
    return row;
  }
  for (const Document::Member& member : *value.members())
    if (member.key == "kmin")
      convert_threshold("kmin", member.value, row.kmin, complaints);
    else if (member.key == "kmax")
      convert_threshold("kmax", member.value, row.kmax, complaints);
    else if (member.key == "pmax")
      schema::convert("pmax", member.value, row.pmax, Limits<double>{.min = 0.0, .max = 1.0}, complaints);
    else
      report_unknown_key(member, {"kmin", "kmax", "pmax"}, complaints);
  return row;
}

}  // namespace

void convert_numbers(std::string_view key, const Document& value, std::uint32_t most_key, std::uint32_t least,
                     std::uint32_t most, std::map<std::uint32_t, std::uint32_t>& out, Complaints& complaints) {
  if (!value.members()) return schema::wrong_type(key, value, "a table of numbers, { \"3\" = 3 }", complaints);
  for (const Document::Member& member : *value.members()) {
    const std::optional<std::uint32_t> from = small_number(member.key, most_key);
    const std::string path = fmt::format("{}.{}", key, printable(member.key));
    std::uint32_t to = 0;
    const std::size_t before = complaints.found().size();
    if (!from)
      schema::out_of_range(path, member.value, fmt::format("named by a number from 0 to {}", most_key), complaints);
    else
      schema::convert(path, member.value, to, Limits<std::uint32_t>{.min = least, .max = most}, complaints);
    if (complaints.found().size() == before) out[*from] = to;
  }
}

std::string type_name(std::type_identity<PrioritySet>) { return "list of integer"; }
std::string written(const PrioritySet&) { return {}; }

void convert(std::string_view key, const Document& value, PrioritySet& out, const Limits<PrioritySet>&,
             Complaints& complaints) {
  const std::span<const Document> items = value.items() ? std::span<const Document>(*value.items()) : std::span(&value, 1);
  std::uint8_t bits = 0;
  const std::size_t before = complaints.found().size();
  for (const Document& item : items) {
    std::uint32_t one = 0;
    schema::convert(key, item, one, Limits<std::uint32_t>{.max = kPriorities - 1}, complaints);
    bits |= static_cast<std::uint8_t>(1U << one);
  }
  if (complaints.found().size() == before) out.bits = bits;
}

std::string type_name(std::type_identity<EcnTable>) { return "table, or \"off\""; }
std::string written(const EcnTable&) { return {}; }

void convert(std::string_view key, const Document& value, EcnTable& out, const Limits<EcnTable>&, Complaints& complaints) {
  if (!value.members()) {
    out.all = ecn_row(std::string(key), value, complaints);
    return;
  }
  for (const Document::Member& member : *value.members()) {
    const std::string path = fmt::format("{}.{}", key, printable(member.key));
    const std::optional<std::uint32_t> queue = small_number(member.key, kPriorities - 1);
    if (queue)
      out.queues[*queue] = ecn_row(path, member.value, complaints);
    else if (member.key == "all")
      out.all = ecn_row(path, member.value, complaints);
    else
      schema::out_of_range(path, member.value, "named by a queue from 0 to 7, or \"all\"", complaints);
  }
}

}  // namespace railyard
