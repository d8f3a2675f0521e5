#include "scenario/resolve/resolve_forwarding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "scenario/resolve/estate_policies.h"
#include "scenario/resolve/resolve_control.h"
#include "scenario/resolve/resolve_host_dcqcn.h"

namespace railyard {

namespace {

constexpr std::size_t kHashTiers = 3;  // leaf, spine, core
const Origin kFromFiles{Status::given, "configurations of devices (qos.from)"};

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '_' ? '-' : c);
  return text;
}

/// By the name that SONiC, OS10 and others give it; none where that names several, or none that is known here.
std::optional<HashFunction> function_called(const std::string& name) {
  const std::string text = in_small_letters(name);
  if (text == "crc-32lo" || text == "crc-32hi" || text == "crc32" || text == "crc32lsb" || text == "crc32msb")
    return HashFunction::crc32;
  if (text == "crc-ccitt" || text == "crc16cc" || text == "crc16") return HashFunction::crc16_ccitt;
  if (text == "xor" || text == "xor8" || text == "xor16") return HashFunction::exclusive_or;
  return std::nullopt;
}

std::optional<HashFields> fields_of(const HashConfig& hash) {
  if (hash.has("qpn")) return HashFields::qpn;
  if (hash.has("src-port")) return HashFields::five_tuple;
  if (hash.has("src-ip") || hash.has("dst-ip")) return HashFields::addresses;
  return std::nullopt;
}

/// What a switch says of its hash, as far as the scenario does not.
struct HashSaid {
  std::optional<HashFunction> function;
  std::optional<HashFields> fields;
  std::optional<std::uint32_t> seed;
};
HashSaid said_of(const HashConfig& hash, const ScenarioSpec& spec) {
  HashSaid said;
  if (!spec.given("routing.hash")) said.function = function_called(hash.function);
  if (!spec.given("routing.hash_fields")) said.fields = fields_of(hash);
  if (!spec.given("routing.seeds") && hash.seed) said.seed = static_cast<std::uint32_t>(*hash.seed);
  return said;
}

struct HashingSwitch {
  std::optional<std::uint32_t> index;
  HashSaid said;
  SourceSpan where;
};

/// What most of those have that say it; of those that tie, what the first of them has.
template<class T>
std::optional<T> most_said(const std::vector<HashingSwitch>& all, std::optional<T> HashSaid::*aspect) {
  std::optional<T> best;
  std::ptrdiff_t most = 0;
  for (const HashingSwitch& one : all) {
    const std::optional<T>& value = one.said.*aspect;
    const auto times = std::count_if(all.begin(), all.end(), [&](const HashingSwitch& o) { return o.said.*aspect == value; });
    if (value && times > most) best = value, most = times;
  }
  return best;
}

class HashResolver {
 public:
  HashResolver(const ScenarioSpec& spec, Scenario& out) : routing_(out.routing), out_(out) {
    for (const PlacedDevice& one : placed_devices(spec.qos.estate)) {
      const auto tier = static_cast<std::size_t>(one.tier) - static_cast<std::size_t>(DeviceTier::leaf);
      if (one.tier == DeviceTier::nic || tier >= kHashTiers) continue;
      switches_[tier].push_back({one.index, said_of(one.device->hash, spec), one.device->hash.where});
    }
  }

  void run() {
    take_first_of_all();
    for (std::uint32_t tier = 0; tier < kHashTiers; tier++) add_tier(tier);
  }

 private:
  /// What the lowest tier that says it has is what the plan says of all.
  void take_first_of_all() {
    for (std::size_t tier = kHashTiers; tier-- > 0;) {
      if (const auto function = most_said(switches_[tier], &HashSaid::function)) routing_.hash = *function;
      if (const auto fields = most_said(switches_[tier], &HashSaid::fields)) routing_.hash_fields = *fields;
    }
  }

  void add_tier(std::uint32_t tier) {
    const std::vector<HashingSwitch>& all = switches_[tier];
    if (all.empty()) return;
    if (const auto seed = most_said(all, &HashSaid::seed)) set_seed(tier, *seed);
    OwnHash usual{.tier = tier, .index = {}, .where = {}};
    usual.hash = most_said(all, &HashSaid::function).value_or(routing_.hash);
    usual.hash_fields = most_said(all, &HashSaid::fields).value_or(routing_.hash_fields);
    usual.seed = routing_.seeds[std::min<std::size_t>(tier, routing_.seeds.size() - 1)];
    if (usual.hash != routing_.hash || usual.hash_fields != routing_.hash_fields) routing_.own_hashes.push_back(usual);
    for (const HashingSwitch& one : all) {
      const OwnHash own{tier,
                        one.index,
                        one.said.function.value_or(usual.hash),
                        one.said.fields.value_or(usual.hash_fields),
                        one.said.seed.value_or(usual.seed),
                        one.where};
      const bool differs = own.hash != usual.hash || own.hash_fields != usual.hash_fields || own.seed != usual.seed;
      if (one.index && differs) routing_.own_hashes.push_back(own);
    }
  }

