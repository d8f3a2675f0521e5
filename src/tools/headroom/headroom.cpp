#include "tools/headroom/headroom.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/quantity_text.h"
#include "plan/headroom.h"
#include "tools/headroom/shipped_profiles.h"

namespace railyard {

namespace {

Diagnostic wrong_flag(const char* flag, std::string message, std::string hint) {
  return {Severity::error, "RY-HDR-001", std::move(message), std::move(hint), SourceSpan{flag, 0, 0}};
}

/// "400G" and "9216" as operators write them, else with a unit.
template<class Q>
Parsed<Q> read(const std::string& text, std::string_view unit, std::string_view short_unit) {
  const bool bare = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
  const bool shortened = text.size() > 1 && text.ends_with(short_unit) && !short_unit.empty() &&
                         text.find_first_not_of("0123456789.") == text.size() - short_unit.size();
  if (bare) return parse_quantity<Q>(text + " " + std::string(unit));
  if (shortened) return parse_quantity<Q>(text.substr(0, text.size() - short_unit.size()) + " " + std::string(unit));
  return parse_quantity<Q>(text);
}

template<class Q>
std::optional<Q> flag(const char* name, const Parsed<Q>& parsed, const std::string& text, Diagnostics& wrong) {
  if (parsed && *parsed > Q(0)) return *parsed;
  wrong.push_back(wrong_flag(name, fmt::format("{} = '{}' {}", name, text, parsed ? "is nothing" : parsed.error()),
                             "write it as in --speed 400G --cable 100m --mtu 9216"));
  return std::nullopt;
}

/// The chip that was named, if one was.
const Entry<SwitchFact>* chip_of(const HeadroomRequest& request, const Catalog& catalog, Diagnostics& wrong) {
  if (request.chip.empty()) return nullptr;
  if (const Entry<SwitchFact>* found = catalog.switches.find(request.chip)) return found;
  const std::vector<std::string> names = catalog.switches.names();
  const std::string guess = nearest(request.chip, names);
  wrong.push_back(
      wrong_flag("--switch", fmt::format("the catalog has no switch '{}'", request.chip),
                 guess.empty() ? "railyard catalog switches lists them" : fmt::format("did you mean '{}'?", guess)));
  return nullptr;
}

PacketPlan plan_of(const HeadroomSheet& sheet, const Entry<SwitchFact>* chip) {
  PacketPlan plan;
  plan.headroom.port_mtu = sheet.mtu;
  plan.headroom.packet = std::min(plan.headroom.packet, sheet.mtu);
  if (sheet.asked.small_packets) plan.headroom.small_packets = *sheet.asked.small_packets;
  if (chip && chip->fact.cell) plan.headroom.cell = *chip->fact.cell;
  if (chip && chip->fact.tile_latency) plan.headroom.tile = *chip->fact.tile_latency;
  return plan;
}

std::vector<HeadroomTerm> terms_of(const HeadroomSheet& sheet, const PacketPlan& plan) {
  const Picoseconds away = propagation_time(sheet.cable);
  const double cable = 2 * seconds(away) * static_cast<double>(sheet.speed.count()) / 8;
  const double response = seconds(pause_response(plan, sheet.speed)) * static_cast<double>(sheet.speed.count()) / 8;
  if (!sheet.spectrum)
    return {{"on the cable, both ways", cable},
            {"until the other end obeys", response},
            {"a frame the pause waits for, and one that has begun", 2.0 * static_cast<double>(sheet.mtu.count())},
            {"the pause frame", static_cast<double>(plan.pfc.frame.count())}};
  const SpectrumTerms t = spectrum_terms(plan, sheet.speed, away);
  const double passing = t.port_mtu + t.cable + kSpectrumMacAndPhy + t.peer + t.tile;
  return {{"on the cable, both ways", t.cable},
          {"until the other end obeys", t.peer},
          {"in tiles, MAC and PHY", t.tile + kSpectrumMacAndPhy},
          {"a frame of any class", t.port_mtu},
          {fmt::format("small packets that fill cells of {} each: {:.2f} times all of that", format(plan.headroom.cell),
                       t.occupancy),
           passing * (t.occupancy - 1)},
          {"a packet of the class", t.lossless_mtu}};
}

/// The profile for this speed and the shortest cable that is as long; the longest there is where none is.
void find_shipped(HeadroomSheet& sheet) {
  for (const ShippedProfile& profile : shipped_profiles()) {
    if (profile.chip != sheet.asked.chip || profile.speed != sheet.speed) continue;
    sheet.all_shipped.push_back(profile);
    if (profile.cable >= sheet.cable && (!sheet.shipped || profile.cable < sheet.shipped->cable)) sheet.shipped = profile;
  }
  if (!sheet.shipped && !sheet.all_shipped.empty()) sheet.shipped = sheet.all_shipped.back();
}

/// The longest cable, in metres, for which `room` is enough.
std::optional<Millimetres> longest_cable(const PacketPlan& plan, BitsPerSecond speed, Bytes room) {
  const auto fits = [&](std::int64_t metres) {
    return headroom_of(plan, speed, propagation_time(Millimetres(metres * 1'000))) <= room;
  };
  if (!fits(1)) return std::nullopt;
  std::int64_t least = 1, most = 200'000;
  while (most - least > 1) (fits((least + most) / 2) ? least : most) = (least + most) / 2;
  return Millimetres(least * 1'000);
}

std::vector<BufferUse> uses_of(const HeadroomSheet& sheet) {
  std::vector<std::uint32_t> counts{1, 2, 4, 8};
  if (std::find(counts.begin(), counts.end(), sheet.asked.priorities) == counts.end()) counts.push_back(sheet.asked.priorities);
  std::sort(counts.begin(), counts.end());
  std::vector<BufferUse> uses;
  for (const std::uint32_t n : counts) {
    const Bytes all = sheet.used * (std::int64_t{n} * sheet.ports);
    uses.push_back({n, all, *sheet.buffer > all ? *sheet.buffer - all : Bytes::zero()});
  }
  return uses;
}

}  // namespace

Result<HeadroomSheet> headroom_sheet(const HeadroomRequest& request, const Catalog& catalog) {
  Diagnostics wrong;
  HeadroomSheet sheet;
  sheet.asked = request;
  const auto speed = flag("--speed", read<BitsPerSecond>(request.speed, "Gb/s", "G"), request.speed, wrong);
  const auto cable = flag("--cable", read<Millimetres>(request.cable, "m", "m"), request.cable, wrong);
  const auto mtu = flag("--mtu", read<Bytes>(request.mtu, "B", ""), request.mtu, wrong);
  const Entry<SwitchFact>* chip = chip_of(request, catalog, wrong);
  if (chip && speed && *speed > chip->fact.port_rate)
    wrong.push_back(wrong_flag("--speed", fmt::format("{} has no port of {}", chip->name, format(*speed)),
                               fmt::format("its fastest is {}", format(chip->fact.port_rate))));
  if (!wrong.empty()) return wrong;
  sheet.speed = *speed, sheet.cable = *cable, sheet.mtu = *mtu;
  sheet.spectrum = chip && chip->fact.cell;
  const PacketPlan plan = plan_of(sheet, chip);
  const Picoseconds away = propagation_time(sheet.cable);
  sheet.terms = terms_of(sheet, plan);
  sheet.formula = headroom_by_formula(plan, sheet.speed, away);
  sheet.needed = headroom_at_least(plan, sheet.speed, away);
  sheet.used = headroom_of(plan, sheet.speed, away);
  find_shipped(sheet);
  if (sheet.shipped) {
    sheet.longest = longest_cable(plan, sheet.speed, sheet.shipped->xoff);
    sheet.shipped_needs = headroom_of(plan, sheet.speed, propagation_time(sheet.shipped->cable));
  }
  if (!chip) return sheet;
  sheet.ports = request.ports.value_or(static_cast<std::uint32_t>(chip->fact.capacity.count() / sheet.speed.count()));
  sheet.buffer = chip->fact.buffer;
  if (sheet.buffer) sheet.uses = uses_of(sheet);
  return sheet;
}

}  // namespace railyard
