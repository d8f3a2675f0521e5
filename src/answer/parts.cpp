#include "answer/parts.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "catalog/rates.h"

namespace railyard {

namespace {

bool carries(const std::vector<TransportKind>& kinds, TransportKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Whether anybody makes links of that rate.
bool is_made(BitsPerSecond rate, const Catalog& catalog) {
  const auto& nics = catalog.nics.entries();
  return std::any_of(nics.begin(), nics.end(), [&](const auto& entry) {
    return entry.fact.rate == rate || entry.fact.ethernet_rate.value_or(BitsPerSecond::zero()) == rate;
  });
}

/// A NIC whose fastest port is just that fast: today's if it can be, else one of its vendor, else any.
const Entry<NicFact>* nic_at(const Scenario& s, BitsPerSecond rate, const Catalog& catalog) {
  const Entry<NicFact>* const today = catalog.nics.find(s.fabric.nic_model);
  const TransportKind transport = s.transport.kind;
  if (today && port_rate(today->fact, transport) >= rate) return today;
  const Entry<NicFact>* found = nullptr;
  for (const Entry<NicFact>& entry : catalog.nics.entries()) {
    if (!carries(entry.fact.transports, transport) || port_rate(entry.fact, transport) != rate) continue;
    const bool is_better =
        !found || (today && entry.fact.vendor == today->fact.vendor && found->fact.vendor != entry.fact.vendor);
    if (is_better) found = &entry;
  }
  return found;
}

const Entry<SwitchFact>* switch_at(const Scenario& s, BitsPerSecond rate, const Catalog& catalog) {
  const std::uint32_t needed = s.fabric.radix.value_or(0);
  const Entry<SwitchFact>* const today = catalog.switches.find(s.fabric.switch_model);
  if (today && ports_at(today->fact, rate) >= needed) return today;
  const auto worth = [&](const Entry<SwitchFact>& entry) {
    const std::int64_t ports = ports_at(entry.fact, rate);
    const bool same_vendor = today && entry.fact.vendor == today->fact.vendor;
    return std::tuple(ports >= needed, ports >= needed ? 0 : ports, same_vendor, -ports);
  };
  const Entry<SwitchFact>* found = nullptr;
  for (const Entry<SwitchFact>& entry : catalog.switches.entries()) {
    if (!carries(entry.fact.transports, s.transport.kind) || ports_at(entry.fact, rate) == 0) continue;
    if (!found || worth(entry) > worth(*found)) found = &entry;
  }
  return found;
}

}  // namespace

std::optional<BitsPerSecond> host_rate(const Scenario& s, const Catalog& catalog) {
  if (const Entry<GpuFact>* const gpu = catalog.gpus.find(s.workload.gpu_model))
    if (const auto rate = pcie_rate(gpu->fact.host_interface)) return rate;
  const Entry<NicFact>* const nic = catalog.nics.find(s.fabric.nic_model);
  return nic ? pcie_rate(nic->fact.host_interface) : std::nullopt;
}

std::optional<PartsAtRate> parts_at(const Scenario& s, BitsPerSecond rate, const Catalog& catalog) {
  const BitsPerSecond of_nic = rate * s.fabric.planes;
  const Entry<NicFact>* const nic = nic_at(s, of_nic, catalog);
  const Entry<SwitchFact>* const box = switch_at(s, rate, catalog);
  if (!nic || !box || !is_made(rate, catalog) || of_nic > host_rate(s, catalog).value_or(of_nic)) return std::nullopt;
  PartsAtRate out;
  if (!s.fabric.nic_model.empty() && nic->name != s.fabric.nic_model) out.nic = nic->name;
  if (!s.fabric.switch_model.empty() && box->name != s.fabric.switch_model) out.switch_model = box->name;
  if (s.fabric.radix) out.radix = std::min(*s.fabric.radix, ports_at(box->fact, rate));
  return out;
}

}  // namespace railyard
