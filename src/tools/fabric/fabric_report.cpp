#include "tools/fabric/fabric_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity_text.h"

namespace railyard {

namespace {

std::string range(std::uint32_t least, std::uint32_t most) {
  return least == most ? format_count(most) : fmt::format("{} to {}", least, format_count(most));
}

std::string watts_text(double watts) {
  if (watts >= 1e6) return fmt::format("{:.2f} MW", watts / 1e6);
  return watts >= 1e4 ? fmt::format("{:.1f} kW", watts / 1e3) : fmt::format("{:.0f} W", watts);
}

std::string percent(double share) {
  if (share > 0 && share < 1e-4) return "< 0.01 %";
  return fmt::format("{:.{}f} %", share * 100, share < 0.01 ? 2 : 1);
}

std::string latency_text(const PairClass& c) {
  const std::string least = format(c.latency_least), most = format(c.latency_most);
  return least == most ? least : least + " to " + most;
}

TextTable what_it_is(const FabricSummary& s) {
  TextTable table{{"what it is", ""}, {}, {}};
  const auto row = [&](const char* what, std::string value) { table.rows.push_back({what, std::move(value)}); };
  row("topology", std::string(name_of(s.topology)));
  row("GPUs", format_count(s.gpus));
  row("servers", s.gpus_per_server == 1 ? format_count(s.servers)
                                        : fmt::format("{}, {} GPUs each", format_count(s.servers), s.gpus_per_server));
  if (s.topology == Topology::file)
    row("first GPU", s.gpu_rate == BitsPerSecond::zero() ? "no link to a switch" : format(s.gpu_rate));
  else
    row("NICs", fmt::format("{:g} a GPU{}, {} × {}: {} a GPU", s.nics_per_gpu,
                            s.host_nics > 0 ? fmt::format(" and {} a server", s.host_nics) : "", s.ports_per_nic,
                            format(s.port_rate), format(s.gpu_rate)));
  if (s.rails > 1) row("rails", format_count(s.rails));
  if (s.planes > 1) row(s.topology == Topology::dual_tor ? "leaf switches a NIC" : "planes", format_count(s.planes));
  if (s.pods > 1) row("pods", format_count(s.pods));
  if (s.scale_up.domain > 1)
    row("scale-up domain", fmt::format("{} GPUs, {}, {} a GPU, {}", s.scale_up.domain,
                                       s.scale_up.wiring == ScaleUpWiring::mesh ? "mesh" : "switched", format(s.scale_up.rate),
                                       format(s.scale_up.latency)));
  else if (s.scale_up_switches > 0 || s.bill_of_materials.scale_up_links > 0)
    row("scale-up", fmt::format("{} switches, {} links, as drawn", format_count(s.scale_up_switches),
                                format_count(s.bill_of_materials.scale_up_links)));
  return table;
}

TextTable switches_table(const FabricSummary& s) {
  TextTable table{{"switches", "count", "ports used", "free", "down:up as built"},
                  {Align::left, Align::right, Align::right, Align::right, Align::left},
                  {}};
  for (const SwitchTier& tier : s.switches) {
    std::string ratio = ratio_text(tier.oversubscription_most);
    if (tier.oversubscription_least && *tier.oversubscription_most - *tier.oversubscription_least > 0.005)
      ratio += fmt::format(" (least {})", ratio_text(tier.oversubscription_least));
    table.rows.push_back({tier_name(tier.kind, s.topology), format_count(tier.switches),
                          range(tier.used_least, tier.used_most) + (tier.radix ? fmt::format(" of {}", *tier.radix) : ""),
                          tier.radix ? range(*tier.radix - std::min(*tier.radix, tier.used_most),
                                             *tier.radix - std::min(*tier.radix, tier.used_least))
                                     : "?",
                          ratio});
  }
  return table;
}

TextTable cables_table(const FabricSummary& s) {
  TextTable table{{"cables", "count", "rate", "per direction", "medium", "both ends", "status"},
                  {Align::left, Align::right, Align::right, Align::right, Align::left, Align::right, Align::left},
                  {}};
  for (const CableTier& tier : s.bill_of_materials.cables)
    table.rows.push_back({std::string(name_of(tier.tier, s.topology)), format_count(tier.cables), format(tier.rate),
                          bandwidth_text(tier.bandwidth_gbps()), tier.medium.empty() ? "?" : tier.medium,
                          tier.watts ? watts_text(*tier.watts) : "?", tier.watts ? std::string(name_of(tier.status)) : ""});
  return table;
}

std::string lengths(const FabricSummary& s) {
  if (s.topology == Topology::file) return "Lengths follow from the delays that were drawn.";
  const BillOfMaterials& list = s.bill_of_materials;
  const char* status = list.length_status == Status::given ? "given" : "assumed: fabric.cable says otherwise";
  const auto other = [&](const CableTier& tier) { return tier.length != list.length; };
  if (std::none_of(list.cables.begin(), list.cables.end(), other))
    return fmt::format("Every cable is {} long ({}).", format(list.length), status);
  std::vector<std::string> tiers;
  for (const CableTier& tier : list.cables)
    tiers.push_back(fmt::format("{} from {}", format(tier.length), name_of(tier.tier, s.topology)));
  return fmt::format("Lengths of cables: {} ({}).", fmt::join(tiers, ", "), status);
}

std::string bill_of_materials_text(const FabricSummary& s) {
  const std::uint64_t boxes = s.bill_of_materials.all_switches();
  const std::optional<double> watts = s.bill_of_materials.all_switch_watts();
  std::string text =
      fmt::format("In all {} switch{} and {} cables with {} optical ends", format_count(boxes), boxes == 1 ? "" : "es",
                  format_count(s.bill_of_materials.all_cables()), format_count(s.bill_of_materials.optical_ends()));
  if (s.bill_of_materials.optics_watts() > 0)
    text += fmt::format("; cables and optics draw {}, {:.1f} W a GPU", watts_text(s.bill_of_materials.optics_watts()),
                        s.bill_of_materials.optics_watts() / s.gpus);
  text += watts ? fmt::format("; switches draw {} ({}).", watts_text(*watts), name_of(s.bill_of_materials.switch_status))
                : std::string("; the catalog has no power of the switches.");
  text += " " + lengths(s) +
          " Copper is taken between hosts and leaves up to 3 m, the optics with the shortest sufficient reach elsewhere.";
  if (s.bill_of_materials.copper_watts)
    text += fmt::format(" With hosts that near, their cables would draw {}.", watts_text(*s.bill_of_materials.copper_watts));
  for (const CableTier& tier : s.bill_of_materials.cables)
    if (tier.links_per_cable > 1)
      text += fmt::format(" {} carries {} links of {} here.", tier.medium, tier.links_per_cable, format(tier.rate));
    else if (tier.medium.empty())
      text += fmt::format(" The catalog has no cable or transceiver for {} over {}.", format(tier.rate), format(tier.length));
  return text;
}

std::string bisection_text(const FabricSummary& s) {
  const Bisection& b = s.bisection;
  std::string tiers;
  for (const Tier tier : b.where) tiers += (tiers.empty() ? "" : ", ") + std::string(name_of(tier, s.topology));
  return fmt::format(
      "The first {} GPUs against the other {}, servers in order: {} per direction, {} a GPU, {:.1f} % of the {} that the NICs "
      "of one "
      "half "
      "carry. Minimum cut: {}.",
      format_count(b.gpus_here), format_count(b.gpus_there), bandwidth_text(b.bandwidth_gbps), bandwidth_text(b.per_gpu_gbps()),
      b.share() * 100, bandwidth_text(b.ideal_gbps), tiers.empty() ? "none" : tiers);
}

TextTable pairs_table(const FabricSummary& s) {
  TextTable table{
      {"pairs of GPUs", "share", "switches", "64 bytes"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const PairClass& c : s.pairs)
    table.rows.push_back({c.name, percent(c.share), std::to_string(c.switches), latency_text(c)});
  return table;
}

Document number(double value) { return Document(value); }
Document integer(std::uint64_t value) { return Document(static_cast<std::int64_t>(value)); }
Document text(std::string_view value) { return Document(std::string(value)); }
double gbps(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 1e9; }

Document switches_document(const FabricSummary& s) {
  Document all = Document::array();
  for (const SwitchTier& tier : s.switches) {
    Document one = Document::object();
    one.set("tier", text(name_of(tier.kind)));
    one.set("switches", integer(tier.switches));
    one.set("groups", integer(tier.groups));
    one.set("ports_used_min", integer(tier.used_least));
    one.set("ports_used_max", integer(tier.used_most));
    if (tier.radix) one.set("radix", integer(*tier.radix));
    if (tier.oversubscription_most) {
      one.set("oversubscription", number(*tier.oversubscription_most));
      one.set("oversubscription_min", number(*tier.oversubscription_least));
    }
    all.push(std::move(one));
  }
  return all;
}

Document cables_document(const FabricSummary& s) {
  Document all = Document::array();
  for (const CableTier& tier : s.bill_of_materials.cables) {
    Document one = Document::object();
    one.set("tier", text(name_of(tier.tier, s.topology)));
    one.set("cables", integer(tier.cables));
    one.set("rate_gbps", number(gbps(tier.rate)));
    one.set("bandwidth_gbps", number(tier.bandwidth_gbps()));
    one.set("length_m", number(static_cast<double>(tier.length.count()) / 1000));
    if (!tier.medium.empty()) {
      one.set("medium", text(tier.medium));
      one.set("kind", text(name_of(tier.kind)));
    }
    if (tier.watts) {
      one.set("power_w", number(*tier.watts));
      one.set("power_status", text(name_of(tier.status)));
    }
    all.push(std::move(one));
  }
  return all;
}

Document pairs_document(const FabricSummary& s) {
  Document all = Document::array();
  for (const PairClass& c : s.pairs) {
    Document one = Document::object();
    one.set("class", text(c.name));
    one.set("share", number(c.share));
    one.set("switches", integer(c.switches));
    one.set("latency_us", number(microseconds(c.latency_least)));
    one.set("latency_max_us", number(microseconds(c.latency_most)));
    all.push(std::move(one));
  }
  return all;
}

Document bisection_document(const Bisection& b, Topology topology) {
  Document out = Document::object();
  out.set("gpus", integer(b.gpus_here));
  out.set("bandwidth_gbps", number(b.bandwidth_gbps));
  out.set("ideal_gbps", number(b.ideal_gbps));
  out.set("per_gpu_gbps", number(b.per_gpu_gbps()));
  out.set("share", number(b.share()));
  Document where = Document::array();
  for (const Tier tier : b.where) where.push(text(name_of(tier, topology)));
  out.set("where", std::move(where));
  return out;
}

Document identity_document(const FabricSummary& s) {
  Document out = Document::object();
  out.set("schema", text("railyard-fabric/1"));
  out.set("name", text(s.name));
  out.set("topology", text(name_of(s.topology)));
  out.set("gpus", integer(s.gpus));
  out.set("servers", integer(s.servers));
  out.set("gpus_per_server", integer(s.gpus_per_server));
  out.set("nics_per_gpu", number(s.nics_per_gpu));
  out.set("host_nics", integer(s.host_nics));
  out.set("ports_per_nic", integer(s.ports_per_nic));
  out.set("port_gbps", number(gbps(s.port_rate)));
  out.set("gpu_gbps", number(gbps(s.gpu_rate)));
  out.set("rails", integer(s.rails));
  out.set("planes", integer(s.planes));
  out.set("pods", integer(s.pods));
  if (s.scale_up.domain > 1) {
    Document up = Document::object();
    up.set("gpus", integer(s.scale_up.domain));
    up.set("wiring", text(name_of(s.scale_up.wiring)));
    up.set("gpu_gbps", number(gbps(s.scale_up.rate)));
    up.set("latency_us", number(microseconds(s.scale_up.latency)));
    out.set("scale_up", std::move(up));
  }
  return out;
}

Document totals_document(const FabricSummary& s) {
  Document totals = Document::object();
  totals.set("switches", integer(s.bill_of_materials.all_switches()));
  totals.set("cables", integer(s.bill_of_materials.all_cables()));
  totals.set("optical_ends", integer(s.bill_of_materials.optical_ends()));
  totals.set("optics_w", number(s.bill_of_materials.optics_watts()));
  if (const std::optional<double> watts = s.bill_of_materials.all_switch_watts()) {
    totals.set("switches_w", number(*watts));
    totals.set("switches_w_status", text(name_of(s.bill_of_materials.switch_status)));
  }
  return totals;
}

}  // namespace

std::string ratio_text(const std::optional<double>& ratio) {
  if (!ratio) return "–";
  return fmt::format("{:.3g}:1", *ratio);
}

std::string bandwidth_text(double gbps) {
  if (gbps >= 1e6) return fmt::format("{:.4g} Pb/s", gbps / 1e6);
  return gbps >= 1e3 ? fmt::format("{:.4g} Tb/s", gbps / 1e3) : fmt::format("{:.4g} Gb/s", gbps);
}

Report fabric_report(const FabricSummary& s) {
  Report report{s.name, {{"", {what_it_is(s)}}, {"Tiers", {switches_table(s)}}}};
  report.sections.push_back({"Cables and power", {cables_table(s), bill_of_materials_text(s)}});
  report.sections.push_back({"Bisection", {bisection_text(s)}});
  Report::Section far{"How far apart", {pairs_table(s)}};
  if (s.pairs_sampled) far.blocks.emplace_back(std::string("Shares are of half a million pairs drawn at random."));
  report.sections.push_back(std::move(far));
  Report::Section warnings{"Warnings", {}};
  for (const std::string& sentence : s.warnings) warnings.blocks.emplace_back(sentence);
  if (!s.warnings.empty()) report.sections.push_back(std::move(warnings));
  return report;
}

Document fabric_document(const FabricSummary& s) {
  Document out = identity_document(s);
  out.set("switches", switches_document(s));
  out.set("cables", cables_document(s));
  out.set("totals", totals_document(s));
  out.set("bisection", bisection_document(s.bisection, s.topology));
  out.set("pairs", pairs_document(s));
  out.set("pairs_sampled", Document(s.pairs_sampled));
  Document warnings = Document::array();
  for (const std::string& sentence : s.warnings) warnings.push(text(sentence));
  out.set("warnings", warnings);
  out.set("odd", std::move(warnings));  // the old name, for one version
  return out;
}

}  // namespace railyard
