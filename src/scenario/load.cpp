#include "scenario/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/toml.h"
#include "scenario/check.h"
#include "scenario/keys.h"
#include "scenario/plan.h"

namespace railyard {

namespace {

constexpr SchemaCodes kCodes{.unknown_key = "RY-SCN-010",
                             .wrong_type = "RY-SCN-011",
                             .bad_quantity = "RY-SCN-012",
                             .out_of_range = "RY-SCN-013",
                             .unknown_choice = "RY-SCN-014",
                             .missing_key = "RY-SCN-015"};

constexpr std::size_t kDeepestExtends = 16;
constexpr std::size_t kDeepestOverride = 16;
constexpr std::size_t kLargestFile = 4 << 20;

Diagnostic error(std::string code, SourceSpan where, std::string message, std::string hint) {
  return {Severity::error, std::move(code), std::move(message), std::move(hint), std::move(where)};
}

/// The file at `path` laid over what it extends. `chain` holds the files that led here.
Result<Document> load_document(const std::filesystem::path& path, const SourceSpan& asked_at, const ReadFile& read,
                               std::vector<std::filesystem::path> chain) {
  const std::filesystem::path normal = path.lexically_normal();
  if (std::find(chain.begin(), chain.end(), normal) != chain.end() || chain.size() >= kDeepestExtends)
    return error("RY-SCN-003", asked_at, fmt::format("extends = \"{}\" leads back to itself or too deep", path.string()),
                 "break the circle: a scenario extends one that stands on its own");
  chain.push_back(normal);
  Result<std::string> text = read(path);
  if (!text) {
    if (asked_at.line == 0) return text.error();
    return error("RY-SCN-001", asked_at, fmt::format("cannot read \"{}\", which this scenario extends", path.string()),
                 "check the path: it is relative to the file that says extends");
  }
  Result<Document> document = parse_toml(*text, path.string(), "RY-SCN-002");
  if (!document) return document;
  const Document* extends = document->find("extends");
  if (!extends) return document;
  if (!extends->text() || extends->text()->empty())
    return error("RY-SCN-011", extends->where(), fmt::format("extends = {} is {}", extends->summary(), extends->kind_name()),
                 "write the path of another scenario as text, \"other.toml\"");
  Result<Document> base = load_document(path.parent_path() / *extends->text(), extends->where(), read, std::move(chain));
  if (!base) return base;
  return overlay(std::move(*base), *document);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// The value of an override: TOML if it is TOML, else text, so that quotes may be left out. An integer that TOML cannot hold
/// stays an integer, the largest there is, and will be found out of range.
Document override_value(const std::string& text, const SourceSpan& where) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() > 18) return Document(std::numeric_limits<std::int64_t>::max(), where);
  const Result<Document> parsed = parse_toml("value = " + text, where.file, "RY-SCN-004");
  if (!parsed || parsed->members()->size() != 1) return Document(text, where);
  return Document(parsed->find("value")->value(), where);
}

/// "transport.mtu=1024" as a document with that one key.
Result<Document> override_document(const std::string& text) {
  const SourceSpan where{"--set " + text, 0, 0};
  const std::size_t equals = text.find('=');
  const std::string path = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || path.empty() || path.front() == '.' || path.back() == '.' ||
      path.find("..") != std::string::npos ||
      std::count(path.begin(), path.end(), '.') > static_cast<std::ptrdiff_t>(kDeepestOverride))
    return error("RY-SCN-004", where, fmt::format("'{}' is not of the form path.to.key=value", text),
                 "write for instance --set transport.mtu=1024");
  if (path == "extends")
    return error("RY-SCN-004", where, "extends cannot be set from outside",
                 "write a file that extends both, or name the other one");
  Document inner = override_value(trimmed(text.substr(equals + 1)), where);
  for (std::size_t end = path.size();;) {
    const std::size_t dot = path.rfind('.', end - 1);
    const std::size_t start = dot == std::string::npos ? 0 : dot + 1;
    Document outer(Document::Object{}, where);
    outer.set(path.substr(start, end - start), std::move(inner), where);
    if (dot == std::string::npos) return outer;
    inner = std::move(outer);
    end = dot;
  }
}

