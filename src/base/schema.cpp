#include "base/schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace railyard {

namespace schema {

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

namespace {

/// How a quantity may be written, by what it is called.
std::string example_of(std::string_view wanted) {
  static constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
      {"a size", "4 MB"},   {"a duration", "500 ns"}, {"a time span", "36 h"}, {"a rate", "400 Gb/s"},
      {"a length", "30 m"}, {"a power", "700 W"},     {"a price", "2000 USD"}, {"a compute rate", "989 TFLOP/s"}};
  for (const auto& [name, example] : kExamples)
    if (wanted == std::string(name) + " as text with its unit") return fmt::format(", as in \"{}\"", example);
  return {};
}

}  // namespace

void wrong_type(std::string_view key, const Document& value, std::string_view wanted, Complaints& complaints) {
  complaints.error(complaints.codes().wrong_type, value.where(),
                   fmt::format("{} = {} is {}", key, value.summary(), value.kind_name()),
                   fmt::format("write {}{}", wanted, example_of(wanted)));
}

void out_of_range(std::string_view key, const Document& value, const std::string& limit, Complaints& complaints) {
  complaints.error(complaints.codes().out_of_range, value.where(), fmt::format("{} = {} is out of range", key, value.summary()),
                   fmt::format("it must be {}", limit));
}

void unknown_choice(std::string_view key, const Document& value, std::span<const std::string> known, Complaints& complaints) {
  const std::string guess = nearest(*value.text(), known);
  const std::string all = join(known, ", ");
  complaints.error(complaints.codes().unknown_choice, value.where(),
                   fmt::format("{} = {} is not one of the choices", key, value.summary()),
                   guess.empty() ? fmt::format("choose one of {}", all)
                                 : fmt::format("did you mean \"{}\"? The choices are {}", guess, all));
}

void bad_quantity(std::string_view key, const Document& value, const std::string& reason, std::string_view what,
                  Complaints& complaints) {
  complaints.error(complaints.codes().bad_quantity, value.where(), fmt::format("{} = {} {}", key, value.summary(), reason),
                   fmt::format("write the {} as a number and a unit", what));
}

std::string type_name(std::type_identity<bool>) { return "true | false"; }
std::string type_name(std::type_identity<std::uint32_t>) { return "integer"; }
std::string type_name(std::type_identity<std::uint64_t>) { return "integer"; }
std::string type_name(std::type_identity<double>) { return "number"; }
std::string type_name(std::type_identity<Ratio>) { return "ratio"; }
std::string type_name(std::type_identity<std::string>) { return "text"; }

std::string written(bool value) { return value ? "true" : "false"; }
std::string written(double value) { return fmt::format("{}", value); }
std::string written(Ratio value) { return written(value.value); }
std::string written(const std::string& value) { return value.empty() ? std::string() : fmt::format("\"{}\"", value); }

void convert(std::string_view key, const Document& value, bool& out, const Limits<bool>&, Complaints& complaints) {
  if (const bool* flag = value.boolean())
    out = *flag;
  else
    wrong_type(key, value, "true or false", complaints);
}

void convert(std::string_view key, const Document& value, std::string& out, const Limits<std::string>&,
             Complaints& complaints) {
  if (!value.text()) return wrong_type(key, value, "text in quotes", complaints);
  if (value.text()->empty()) return out_of_range(key, value, "not empty", complaints);
  out = *value.text();
}

void convert(std::string_view key, const Document& value, double& out, const Limits<double>& limits, Complaints& complaints) {
  double storage = 0;
  const double* number = value.number(storage);
  if (!number) return wrong_type(key, value, "a number", complaints);
  if (!std::isfinite(*number)) return out_of_range(key, value, "a finite number", complaints);
  if (within(key, value, *number, limits, complaints)) out = *number;
}

namespace {

/// All of `text` as a number that is not negative, blanks around it aside.
std::optional<double> plain_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

/// "2:1" is 2.
std::optional<Ratio> parse_ratio(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<double> first = plain_number(text.substr(0, colon)), second = plain_number(text.substr(colon + 1));
  if (!first || !second || *second == 0) return std::nullopt;
  return Ratio{*first / *second};
}

}  // namespace

