#include "scenario/read/named_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/schema.h"
#include "config/read/read.h"
#include "scenario/read/drawing_file.h"
#include "scenario/read/traffic_file.h"

namespace railyard {

namespace {

/// The text of a file that a key names; what is wrong with it is complained about at the key.
std::optional<std::string> read_beside(const ScenarioSpec& scenario, const std::string& key, const std::string& file,
                                       const ReadFile& read, Complaints& complaints, std::size_t largest = kLargestScenario) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as some editors and spreadsheets begin
  const std::filesystem::path path = named_path(scenario, key, file);
  Result<std::string> text = read(path, largest);
  if (text) return text->starts_with(kByteOrderMark) ? text->substr(kByteOrderMark.size()) : std::move(*text);
  const std::string& reason = text.error().front().message;
  complaints.error("RY-SCN-001", scenario.where(key), fmt::format("cannot read \"{}\", which {} names", path.string(), key),
                   reason.find("larger than") != std::string::npos
                       ? reason + ": use a smaller one"
                       : "check the path: it is relative to the file that names it");
  return std::nullopt;
}

/// Numbers between blanks: how many tokens each expert got, in any unit; or that for one rank of tokens after the other.
void read_expert_load(ScenarioSpec& scenario, const ReadFile& read, Complaints& complaints) {
  const SourceSpan where = scenario.where("training.expert_load");
  const std::string& file = scenario.training.expert_load;
  const auto text = read_beside(scenario, "training.expert_load", file, read, complaints);
  if (!text) return;
  std::istringstream words(*text);
  for (std::string word; words >> word;) {
    double share = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
    if (error != std::errc() || end != word.data() + word.size() || !(share >= 0) || share > 1e18) {
      scenario.training.expert_shares.clear();
      return complaints.error("RY-SCN-054", where,
                              fmt::format("\"{}\" in {} is not a share of the tokens", printable(word), file),
                              "write one number that is not negative per expert");
    }
    scenario.training.expert_shares.push_back(share);
  }
}

/// SimAI's text says how many GPUs a server has and which; keys of the scenario win.
void adopt_drawing(ScenarioSpec& scenario) {
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

void read_fabric_file(ScenarioSpec& scenario, const ReadFile& read, Complaints& complaints) {
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
void read_rank_file(ScenarioSpec& scenario, const ReadFile& read, Complaints& complaints) {
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

void read_traffic_file(ScenarioSpec& scenario, const ReadFile& read, Complaints& complaints) {
  const auto text = read_beside(scenario, "traffic.file", scenario.traffic->file, read, complaints, kLargestTraffic);
  if (!text) return;
  Result<std::vector<TrafficLine>> lines = read_traffic(*text, scenario.traffic->file);
  if (lines)
    scenario.traffic->lines = std::move(*lines);
  else
    for (const Diagnostic& mistake : lines.error())
      complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
}

/// A file, or a folder where the reader knows such things: from disk.
Diagnostics read_estate(const std::filesystem::path& path, const ReadFile& read, const FindOnDisk& find, Estate& estate) {
  constexpr std::size_t kLargestConfig = std::size_t{64} << 20;
  const Result<std::string> text = read(path, kLargestConfig);
  if (text) return read_config({path.string(), path.stem().string(), *text}, estate);
  const std::filesystem::path folder = find ? find(path, OnDisk::folder) : path;
  if (folder == path && text.error().front().message != "this is a folder") return text.error();
  Diagnostics notes;
  Result<Estate> all = read_configs({folder}, notes);
  if (!all) return all.error();
  estate = std::move(*all);
  return {};
}

void read_qos_configs(ScenarioSpec& scenario, const ReadFile& read, const FindOnDisk& find, Complaints& complaints) {
  const SourceSpan where = scenario.where("qos.from");
  const std::filesystem::path path = named_path(scenario, "qos.from", scenario.qos.all.from);
  bool failed = false;
  for (const Diagnostic& one : read_estate(path, read, find, scenario.qos.estate))
    if (one.severity == Severity::error) {
      const bool is_missing = one.code == "RY-SCN-001";
      complaints.error(one.code, is_missing ? where : one.where,
                       is_missing ? fmt::format("cannot read \"{}\", which qos.from names", path.string()) : one.message,
                       is_missing ? "check the path: it is relative to the file that names it" : one.hint);
      failed = true;
    }
  const auto says_something = [](const Device& device) {
    return !device.policies.empty() || !device.environment.empty() || device.hash.seed || !device.hash.fields.empty();
  };
  const std::vector<Device>& devices = scenario.qos.estate.devices;
  if (!failed && std::none_of(devices.begin(), devices.end(), says_something))
    complaints.error("RY-SCN-141", where, fmt::format("\"{}\" holds no configuration that says anything of QoS", path.string()),
                     "name a file or folder of configurations that `railyard lint` reads");
}

}  // namespace

std::filesystem::path named_path(const ScenarioSpec& scenario, const std::string& key, const std::string& file) {
  const SourceSpan where = scenario.where(key);
  return std::filesystem::path(where.line > 0 ? where.file : scenario.keys.file.file).parent_path() / file;
}

void read_named_files(ScenarioSpec& spec, const ReadFile& read, const FindOnDisk& find, Complaints& complaints) {
  if (!spec.training.expert_load.empty()) read_expert_load(spec, read, complaints);
  if (spec.fabric.topology == Topology::file && !spec.fabric.file.empty()) read_fabric_file(spec, read, complaints);
  if (spec.placement.policy == PlacementPolicy::file && !spec.placement.file.empty()) read_rank_file(spec, read, complaints);
  if (spec.traffic && spec.traffic->pattern == TrafficPattern::file && !spec.traffic->file.empty())
    read_traffic_file(spec, read, complaints);
  if (!spec.qos.all.from.empty()) read_qos_configs(spec, read, find, complaints);
}

}  // namespace railyard
