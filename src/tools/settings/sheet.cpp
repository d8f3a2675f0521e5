#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/quantity_text.h"
#include "plan/headroom.h"
#include "tools/settings/sections.h"

namespace railyard {

namespace {

const Device* device_of_kind(const Estate& estate, DeviceKind kind) {
  const auto found =
      std::find_if(estate.devices.begin(), estate.devices.end(), [&](const Device& d) { return d.kind == kind; });
  return found == estate.devices.end() ? nullptr : &*found;
}

std::vector<HeadroomRow> headroom_rows(const Scenario& scenario, const SettingsBase& base) {
  std::vector<HeadroomRow> rows;
  if (base.marks.lossless == 0) return rows;
  for (const SwitchClass& tier : base.switches)
    for (const PortGroup& group : tier.ports)
      rows.push_back({std::string(name_of(tier.role)), group.up, group.count, group.rate, cable_of(group.delay),
                      headroom_of(scenario.packet, group.rate, group.delay)});
  return rows;
}

std::string first_answer(const Scenario& scenario, const SettingsBase& base) {
  const Marks& marks = base.marks;
  const PacketPlan& plan = scenario.packet;
  std::string text =
      fmt::format("Data is marked with DSCP {} and travels in priority {}", marks.data.dscp, marks.data.priority);
  text += marks.lossless != 0 ? ", which PFC pauses" : ", which is lossy";
  if (plan.ecn.enabled) text += fmt::format("; ECN marks it from {} to {}", format(plan.ecn.kmin), format(plan.ecn.kmax));
  if (marks.has_cnp)
    text += fmt::format("; CNPs have DSCP {} and go strictly first in queue {}", marks.cnp.dscp, marks.cnp.priority);
  return text + ".";
}

/// Both in one unit: a buffer that is round in MB would not compare with what is set aside of it.
std::string mebibytes_text(Bytes size) {
  return fmt::format("{:.4g} MiB", static_cast<double>(size.count()) / (1024.0 * 1024.0));
}

std::string headroom_answer(const Scenario& scenario, const SettingsBase& base, const std::vector<HeadroomRow>& rows) {
  const auto most = std::max_element(rows.begin(), rows.end(),
                                     [](const HeadroomRow& a, const HeadroomRow& b) { return a.headroom < b.headroom; });
  if (most == rows.end()) return {};
  Bytes aside;
  for (const SwitchClass& tier : base.switches) aside = std::max(aside, set_aside_by(scenario, base.marks, tier));
  return fmt::format("A port keeps up to {} B of headroom; all ports of a switch set aside {} of {}.",
                     format_count(static_cast<std::uint64_t>(most->headroom.count())), mebibytes_text(aside),
                     mebibytes_text(scenario.packet.buffer.size));
}

/// What is not set where there is no Ethernet.
std::vector<std::string> other_answer(const Scenario& scenario) {
  if (scenario.transport.kind == TransportKind::infiniband)
    return {
        "InfiniBand has no PFC, DSCP or headroom to set: credits keep links lossless, and the subnet manager sets virtual "
        "lanes, "
        "routing and congestion control. What is left for operators are variables of jobs."};
  return {"SRD runs over the cloud's own network, which its operator sets. What is left are variables of jobs."};
}

void find_oddities(const Scenario& scenario, const SettingsBase& base, std::vector<std::string>& remarks) {
  const PacketPlan& plan = scenario.packet;
  const std::size_t tiers = std::min(base.switches.size(), scenario.routing.seeds.size());
  const std::set<std::uint32_t> seeds(scenario.routing.seeds.begin(),
                                      scenario.routing.seeds.begin() + static_cast<std::ptrdiff_t>(tiers));
  if (seeds.size() < tiers)
    remarks.emplace_back("Two tiers have one seed: flows that a leaf sends to one spine are hashed alike there.");
  for (const SwitchClass& tier : base.switches) {
    if (base.marks.lossless == 0 || !plan.ecn.enabled) break;
    if (pause_threshold(scenario, base.marks, tier) > plan.ecn.kmin) continue;
    remarks.push_back(
        fmt::format("A {} pauses before it marks: kmin = {} is above its pause threshold, {}. Lower kmin, or raise alpha.",
                    name_of(tier.role), format(plan.ecn.kmin), format(pause_threshold(scenario, base.marks, tier))));
  }
  if (!base.marks.vendor_known)
    remarks.emplace_back("The scenario names no NIC: marks are those of NVIDIA's. Give cluster.nic for others.");
  if (scenario.transport.kind == TransportKind::roce && !plan.pfc.watchdog && base.marks.lossless != 0)
    remarks.emplace_back("The scenario simulates no watchdog; the sheet sets one all the same. It acts in storms alone.");
  if (scenario.transport.kind == TransportKind::uec)
    remarks.emplace_back(
        "Ultra Ethernet: marks and ECN as here; PFC, CNPs and DCQCN do not apply, trimming is set where switches have it.");
  if (scenario.transport.kind == TransportKind::tcp)
    remarks.emplace_back("TCP: ECN matters to DCTCP alone; PFC, CNPs, DCQCN and the NIC's marks do not apply.");
  if (scenario.fabric.topology == Topology::hybrid)
    remarks.emplace_back("The second part of a hybrid fabric may be InfiniBand, which is not set here.");
}

}  // namespace

Result<SettingsSheet> settings_sheet(const Scenario& scenario, const Catalog& catalog) {
  const Result<SettingsBase> found = settings_base(scenario, catalog);
  if (!found) return found.error();
  const SettingsBase& base = *found;
  SettingsSheet sheet;
  sheet.name = scenario.name;
  sheet.estate = recommended_estate(scenario, base, {});
  const Device* job = device_of_kind(sheet.estate, DeviceKind::job);
  if (is_over_ethernet(scenario)) {
    sheet.headroom = headroom_rows(scenario, base);
    sheet.answer = {first_answer(scenario, base)};
    if (const std::string text = headroom_answer(scenario, base, sheet.headroom); !text.empty()) sheet.answer.push_back(text);
    sheet.sections = {marks_section(scenario, base), pause_section(scenario, base), ecn_section(scenario, base)};
    if (scenario.packet.dcqcn.enabled) sheet.sections.push_back(control_section(scenario));
    sheet.sections.push_back(hash_section(scenario, base));
    if (const Device* host = device_of_kind(sheet.estate, DeviceKind::host))
      sheet.sections.push_back(nic_section(scenario, base, *host));
    find_oddities(scenario, base, sheet.remarks);
  } else {
    sheet.answer = other_answer(scenario);
  }
  if (job && !job->environment.empty()) sheet.sections.push_back(job_section(scenario, base, *job));
  return sheet;
}

}  // namespace railyard
