#include "scenario/resolve/dcqcn_presets.h"

#include <algorithm>
#include <array>

namespace railyard {

namespace {

constexpr std::uint32_t kOneIn256 = 1020;  // g = 1/256 as the weight of the old alpha, in 1/1024

/// `value` that a source has for links of `base`, on links of `rate`.
template<class Q>
Q scaled(Q value, BitsPerSecond base, BitsPerSecond rate) {
  return Q(static_cast<std::int64_t>(Int128(value.count()) * rate.count() / base.count()));
}

constexpr Bytes kilobytes(std::int64_t n) { return Bytes(n * 1000); }

/// HPCC's ns-3 and what was made from it: a CNP is a flag on an ACK, nothing counts bytes, g is 1/256, and a packet fixes when
/// the next one leaves.
DcqcnPlan of_ns3(BitsPerSecond rate) {
  DcqcnPlan plan;
  plan.dce_tcp_rtt = 1_us;
  plan.rate_reduce_monitor_period = 4_us;
  plan.rpg_time_reset = 300_us;
  plan.rpg_byte_reset = 0_B;
  plan.dce_tcp_g = kOneIn256;
  plan.cnp_on_ack = true;
  plan.pacing = RatePacing::at_send;
  plan.min_time_between_cnps = Picoseconds::zero();
  plan.rpg_ai_rate = scaled(5_Mbps, 25_Gbps, rate);
  plan.rpg_hai_rate = scaled(50_Mbps, 25_Gbps, rate);
  plan.rpg_min_rate = 1000_Mbps;
  return plan;
}

EcnPlan ecn(Bytes kmin, Bytes kmax, double pmax) { return {.enabled = true, .kmin = kmin, .kmax = kmax, .pmax = pmax}; }

EcnPlan ecn_of_hpcc(BitsPerSecond rate) {
  return ecn(scaled(kilobytes(100), 25_Gbps, rate), scaled(kilobytes(400), 25_Gbps, rate), 0.2);
}

DcqcnSet hpcc(BitsPerSecond rate) {
  return {of_ns3(rate),
          ecn_of_hpcc(rate),
          {Status::published, "HPCC's simulator, set dcqcn: what its authors got from the vendor"}};
}

DcqcnSet hpcc_paper(BitsPerSecond rate) {
  DcqcnPlan plan = of_ns3(rate);
  plan.dce_tcp_rtt = plan.rate_reduce_monitor_period = 50_us;
  plan.rpg_time_reset = 55_us;
  return {plan, ecn_of_hpcc(rate), {Status::published, "HPCC's simulator, set dcqcn_paper"}};
}

DcqcnSet conweave(BitsPerSecond rate) {
  DcqcnPlan plan = of_ns3(rate);
  plan.rpg_ai_rate = scaled(10_Mbps, 25_Gbps, rate);
  plan.rpg_hai_rate = scaled(25_Mbps, 25_Gbps, rate);
  plan.rpg_min_rate = 100_Mbps;
  return {
      plan, ecn(kilobytes(100), kilobytes(400), 0.2), {Status::published, "ConWeave's simulator; ECN the same at all speeds"}};
}

/// SimAI has thresholds for some speeds; others get those of the nearest, by ratio.
EcnPlan ecn_of_simai(BitsPerSecond rate) {
  struct Row {
    BitsPerSecond rate;
    EcnPlan ecn;
  };
  const std::array<Row, 4> rows = {{{100_Gbps, ecn(kilobytes(400), kilobytes(1600), 0.2)},
                                    {200_Gbps, ecn(kilobytes(300), kilobytes(1200), 0.8)},
                                    {400_Gbps, ecn(kilobytes(800), kilobytes(3200), 0.2)},
                                    {1600_Gbps, ecn(kilobytes(600), kilobytes(2400), 0.2)}}};
  const Row* nearest = &rows.front();
  for (const Row& row : rows) {  // nearer by ratio: rate² beyond the product of the two
    const bool further = Int128(rate.count()) * rate.count() > Int128(nearest->rate.count()) * row.rate.count();
    if (further) nearest = &row;
  }
  return nearest->ecn;
}

DcqcnSet simai(BitsPerSecond rate) {
  DcqcnPlan plan = of_ns3(rate);
  plan.rpg_time_reset = 900_us;
  plan.rpg_ai_rate = 50_Mbps;
  plan.rpg_hai_rate = 100_Mbps;
  plan.rpg_min_rate = 100_Mbps;
  return {
      plan, ecn_of_simai(rate), {Status::published, "config.txt of HPCC's and SimAI's simulators; ECN of the nearest speed"}};
}

DcqcnSet paper(BitsPerSecond rate) {
  DcqcnPlan plan;
  plan.clamp_tgt_rate = true;  // every cut lowers the target
  plan.dce_tcp_rtt = 55_us;
  plan.rpg_time_reset = 55_us;
  plan.rpg_byte_reset = Bytes(10'000'000);
  plan.rate_reduce_monitor_period = plan.min_time_between_cnps = 50_us;  // a cut per CNP
  plan.rpg_threshold = 5;
  plan.dce_tcp_g = kOneIn256;
  plan.rpg_ai_rate = 40_Mbps;
  plan.rpg_hai_rate = 400_Mbps;
  return {plan,
          ecn(scaled(kilobytes(5), kPaperRate, rate), scaled(kilobytes(200), kPaperRate, rate), 0.01),
          {Status::estimated,
           "Zhu et al., SIGCOMM'15, second hand; the hyper increase, ten times the additive one, is not given there; ECN "
           "thresholds, given at 40 Gb/s, grow with the link"}};
}

/// The same rule at another speed: what is counted in bits grows with the link, times stay.
DcqcnSet paper_scaled(BitsPerSecond rate) {
  DcqcnSet set = paper(rate);
  DcqcnPlan& plan = set.dcqcn;
  plan.rpg_ai_rate = scaled(plan.rpg_ai_rate, kPaperRate, rate);
  plan.rpg_hai_rate = scaled(plan.rpg_hai_rate, kPaperRate, rate);
  plan.rpg_byte_reset = scaled(plan.rpg_byte_reset, kPaperRate, rate);
  set.origin = {
      Status::estimated,
      "Zhu et al., SIGCOMM'15, second hand, at 40 Gb/s; increases, byte counter and ECN thresholds grow with the link, "
      "as increases and thresholds do in HPCC's simulator"};
  return set;
}

DcqcnSet amd_pollara() {
  DcqcnPlan plan;
  plan.rate_reduce_monitor_period = 1_us;
  plan.rpg_time_reset = 1_us;
  plan.rpg_byte_reset = 431'068_B;
  plan.dce_tcp_g = 512;
  plan.initial_alpha_value = 64;
  plan.rpg_ai_rate = 160_Mbps;
  plan.rpg_hai_rate = 300_Mbps;
  return {plan, std::nullopt, {Status::published, "AMD's documentation of Pollara; what it does not name is as NVIDIA has it"}};
}

DcqcnSet spirent() {
  DcqcnPlan plan;
  plan.dce_tcp_rtt = 1550_us;
  plan.rpg_byte_reset = Bytes(2'000'000);
  plan.rpg_ai_rate = 5_Mbps;
  plan.rpg_hai_rate = 40_Mbps;
  plan.rpg_min_rate = 2_Mbps;
  plan.min_time_between_cnps = 50_us;
  return {plan, std::nullopt, {Status::published, "defaults of Spirent's testers; what they do not name is as NVIDIA has it"}};
}

}  // namespace

DcqcnSet dcqcn_set(DcqcnPreset preset, BitsPerSecond rate) {
  switch (preset) {
    case DcqcnPreset::nvidia_default:
      break;
    case DcqcnPreset::paper:
      return paper(rate);
    case DcqcnPreset::paper_scaled:
      return paper_scaled(rate);
    case DcqcnPreset::hpcc:
      return hpcc(rate);
    case DcqcnPreset::hpcc_paper:
      return hpcc_paper(rate);
    case DcqcnPreset::conweave:
      return conweave(rate);
    case DcqcnPreset::simai:
      return simai(rate);
    case DcqcnPreset::amd_pollara:
      return amd_pollara();
    case DcqcnPreset::spirent:
      return spirent();
  }
  return {{},
          std::nullopt,
          {Status::published,
           "NVIDIA DOCA 3.4, DCQCN CC parameters; CNPs 4 us apart as in dumps since 2023; rpg_byte_reset = 32767 taken for "
           "thousands of bytes (estimated)"}};
}

}  // namespace railyard