/// `table` without the key at `path` ("transport.dcqcn"); as it is where there is none.
Document without(const Document& table, std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  Document out(Document::Object{}, table.where());
  for (const Document::Member& member : *table.members()) {
    const bool ends_here = member.key == first && first == path;
    const bool goes_on = member.key == first && first != path && member.value.members();
    if (!ends_here)
      out.set(member.key, goes_on ? without(member.value, path.substr(first.size() + 1)) : member.value, member.where);
  }
  return out;
}

/// The document as if the key of "transport.dcqcn=" had never been written, nor where it comes from.
Result<Document> removed(const Document& document, const std::string& text) {
  const std::string path = trimmed(text.substr(0, text.find('=')));
  if (path.find('[') != std::string::npos || !document.at_path(path))
    return error("RY-SCN-004", {"--set " + text, 0, 0}, fmt::format("there is no {} to take away", path),
                 "an empty value removes a key of the file; give one, or leave this out");
  Document out = without(document, path);
  const Document* const origins = out.find("origins");
  if (!origins || !origins->members()) return out;
  Document kept(Document::Object{}, origins->where());
  for (const Document::Member& member : *origins->members())
    if (member.key != path && !member.key.starts_with(path + ".")) kept.set(member.key, member.value, member.where);
  out.set("origins", std::move(kept));
  return out;
}

/// `document` with one override laid over it.
Result<Document> overridden(Document document, const std::string& text) {
  const Result<Document> over = override_document(text);
  if (!over) return over.error();
  if (trimmed(text.substr(text.find('=') + 1)).empty()) return removed(document, text);
  return overlay(std::move(document), *over);
}

/// Reads the section at `path` and those inside it.
void read_sections(const Document& table, const Section& section, Scenario& scenario, Complaints& complaints) {
  std::vector<std::string> subsections = subsections_of(section.path);
  if (section.path.empty()) subsections.push_back("extends");
  const std::string prefix = section.path.empty() ? "" : section.path + ".";
  section.read(table, subsections, scenario, complaints, [&](const std::string& key, const Document& value) {
    scenario.places[prefix + key] = {value.where(), value.summary()};
  });
  for (const Section& inner : scenario_sections()) {
    if (inner.path.empty() || !inner.path.starts_with(prefix)) continue;
    const std::string name = inner.path.substr(prefix.size());
    const Document* value = name.find('.') == std::string::npos ? table.find(name) : nullptr;
    if (!value) continue;
    scenario.places[inner.path] = {value->where(), {}};
    if (value->members())
      read_sections(*value, inner, scenario, complaints);
    else
      schema::wrong_type(name, *value, "a table, [" + inner.path + "]", complaints);
  }
}

/// Where `file` is, which `key` names: beside the file that has the key, which may be one that the scenario extends; beside the
/// scenario where the key was set from outside.
std::filesystem::path place_of(const Scenario& scenario, const std::string& key, const std::string& file) {
  const SourceSpan where = scenario.where(key);
  return std::filesystem::path(where.line > 0 ? where.file : scenario.file.file).parent_path() / file;
}

/// One number per line or blank: how many tokens each expert got, in any unit.
void read_expert_load(Scenario& scenario, const ReadFile& read, Complaints& complaints) {
  const SourceSpan where = scenario.where("training.expert_load");
  const std::filesystem::path path = place_of(scenario, "training.expert_load", scenario.training.expert_load);
  const Result<std::string> text = read(path);
  if (!text)
    return complaints.error("RY-SCN-001", where, fmt::format("cannot read the expert load \"{}\"", path.string()),
                            "check the path: it is relative to the file that names it");
  std::istringstream words(*text);
  for (std::string word; words >> word;) {
    double share = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
    if (error != std::errc() || end != word.data() + word.size() || !(share >= 0) || share > 1e18) {
      scenario.training.expert_shares.clear();
      return complaints.error("RY-SCN-054", where,
                              fmt::format("\"{}\" in {} is not a share of the tokens", printable(word), path.string()),
                              "write one number that is not negative per expert");
    }
    scenario.training.expert_shares.push_back(share);
  }
}