  void set_seed(std::uint32_t tier, std::uint32_t seed) {
    const std::uint32_t above = routing_.seeds.empty() ? 0 : routing_.seeds.back();
    if (routing_.seeds.size() < kHashTiers) routing_.seeds.resize(kHashTiers, above);
    if (routing_.seeds[tier] == seed) return;
    routing_.seeds[tier] = seed;
    static constexpr std::string_view kNames[] = {"leaves", "spines", "cores"};
    note_input(out_, fmt::format("routing.seeds of {}", kNames[tier]), std::to_string(seed), kFromFiles);
  }

  RoutingPlan& routing_;
  Scenario& out_;
  std::vector<HashingSwitch> switches_[kHashTiers];
};

// MTU ----------------------------------------------------------------------------------------------------------------

constexpr Bytes kRoceInFrame = 60_B;  // IPv4 20, UDP 8, BTH 12, RETH 16, iCRC 4 beside the payload
constexpr Bytes kLinuxReserve =
    96_B;  // what Linux keeps free of an interface's MTU: GRH 40, UDP 8, BTH 12, extensions 32, iCRC 4

void take_mtu(const ScenarioSpec& spec, Scenario& out) {
  const std::map<std::uint32_t, HostMtu> hosts = host_mtus(spec, out);
  if (hosts.empty()) return;
  const auto [least, most] =
      std::minmax_element(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.second.mtu < b.second.mtu; });
  const Bytes mtu = spec.engine.fidelity == Fidelity::packet ? most->second.mtu : least->second.mtu;
  if (mtu == out.transport.mtu) return;
  out.transport.mtu = mtu;
  for (auto& input : out.inputs)
    if (input.key == "transport.mtu") input.value = format_exact(mtu), input.origin = kFromFiles;
}

/// Whether RoCE goes over a port: it pauses, or somebody of the fabric is behind it.
bool carries_roce(const Device& device, const PortConfig& port, const Estate& estate) {
  if (!port.enabled) return false;
  if (port.policy < device.policies.size() && device.policies[port.policy].pfc != 0) return true;
  return !port.neighbour.empty() && std::any_of(estate.devices.begin(), estate.devices.end(),
                                                [&](const Device& other) { return other.name == port.neighbour; });
}

/// A frame that is too large is dropped, and RoCE is not cut into smaller ones on its way: connections end with errors.
void check_ports(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints) {
  const Bytes frame = out.transport.mtu + kRoceInFrame;
  for (const Device& device : spec.qos.estate.devices) {
    if (device.kind != DeviceKind::network_switch) continue;
    const auto small = std::find_if(device.ports.begin(), device.ports.end(), [&](const PortConfig& port) {
      return port.mtu && *port.mtu < frame && carries_roce(device, port, spec.qos.estate);
    });
    if (small == device.ports.end()) continue;
    complaints.error("RY-SCN-144", small->where,
                     fmt::format("{} {} takes frames of {} bytes, and RDMA packets of {} bytes need {}: every full packet is "
                                 "dropped there, and no larger message arrives",
                                 device.name, small->name, small->mtu->count(), out.transport.mtu.count(), frame.count()),
                     "set the MTU of the port to 9216, or see what smaller packets cost with transport.mtu");
  }
}

}  // namespace

std::optional<Bytes> rdma_mtu_of(Bytes frame) {
  for (const Bytes mtu : {4096_B, 2048_B, 1024_B, 512_B, 256_B})
    if (frame >= mtu + kLinuxReserve) return mtu;
  return std::nullopt;
}

std::map<std::uint32_t, HostMtu> host_mtus(const ScenarioSpec& spec, const Scenario& out) {
  std::map<std::uint32_t, HostMtu> all;
  if (out.transport.kind != TransportKind::roce || spec.given("transport.mtu")) return all;
  for (const PlacedDevice& one : placed_devices(spec.qos.estate)) {
    const std::vector<NicConfig>& nics = one.device->nics;
    if (one.tier != DeviceTier::nic || !one.index || nics.empty()) continue;
    const std::vector<std::uint32_t> hosts = hosts_of_server(*one.index, out.fabric);
    for (std::size_t i = 0; i < hosts.size(); i++) {
      const NicConfig& nic = nics[i * nics.size() / hosts.size()];
      const std::optional<Bytes> mtu = nic.path_mtu ? nic.path_mtu : nic.mtu ? rdma_mtu_of(*nic.mtu) : std::nullopt;
      const auto said = nic.said.find(nic.path_mtu ? "path_mtu" : "mtu");
      const SourceSpan file = one.device->files.empty() ? SourceSpan{} : one.device->files.front();
      if (mtu) all[hosts[i]] = {*mtu, said == nic.said.end() ? file : said->second};
    }
  }
  return all;
}

void resolve_forwarding(const ScenarioSpec& spec, Scenario& out, Complaints& complaints) {
  if (spec.qos.estate.devices.empty() || out.transport.kind == TransportKind::infiniband) return;
  HashResolver(spec, out).run();
  if (out.transport.kind != TransportKind::roce) return;
  take_mtu(spec, out);
  check_ports(spec, out, complaints);
}

}  // namespace railyard
