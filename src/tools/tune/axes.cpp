#include "tools/tune/axes.h"

#include <fmt/format.h>

#include <set>

#include "base/choice.h"

namespace railyard {

namespace {

/// Exactly: what a scenario reads again is the same.
std::string size_text(Bytes size) {
  const std::int64_t bytes = size.count();
  if (bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return bytes % 1000 == 0 ? fmt::format("{} KB", bytes / 1000) : fmt::format("{} B", bytes);
}

/// What there is, then others; the same twice is left out.
class AxisWriter {
 public:
  AxisWriter(std::string name, std::string text, std::vector<std::string> set) : axis_{std::move(name), {}} {
    add(std::move(text), std::move(set));
  }
  void add(std::string text, std::vector<std::string> set) {
    if (seen_.insert(text).second) axis_.values.push_back({std::move(text), std::move(set)});
  }
  [[nodiscard]] Axis take() { return std::move(axis_); }

 private:
  Axis axis_;
  std::set<std::string> seen_;
};

/// Both thresholds together: which are sensible depends on each other.
Axis marking(const EcnPlan& ecn) {
  const auto pair_of = [](Bytes kmin, Bytes kmax) {
    return std::pair{
        fmt::format("{} to {}", size_text(kmin), size_text(kmax)),
        std::vector<std::string>{"transport.ecn.kmin=" + size_text(kmin), "transport.ecn.kmax=" + size_text(kmax)}};
  };
  const auto [text, set] = pair_of(ecn.kmin, ecn.kmax);
  AxisWriter axis("ECN thresholds", text, set);
  for (const Bytes kmin : {128_KiB, 256_KiB, 512_KiB, 1_MiB, 2_MiB, 4_MiB, 8_MiB})
    for (const std::int64_t factor : {2, 4, 8}) {
      const auto [words, keys] = pair_of(kmin, kmin * factor);
      axis.add(words, keys);
    }
  return axis.take();
}

template<class Value, class Text>
Axis one_key(const std::string& name, const std::string& key, Value own, const std::vector<Value>& others, Text text) {
  AxisWriter axis(name, text(own), {key + "=" + text(own)});
  for (const Value& other : others) axis.add(text(other), {key + "=" + text(other)});
  return axis.take();
}

std::string number_text(double value) { return fmt::format("{:g}", value); }
std::string time_text(Picoseconds value) { return fmt::format("{:g} us", static_cast<double>(value.count()) / 1e6); }
std::string rate_text(BitsPerSecond value) { return fmt::format("{:g} Mb/s", static_cast<double>(value.count()) / 1e6); }

/// How far a rate falls: at the first CNP, and by how much at the next ones.
void add_cuts(const DcqcnPlan& d, BitsPerSecond line, std::vector<Axis>& out) {
  const std::string section = "transport.dcqcn.";
  const auto count = [](std::uint32_t value) { return std::to_string(value); };
  out.push_back(one_key<BitsPerSecond>(
      "rate_to_set_on_first_cnp", section + "rate_to_set_on_first_cnp", d.rate_to_set_on_first_cnp,
      {BitsPerSecond(line.count() / 16), BitsPerSecond(line.count() / 8), BitsPerSecond(line.count() / 4)}, rate_text));
  out.push_back(one_key<std::uint32_t>("dce_tcp_g", section + "dce_tcp_g", d.dce_tcp_g, {960, 1008, 1019}, count));
  out.push_back(one_key<std::uint32_t>("rpg_min_dec_fac", section + "rpg_min_dec_fac", d.rpg_min_dec_fac, {50, 70, 90}, count));
}

void add_dcqcn(const DcqcnPlan& d, std::vector<Axis>& out) {
  const std::string section = "transport.dcqcn.";
  out.push_back(one_key<Picoseconds>("rpg_time_reset", section + "rpg_time_reset", d.rpg_time_reset,
                                     {20_us, 35_us, 55_us, 100_us, 170_us, 300_us, 900_us}, time_text));
  out.push_back(one_key<BitsPerSecond>("rpg_ai_rate", section + "rpg_ai_rate", d.rpg_ai_rate,
                                       {5_Mbps, 50_Mbps, 200_Mbps, BitsPerSecond(1'000'000'000)}, rate_text));
  out.push_back(one_key<BitsPerSecond>("rpg_hai_rate", section + "rpg_hai_rate", d.rpg_hai_rate,
                                       {50_Mbps, 500_Mbps, BitsPerSecond(2'000'000'000)}, rate_text));
  out.push_back(one_key<Picoseconds>("rate_reduce_monitor_period", section + "rate_reduce_monitor_period",
                                     d.rate_reduce_monitor_period, {4_us, 16_us, 50_us}, time_text));
  out.push_back(one_key<Picoseconds>("min_time_between_cnps", section + "min_time_between_cnps", d.min_time_between_cnps,
                                     {4_us, 16_us, 50_us}, time_text));
}

void add_spreading(const RoutingPlan& routing, std::vector<Axis>& out) {
  if (routing.policy != RoutingPolicy::ecmp && routing.policy != RoutingPolicy::enhanced_ecmp) return;
  const auto count = [](std::uint32_t value) { return std::to_string(value); };
  out.push_back(
      one_key<std::uint32_t>("queue pairs", "transport.qps_per_connection", routing.qps_per_connection, {1, 2, 4, 8}, count));
  const auto name = [](RoutingPolicy policy) { return std::string(name_of(policy)); };
  out.push_back(one_key<RoutingPolicy>("hashing", "routing.policy", routing.policy,
                                       {RoutingPolicy::ecmp, RoutingPolicy::enhanced_ecmp}, name));
}

}  // namespace

std::vector<Axis> tune_axes(const Scenario& s) {
  std::vector<Axis> out;
  const bool reacts = s.transport.control == CongestionControl::dcqcn && s.packet.dcqcn.enabled;
  if (reacts && s.packet.ecn.enabled) {
    out.push_back(marking(s.packet.ecn));
    out.push_back(one_key<double>("pmax", "transport.ecn.pmax", s.packet.ecn.pmax, {0.01, 0.05, 0.2, 1.0}, number_text));
  }
  if (s.packet.pfc.enabled && !s.packet.buffer.xoff)
    out.push_back(one_key<double>("PFC alpha", "transport.pfc.alpha", s.packet.buffer.alpha,
                                  {0.0625, 0.125, 0.25, 0.5, 1.0, 2.0}, number_text));
  if (reacts) add_dcqcn(s.packet.dcqcn, out);
  if (reacts) add_cuts(s.packet.dcqcn, s.fabric.link_rate, out);
  add_spreading(s.routing, out);
  return out;
}

}  // namespace railyard