/// The text of a file that a key names; what is wrong with it is complained about at the key.
std::optional<std::string> read_beside(const Scenario& scenario, const std::string& key, const std::string& file,
                                       const ReadFile& read, Complaints& complaints) {
  const std::filesystem::path path = place_of(scenario, key, file);
  Result<std::string> text = read(path);
  if (text) return std::move(*text);
  complaints.error("RY-SCN-001", scenario.where(key), fmt::format("cannot read \"{}\", which {} names", path.string(), key),
                   "check the path: it is relative to the file that names it");
  return std::nullopt;
}

/// SimAI's text says how many GPUs a server has and which; keys of the scenario win.
void adopt_drawing(Scenario& scenario) {
  const Drawing& drawing = scenario.fabric.drawing;
  ClusterSpec& cluster = scenario.cluster;
  if (drawing.per_server > 0 && !scenario.given("cluster.gpus_per_node")) cluster.gpus_per_node = drawing.per_server;
  constexpr std::pair<std::string_view, std::string_view> kGpus[] = {{"A100", "A100-SXM-80"},
                                                                     {"H100", "H100-SXM-80"},
                                                                     {"H800", "H800-SXM-80"},
                                                                     {"H200", "H200-SXM-141"},
                                                                     {"B200", "B200-SXM"}};
  for (const auto& [theirs, ours] : kGpus)
    if (drawing.gpu == theirs && !scenario.given("cluster.gpu")) cluster.gpu = ours;
}

void read_fabric_file(Scenario& scenario, const ReadFile& read, Complaints& complaints) {
  const auto text = read_beside(scenario, "fabric.file", scenario.fabric.file, read, complaints);
  if (!text) return;
  Result<Drawing> drawing = read_drawing(*text, scenario.fabric.file);
  if (drawing) {
    scenario.fabric.drawing = std::move(*drawing);
    adopt_drawing(scenario);
  } else {
    for (const Diagnostic& mistake : drawing.error())
      complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
  }
}

/// One GPU number per rank.
void read_rank_file(Scenario& scenario, const ReadFile& read, Complaints& complaints) {
  const auto text = read_beside(scenario, "placement.file", scenario.placement.file, read, complaints);
  if (!text) return;
  std::istringstream words(*text);
  for (std::string word; words >> word;) {
    std::uint32_t gpu = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), gpu);
    if (error != std::errc() || end != word.data() + word.size())
      return complaints.error("RY-SCN-081", scenario.where("placement.file"),
                              fmt::format("\"{}\" in {} is not the number of a GPU", printable(word), scenario.placement.file),
                              "write the GPU of rank 0, of rank 1, and so on, as numbers from 0");
    scenario.placement.seats.push_back(gpu);
  }
}

void read_traffic_file(Scenario& scenario, const ReadFile& read, Complaints& complaints) {
  const auto text = read_beside(scenario, "traffic.file", scenario.traffic->file, read, complaints);
  if (!text) return;
  Result<std::vector<TrafficLine>> lines = read_traffic(*text, scenario.traffic->file);
  if (lines)
    scenario.traffic->lines = std::move(*lines);
  else
    for (const Diagnostic& mistake : lines.error())
      complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
}

/// Once it is known how many hosts there are.
void check_traffic_hosts(const Scenario& scenario, Complaints& complaints) {
  const TrafficSpec& traffic = *scenario.traffic;
  const std::uint32_t hosts = traffic.hosts_of(scenario.cluster.gpus.value_or(scenario.plan.endpoints));
  for (const Diagnostic& mistake : missing_hosts(traffic.lines, hosts, traffic.file))
    complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
}

