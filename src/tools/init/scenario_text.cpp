#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "base/quantity_text.h"
#include "scenario/load.h"
#include "tools/init/answers.h"

namespace railyard {

namespace {

constexpr std::string_view kInitFile = "cluster.toml";  // what messages call it
constexpr std::size_t kRemarkColumn = 34;

/// "key = value  # remark", remarks below each other.
std::string key_line(const std::string& assignment, std::string_view remark = {}) {
  if (remark.empty()) return assignment + "\n";
  const std::size_t blanks = assignment.size() + 2 < kRemarkColumn ? kRemarkColumn - assignment.size() : 2;
  return fmt::format("{}{}# {}\n", assignment, std::string(blanks, ' '), remark);
}

/// Comment lines of at most `width` columns.
std::string comment(const std::string& text) {
  constexpr std::size_t kWidth = 98;
  std::string out, line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) out += "# " + line + "\n", line.clear();
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return out + "# " + line + "\n";
}

std::string_view spoken(TransportKind kind) {
  switch (kind) {
    case TransportKind::roce:
      return "RoCE";
    case TransportKind::infiniband:
      return "InfiniBand";
    case TransportKind::tcp:
      return "TCP";
    case TransportKind::uec:
      return "Ultra Ethernet";
    case TransportKind::srd:
      return "SRD";
  }
  return {};
}

BitsPerSecond rate_of(const InitAnswers& a, const Catalog& catalog) {
  const Entry<NicFact>* const nic = catalog.nics.find(*a.nic);
  RY_CHECK(nic, "answers are in the catalog");
  return a.transport == TransportKind::infiniband ? nic->fact.rate : nic->fact.ethernet_rate.value_or(nic->fact.rate);
}

std::string cluster_section(const InitAnswers& a) {
  return "\n[cluster]\n" + key_line(fmt::format("gpu = \"{}\"", *a.gpu), "railyard catalog gpus lists others") +
         key_line(fmt::format("gpus = {}", *a.gpus)) + key_line(fmt::format("gpus_per_node = {}", *a.gpus_per_node)) +
         key_line(fmt::format("nic = \"{}\"", *a.nic), "one per GPU; nics_per_node changes that");
}

/// Ports of two switches for each NIC, each of half its rate.
std::string plane_keys(BitsPerSecond rate) {
  return key_line("planes = 2", "assumed: a NIC has two ports, each of half its rate") +
         key_line(fmt::format("link_rate = \"{}\"", format_exact(BitsPerSecond(rate.count() / 2)))) +
         key_line(fmt::format("uplink_rate = \"{}\"", format_exact(rate)));
}

/// Half of the servers on a network of their own.
std::string island_section(const InitAnswers& a, BitsPerSecond rate) {
  const std::uint32_t servers = *a.gpus / *a.gpus_per_node;
  return "\n[fabric.island]\n" + comment("Assumed: half of the servers have a network of their own, joined by gateways.") +
         key_line(fmt::format("gpus = {}", std::max(servers / 2, 1U) * *a.gpus_per_node)) +
         key_line("switch_latency = \"350 ns\"") + key_line("gateways = 4") +
         key_line(fmt::format("boundary_rate = \"{}\"", format_exact(rate))) + key_line("boundary_latency = \"3 us\"");
}

/// Half of the servers elsewhere, and an eighth of what they can send between the two.
std::string haul_section(const InitAnswers& a, BitsPerSecond rate) {
  return "\n[fabric.haul]\n" + comment("Assumed: half of the servers are at either end, and links between them are few.") +
         key_line(fmt::format("links = {}", std::max(*a.gpus / 16, 1U))) +
         key_line(fmt::format("rate = \"{}\"", format_exact(rate))) + key_line("length = \"80 km\"");
}

std::string fabric_section(const InitAnswers& a, const Catalog& catalog) {
  const Topology topology = *a.topology;
  const BitsPerSecond rate = rate_of(a, catalog);
  std::string out = "\n[fabric]\n" + key_line(fmt::format("topology = \"{}\"", name_of(topology)));
  if (*a.switch_model == kOtherSwitch)
    out += key_line("radix = 64", "assumed: ports of a switch at the rate of a NIC") +
           key_line("switch_latency = \"900 ns\"", "assumed: as long as that of usual Ethernet switches");
  else
    out += key_line(fmt::format("switch = \"{}\"", *a.switch_model), "railyard catalog switches lists others");
  if (!a.oversubscription->empty())
    out += key_line(fmt::format("oversubscription = \"{}\"", *a.oversubscription), "bandwidth down to bandwidth up of a leaf");
  else if (topology != Topology::star && topology != Topology::fat_tree && topology != Topology::rail_only)
    out += comment("All hosts fit under one leaf: oversubscription would have no effect.");
  if (topology == Topology::multi_plane || topology == Topology::dual_tor) out += plane_keys(rate);
  out += key_line("cable = \"30 m\"", "assumed: a usual cable in a hall");
  if (topology == Topology::two_site) return out + haul_section(a, rate);
  return topology == Topology::hybrid ? out + island_section(a, rate) : out;
}

std::string transport_section(const InitAnswers& a) {
  return "\n[transport]\n" + key_line(fmt::format("kind = \"{}\"", name_of(*a.transport)));
}

std::string engine_section() {
  return "\n[engine]\n" + key_line("fidelity = \"flow\"", "over the network; \"analytic\" is quicker and knows no network");
}

std::string parallel_section(const TrainingPlan& plan) {
  std::string out = "\n[parallel]\n";
  for (const std::string& remark : plan.remarks) out += comment(remark);
  const SplitAnswer& s = plan.split;
  out += key_line(fmt::format("tensor = {}", s.tensor));
  if (s.context > 1) out += key_line(fmt::format("context = {}", s.context));
  out += key_line(fmt::format("pipeline = {}", s.pipeline));
  if (!plan.stage_layers.empty())
    out += key_line(fmt::format("stage_layers = [{}]", fmt::join(plan.stage_layers, ", ")), "layers do not go in evenly");
  if (s.expert > 1) out += key_line(fmt::format("expert = {}", s.expert));
  return out + key_line(fmt::format("zero = {}", s.zero), "ZeRO stage: 1 shards the optimizer over data-parallel ranks");
}

std::string job_sections(const InitAnswers& a, const TrainingPlan& plan) {
  const SplitAnswer& s = plan.split;
  const std::uint32_t replicas = *a.gpus / (s.tensor * s.context * s.pipeline);
  return "\n[model]\n" + key_line(fmt::format("preset = \"{}\"", *a.model), "railyard catalog models lists others") +
         "\n[training]\n" +
         key_line(fmt::format("global_batch = {}", plan.global_batch),
                  fmt::format("assumed: {} sequences for each of {} replicas", plan.global_batch / replicas, replicas)) +
         key_line("micro_batch = 1", "assumed") + key_line("precision = \"bf16\"", "assumed") +
         key_line(fmt::format("recompute = \"{}\"", name_of(plan.recompute)), "activations that are computed again") +
         parallel_section(plan);
}

std::string head(const InitAnswers& a) {
  return comment(
             "A cluster as railyard init was told of it. Change what is not so: railyard check finds mistakes, railyard keys "
             "lists all that can be said.") +
         key_line(fmt::format("name = \"{} on {} {} over {}\"", *a.model, format_count(*a.gpus), *a.gpu, spoken(*a.transport)));
}

}  // namespace

std::string scenario_text(const InitAnswers& answers, const TrainingPlan& plan, const Catalog& catalog) {
  return head(answers) + job_sections(answers, plan) + cluster_section(answers) + fabric_section(answers, catalog) +
         transport_section(answers) + engine_section();
}

std::string network_text(const InitAnswers& answers, const Catalog& catalog) {
  return "name = \"network\"\n[collective]\nkind = \"all_reduce\"\nsizes = [\"1 MiB\"]\n" + cluster_section(answers) +
         fabric_section(answers, catalog) + transport_section(answers) + engine_section();
}

Result<Scenario> read_text_of_init(const std::string& text, const Catalog& catalog) {
  return load_scenario(std::filesystem::path(kInitFile), catalog, {},
                       [&](const std::filesystem::path&) -> Result<std::string> { return text; });
}

}  // namespace railyard