void convert(std::string_view key, const Document& value, Ratio& out, const Limits<Ratio>& limits, Complaints& complaints) {
  Ratio got;
  double storage = 0;
  if (const std::string* text = value.text()) {
    const std::optional<Ratio> parsed = parse_ratio(*text);
    if (!parsed)
      return complaints.error(complaints.codes().bad_quantity, value.where(),
                              fmt::format("{} = {} is not a ratio", key, value.summary()),
                              "write a number, as in 2, or two with a colon, as in \"2:1\"");
    got = *parsed;
  } else if (const double* number = value.number(storage)) {
    got.value = *number;
  } else {
    return wrong_type(key, value, "a number, as in 2, or a ratio, as in \"2:1\"", complaints);
  }
  if (!std::isfinite(got.value)) return out_of_range(key, value, "a finite number", complaints);
  if (within(key, value, got, limits, complaints)) out = got;
}

}  // namespace schema

namespace {

/// What keys are called elsewhere.
constexpr std::pair<std::string_view, std::string_view> kEverydayNames[] = {
    {"tp", "tensor"},
    {"pp", "pipeline"},
    {"vp", "virtual_pipeline"},
    {"vpp", "virtual_pipeline"},
    {"cp", "context"},
    {"ep", "expert"},
    {"dp", "data"},
    {"seq_length", "sequence"},
    {"seq_len", "sequence"},
    {"max_position_embeddings", "sequence"},
    {"gbs", "global_batch"},
    {"global_batch_size", "global_batch"},
    {"mbs", "micro_batch"},
    {"num_layers", "layers"},
    {"num_hidden_layers", "layers"},
    {"hidden_size", "hidden"},
    {"num_attention_heads", "heads"},
    {"num_key_value_heads", "kv_heads"},
    {"num_query_groups", "kv_heads"},
    {"ffn_hidden_size", "ffn"},
    {"intermediate_size", "ffn"},
    {"vocab_size", "vocabulary"},
    {"num_experts", "experts"},
    {"topk", "experts_per_token"},
    {"top_k", "experts_per_token"},
    {"nodes", "gpus"},
    {"name", "preset"},
};

void report_missing_key(const Document& table, const KeyInfo& key, Complaints& complaints) {
  complaints.error(complaints.codes().missing_key, table.where(), fmt::format("the key '{}' is missing", key.name),
                   fmt::format("add {} = … ({}: {})", key.name, key.type, key.help));
}

}  // namespace

void report_unknown_key(const Document::Member& member, std::vector<std::string> known, Complaints& complaints) {
  std::sort(known.begin(), known.end());
  std::string guess = nearest(member.key, known);
  for (const auto& [everyday, ours] : kEverydayNames)
    if (member.key == everyday && std::find(known.begin(), known.end(), ours) != known.end()) guess = ours;
  std::string hint = fmt::format("did you mean '{}'?", guess);
  if (guess.empty()) {
    std::vector<std::string> elsewhere = complaints.elsewhere(member.key);
    for (const auto& [everyday, ours] : kEverydayNames)
      if (elsewhere.empty() && member.key == everyday) elsewhere = complaints.elsewhere(ours);
    hint = elsewhere.empty() ? "known here: " + schema::join(known, ", ")
                             : fmt::format("did you mean '{}'?", schema::join(elsewhere, "' or '"));
  }
  complaints.error(complaints.codes().unknown_key, member.where, fmt::format("unknown key '{}'", member.key), hint);
}

void schema::read_fields(const Document& table, std::span<const KeyField* const> fields, std::span<const std::string> others,
                         void* owner, Complaints& complaints, const KeyHeard& set) {
  const Document::Object* members = table.members();
  if (!members) return;
  for (const Document::Member& member : *members) {
    if (std::find(others.begin(), others.end(), member.key) != others.end()) continue;
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const KeyField* f) { return f->info.name == member.key; });
    if (found == fields.end()) {
      std::vector<std::string> known(others.begin(), others.end());
      for (const KeyField* field : fields) known.push_back(field->info.name);
      report_unknown_key(member, std::move(known), complaints);
      continue;
    }
    const KeyField& field = **found;
    field.read_member(field.info, member.value, static_cast<std::byte*>(owner) + field.offset, complaints);
    if (set) set(member.key, member.value);
  }
  for (const KeyField* field : fields)
    if (field->info.required && !table.find(field->info.name)) report_missing_key(table, field->info, complaints);
}

}  // namespace railyard