/// The machines and the network of a scenario with another workload: what belongs to its own one is left out.
Document with_collective(const Document& document, const Document& collective) {
  constexpr std::string_view kLeftOut[] = {"model",  "training", "parallel",   "slice",
                                           "jitter", "traffic",  "collective", "expect"};
  const auto left_out = [&](std::string_view path) {
    const std::string_view section = path.substr(0, path.find('.'));
    return std::find(std::begin(kLeftOut), std::end(kLeftOut), section) != std::end(kLeftOut);
  };
  Document out(Document::Object{}, document.where());
  for (const Document::Member& member : *document.members()) {
    if (left_out(member.key)) continue;
    if (member.key != "origins" || !member.value.members()) {
      out.set(member.key, member.value, member.where);
      continue;
    }
    Document origins(Document::Object{}, member.value.where());
    for (const Document::Member& origin : *member.value.members())
      if (!left_out(origin.key)) origins.set(origin.key, origin.value, origin.where);
    out.set(member.key, std::move(origins), member.where);
  }
  out.set("collective", collective, collective.where());
  return out;
}

}  // namespace

Result<std::string> read_file_from_disk(const std::filesystem::path& path) {
  const auto refuse = [&](std::string message, std::string hint) {
    return error("RY-SCN-001", {path.string(), 0, 0}, std::move(message), std::move(hint));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return refuse("this is a folder", "name a scenario file");
  std::ifstream in(path == "-" ? std::filesystem::path("/dev/stdin") : path, std::ios::binary);
  if (!in) return refuse("cannot read this file", "check that it exists and is readable");
  std::string text(kLargestFile + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return refuse("cannot read this file to its end", "check the disk");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLargestFile) return refuse("this file is larger than 4 MiB", "a scenario is a few lines of TOML");
  return text;
}

Result<Scenario> load_scenario(const std::filesystem::path& path, const Catalog& catalog,
                               std::span<const std::string> overrides, const ReadFile& read, const LoadOptions& options) {
  Result<Document> document = load_document(path, {}, read, {});
  if (!document) return document.error();
  if (options.collective) *document = with_collective(*document, *options.collective);
  Diagnostics found;
  for (const std::string& text : overrides) {
    Result<Document> changed = overridden(*document, text);
    if (changed)
      document = std::move(changed);
    else
      found.insert(found.end(), changed.error().begin(), changed.error().end());
  }
  Result<Scenario> scenario = read_scenario(*document, path, catalog, read, options);
  if (found.empty()) return scenario;
  if (!scenario) found.insert(found.end(), scenario.error().begin(), scenario.error().end());
  sort_by_place(found);
  return found;
}

Result<Scenario> read_scenario(const Document& document, const std::filesystem::path& path, const Catalog& catalog,
                               const ReadFile& read, const LoadOptions& options) {
  Scenario scenario;
  scenario.file = {path.string(), 0, 0};
  Complaints complaints(kCodes);
  read_sections(document, scenario_sections().front(), scenario, complaints);
  if (!scenario.training.expert_load.empty()) read_expert_load(scenario, read, complaints);
  if (scenario.fabric.topology == Topology::file && !scenario.fabric.file.empty()) read_fabric_file(scenario, read, complaints);
  if (scenario.placement.policy == PlacementPolicy::file && !scenario.placement.file.empty())
    read_rank_file(scenario, read, complaints);
  if (scenario.traffic && scenario.traffic->pattern == TrafficPattern::file && !scenario.traffic->file.empty())
    read_traffic_file(scenario, read, complaints);
  check_scenario(scenario, catalog, complaints, options.workload);
  make_plan(scenario, catalog, complaints);
  if (scenario.traffic) check_traffic_hosts(scenario, complaints);
  Diagnostics found = complaints.take();
  sort_by_place(found);
  if (!found.empty()) return found;
  return scenario;
}

ExpectSpec load_expectations(const std::filesystem::path& path, const ReadFile& read) {
  const Result<Document> document = load_document(path, {}, read, {});
  Scenario scenario;
  Complaints ignored(kCodes);
  if (document) read_sections(*document, scenario_sections().front(), scenario, ignored);
  // A fingerprint is of one run: who extends a file does not inherit it.
  if (scenario.where("expect.fingerprint").file != path.string()) scenario.expect.fingerprint.clear();
  return scenario.expect;
}

}  // namespace railyard
