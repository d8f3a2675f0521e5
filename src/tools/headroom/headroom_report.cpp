#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "tools/headroom/headroom.h"
#include "tools/headroom/shipped_profiles.h"

namespace railyard {

namespace {

std::string count(double bytes) { return format_count(static_cast<std::uint64_t>(bytes + 0.5)) + " B"; }
std::string count(Bytes bytes) { return count(static_cast<double>(bytes.count())); }

std::string answer(const HeadroomSheet& s) {
  return fmt::format("A port of {} with {} of cable and frames of up to {} needs {} of headroom for each lossless priority{}.",
                     format(s.speed), format(s.cable), format(s.mtu), count(s.used),
                     s.used > s.formula
                         ? fmt::format(": what can still arrive, more than the {} of the usual formula", count(s.formula))
                     : s.spectrum ? ", by SONiC's formula for Spectrum"
                                  : ", by the usual formula");
}

/// Buffer of a Tomahawk comes in cells; the smallest frame fills one, and is longer on the wire than in the buffer.
constexpr std::int64_t kTomahawkCell = 254, kSmallestOnWire = 84;

/// What a figure in whole cells means in bytes on the wire, where every packet is the smallest.
std::string cells_text(const HeadroomSheet& s) {
  const Bytes xoff = s.shipped->xoff;
  if (!s.asked.chip.starts_with("Tomahawk") || xoff.count() % kTomahawkCell != 0) return {};
  const double on_wire = static_cast<double>(xoff.count()) * kSmallestOnWire / kTomahawkCell;
  return fmt::format(
      " It is {} cells of {} B. If all packets were the smallest, each would fill one, and {} B on the wire take {} B: so it "
      "holds {} of them, {:.1f} × what the rule above has for {}.",
      format_count(static_cast<std::uint64_t>(xoff.count() / kTomahawkCell)), kTomahawkCell, kSmallestOnWire, kTomahawkCell,
      count(on_wire), on_wire / static_cast<double>(s.shipped_needs.count()), format(s.shipped->cable));
}

/// What a vendor ships, and why it differs.
std::string shipped_text(const HeadroomSheet& s) {
  if (!s.shipped)
    return s.asked.chip.empty() ? "Name a switch (--switch) to see what is shipped for it."
                                : fmt::format("No profile of SONiC for {} at {} is known here.", s.asked.chip, format(s.speed));
  const ShippedProfile& p = *s.shipped;
  const double ratio = static_cast<double>(p.xoff.count()) / static_cast<double>(s.used.count());
  std::string text = fmt::format("{} ships {} for {} of cable ({}): {:.1f} × that.", p.device, count(p.xoff), format(p.cable),
                                 kShippedSource, ratio);
  const bool same =
      std::all_of(s.all_shipped.begin(), s.all_shipped.end(), [&](const ShippedProfile& one) { return one.xoff == p.xoff; });
  if (s.all_shipped.size() > 1 && same) text += " It is one figure for all cables.";
  if (ratio < 0.9)
    text += s.cable > p.cable ? " It is for a shorter cable than yours."
                              : " Headroom is shared there between ports, which do not all need it at once.";
  text += cells_text(s);
  if (s.longest) text += fmt::format(" By the rule above it is enough for {} of cable.", format(*s.longest));
  return text;
}

TextTable terms_table(const HeadroomSheet& s) {
  TextTable table{{"bytes", "what they are"}, {Align::right}, {}};
  for (const HeadroomTerm& term : s.terms) table.rows.push_back({count(term.bytes), term.what});
  table.rows.push_back({count(s.formula), s.spectrum ? "all, in whole KiB" : "all"});
  table.rows.push_back({count(s.needed), "what can arrive at most, frame by frame, as packets are simulated"});
  return table;
}

TextTable shipped_table(const HeadroomSheet& s) {
  TextTable table{{"device", "cable", "size", "xon", "xoff", "xon offset"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const ShippedProfile& p : s.all_shipped)
    table.rows.push_back(
        {p.device, format(p.cable), count(p.size), count(p.xon), count(p.xoff), p.xon_offset ? count(*p.xon_offset) : "–"});
  return table;
}

TextTable uses_table(const HeadroomSheet& s) {
  TextTable table{{"lossless priorities", "headroom", "of the buffer", "left to share"},
                  {Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const BufferUse& use : s.uses) {
    const double share = static_cast<double>(use.headroom.count()) / static_cast<double>(s.buffer->count());
    table.rows.push_back({std::to_string(use.priorities) + (use.priorities == s.asked.priorities ? " (asked)" : ""),
                          format(use.headroom), fmt::format("{:.0f} %", share * 100),
                          use.shared == Bytes::zero() ? "nothing: it does not fit" : format(use.shared)});
  }
  return table;
}

}  // namespace

Report headroom_report(const HeadroomSheet& s) {
  Report report{fmt::format("PFC headroom{}", s.asked.chip.empty() ? "" : " of " + s.asked.chip), {}};
  report.sections.push_back({"", {answer(s), shipped_text(s)}});
  report.sections.push_back({"What it is made of", {terms_table(s)}});
  if (!s.all_shipped.empty()) report.sections.push_back({fmt::format("Shipped at {}", format(s.speed)), {shipped_table(s)}});
  if (!s.uses.empty())
    report.sections.push_back({fmt::format("{} ports of {} and a buffer of {}", s.ports, format(s.speed), format(*s.buffer)),
                               {uses_table(s), std::string("Headroom is set aside for every lossless priority of every port, "
                                                           "used or not; what is left is shared by all queues.")}});
  return report;
}

Document headroom_document(const HeadroomSheet& s) {
  const auto bytes = [](Bytes size) { return Document(size.count()); };
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-headroom/1")));
  out.set("switch", Document(s.asked.chip));
  out.set("speed_gbps", Document(static_cast<double>(s.speed.count()) / 1e9));
  out.set("cable_m", Document(static_cast<double>(s.cable.count()) / 1e3));
  out.set("mtu", bytes(s.mtu));
  out.set("headroom", bytes(s.used));
  out.set("by_formula", bytes(s.formula));
  out.set("can_arrive", bytes(s.needed));
  Document& terms = out.set("terms", Document::array());
  for (const HeadroomTerm& term : s.terms) {
    Document& one = terms.push(Document::object());
    one.set("what", Document(term.what));
    one.set("bytes", Document(term.bytes));
  }
  Document& shipped = out.set("shipped", Document::array());
  for (const ShippedProfile& p : s.all_shipped) {
    Document& one = shipped.push(Document::object());
    one.set("device", Document(p.device));
    one.set("cable_m", Document(static_cast<double>(p.cable.count()) / 1e3));
    one.set("size", bytes(p.size));
    one.set("xon", bytes(p.xon));
    one.set("xoff", bytes(p.xoff));
    if (p.xon_offset) one.set("xon_offset", bytes(*p.xon_offset));
  }
  if (s.longest) out.set("longest_cable_m", Document(static_cast<double>(s.longest->count()) / 1e3));
  if (s.buffer) out.set("buffer", bytes(*s.buffer));
  out.set("ports", Document(std::int64_t{s.ports}));
  Document& uses = out.set("uses", Document::array());
  for (const BufferUse& use : s.uses) {
    Document& one = uses.push(Document::object());
    one.set("priorities", Document(std::int64_t{use.priorities}));
    one.set("headroom", bytes(use.headroom));
    one.set("shared", bytes(use.shared));
  }
  return out;
}

}  // namespace railyard
