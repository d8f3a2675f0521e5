#include "config/read/nvue_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "config/read/nvue_policy.h"
#include "config/read/switch_device.h"

namespace railyard::nvue {

namespace {

/// What a port has of its own.
struct PortProfiles {
  std::map<std::string, std::string> profile;  // by kind
  std::optional<bool> watchdog;
  SourceSpan watchdog_where;
  bool is_spoken_of = false;  // in this file
};

struct HashWord {
  std::string_view nvue, ours;
  bool by_default;
};
/// Source: Cumulus Linux user guide, Equal Cost Multipath: fields of custom hashing and their defaults.
constexpr HashWord kHashWords[] = {{"source-ip", "src-ip", true},          {"destination-ip", "dst-ip", true},
                                   {"ip-protocol", "protocol", true},      {"source-port", "src-port", true},
                                   {"destination-port", "dst-port", true}, {"ipv6-label", "flow-label", true},
                                   {"ingress-interface", "in-port", false}};

std::optional<BitsPerSecond> speed_of_word(std::string_view word) {
  if (word.empty() || (word.back() != 'G' && word.back() != 'M')) return std::nullopt;
  const auto number = whole_of(word.substr(0, word.size() - 1));
  if (!number || *number <= 0 || *number > 1'000'000) return std::nullopt;
  return BitsPerSecond(*number * (word.back() == 'G' ? 1'000'000'000 : 1'000'000));
}

std::optional<Millimetres> cable_of_word(std::string_view word) {
  const auto metres = whole_of(word);
  if (!metres || *metres < 0 || *metres > 1'000'000) return std::nullopt;
  return Millimetres(*metres * 1000);
}

bool is_profile_kind(std::string_view kind) {
  return std::find(std::begin(kProfileKinds), std::end(kProfileKinds), kind) != std::end(kProfileKinds);
}

class DeviceReader {
 public:
  DeviceReader(Device& device, const std::vector<Statement>& statements)
      : device_(device), unread_(device), switch_ports_(device) {
    hash_fields_.insert(device.hash.fields.begin(), device.hash.fields.end());
    for (const HashWord& word : kHashWords)
      if (word.by_default && device.hash.fields.empty()) hash_fields_.insert(std::string(word.ours));
    for (const Statement& s : statements) read(s);
    device_.hash.fields.assign(hash_fields_.begin(), hash_fields_.end());
    if (has_qos_ || (!device_.ports.empty() && device_.policies.empty())) add_policies();
    add_pools();
  }

 private:
  void read(const Statement& s) {
    const std::string_view first = s.word(0);
    if (first == "qos")
      read_qos(s);
    else if (first == "interface")
      read_interface(s);
    else if (first == "system" || first == "router")
      read_system(s);
    else if (first == "header")
      read_header(s);
    else
      pass_over(s);
  }

  void pass_over(const Statement& s) {
    unread_.add(
        s.word(0) == "interface" ? fmt::format("interface … {}", s.word(2)) : fmt::format("{} {}", s.word(0), s.word(1)),
        s.where);
  }

  void read_header(const Statement& s) {
    if (s.word(1) == "model") device_.model = s.word(2);
    if (s.word(1) == "version") device_.version = s.word(2);
  }

  void read_qos(const Statement& s) {
    has_qos_ = true;
    const std::string_view kind = s.word(1);
    if (kind == "roce") return read_roce(s);
    if (kind == "traffic-pool") return read_pool(s);
    if (kind == "pfc-watchdog") return read_watchdog(s);
    if (!is_profile_kind(kind)) return pass_over(s);
    if (kind == "mapping" && s.word(3) == "port-default-sp") unread_.add("qos mapping … port-default-sp", s.where);
    profiles_[{std::string(kind), std::string(s.word(2))}].push_back(&s);
  }

  /// `nv set qos roce`, and with a mode, turn it on; older releases say `enable on`, newer ones `state enabled`.
  void read_roce(const Statement& s) {
    if (s.word(2) == "enable" || s.word(2) == "state") has_roce_ = is_on(s.word(3));
    if (s.word(2) == "mode") mode_ = s.word(3);
    if (s.word(2) == "cable-length") roce_cable_ = cable_of_word(s.word(3));
    if (s.word(2).empty() || s.word(2) == "mode") has_roce_ = has_roce_.value_or(true);
    if (mode_.substr(0, 5) == "dci-1") unread_.add("qos roce mode dci-1, read as lossless", s.where);
    if (roce_where_.line == 0) roce_where_ = s.where;
  }

  void read_pool(const Statement& s) {
    const auto percent = s.word(3) == "memory-percent" ? size_of(s.word(4)) : std::nullopt;
    const bool is_lossless_pool = s.word(2).find("lossless") != std::string_view::npos;
    if (percent) (is_lossless_pool ? lossless_percent_ : lossy_percent_) = *percent;
    if (percent) device_.buffer.where = s.where;
  }

  void read_watchdog(const Statement& s) {
    const auto number = whole_of(s.word(3));
    if (!number || *number <= 0 || *number > 1'000'000) return;
    if (s.word(2) == "polling-interval") poll_ = Picoseconds(*number * 1'000'000'000);
    if (s.word(2) == "robustness") robustness_ = std::min<std::int64_t>(*number, 1000);
  }

  void read_interface(const Statement& s) {
    constexpr std::size_t kMostPortStatements = 4'000'000;  // no switch has so many; a broken file may
    if (port_statements_ > kMostPortStatements) return pass_over(s);
    for (const std::string& name : ports_of(s.word(1))) {
      port_statements_++;
      if (name.compare(0, 3, "swp") != 0) continue;
      const std::size_t index = switch_ports_.add(name, s.where);
      if (own_.size() <= index) own_.resize(index + 1);
      if (!std::exchange(own_[index].is_spoken_of, true)) device_.ports[index].where = s.where;
      if (s.word(2) == "qos")
        read_port_qos(own_[index], s);
      else
        read_port(device_.ports[index], s);
    }
  }

  void read_port_qos(PortProfiles& own, const Statement& s) {
    has_qos_ = true;
    if (s.word(3) == "pfc-watchdog") {
      own.watchdog = s.word(4) != "state" || is_on(s.word(5));
      own.watchdog_where = s.where;
    } else if (s.word(4) == "profile" && is_profile_kind(s.word(3))) {
      own.profile[std::string(s.word(3))] = s.word(5);
    } else {
      unread_.add(fmt::format("interface … qos {}", s.word(3)), s.where);
    }
  }

  void read_port(PortConfig& port, const Statement& s) {
    if (s.word(2) == "link" && s.word(3) == "mtu") {
      if (const auto mtu = whole_of(s.word(4)); mtu && *mtu > 0) port.mtu = Bytes(*mtu);
    } else if (s.word(2) == "link" && s.word(3) == "speed") {
      port.speed = speed_of_word(s.word(4));
    } else if (s.word(2) == "link" && s.word(3) == "state") {
      port.enabled = s.word(4) != "down";
    } else if (s.word(2) == "router" && s.word(3) == "adaptive-routing") {
      device_.hash.dynamic = device_.hash.dynamic || is_on(s.word(5));
    } else if (s.words.size() > 2 && s.word(2) != "type") {
      pass_over(s);
    }
  }

  void read_system(const Statement& s) {
    if (s.word(1) == "hostname") return;
    if (s.word(1) == "adaptive-routing") {
      device_.hash.dynamic = (s.word(2) != "enable" && s.word(2) != "state") ? device_.hash.dynamic : is_on(s.word(3));
    } else if (s.word(1) == "forwarding" && s.word(2) == "hash-seed") {
      if (const auto seed = whole_of(s.word(3)); seed && *seed >= 0) device_.hash.seed = static_cast<std::uint64_t>(*seed);
      device_.hash.where = s.where;
    } else if (s.word(1) == "forwarding" && s.word(2) == "ecmp-hash") {
      read_hash_field(s);
    } else {
      pass_over(s);
    }
  }

  void read_hash_field(const Statement& s) {
    std::string name(s.word(3));
    for (const HashWord& word : kHashWords)
      if (word.nvue == name) name = word.ours;
    if (is_on(s.word(4)))
      hash_fields_.insert(name);
    else
      hash_fields_.erase(name);
    device_.hash.where = s.where;
  }

  [[nodiscard]] std::string mode() const { return mode_.empty() ? "lossless" : mode_; }

  /// What a port with these profiles does.
  [[nodiscard]] QosPolicy policy_of(const PortProfiles& own) {
    const bool roce = has_roce_.value_or(false);
    QosPolicy policy = roce ? roce_policy(mode(), roce_where_) : default_policy();
    for (const std::string_view kind : kProfileKinds) apply_profile(policy, kind, "default-global", profiles_, unread_);
    for (const auto& [kind, name] : own.profile)
      if (name != "default-global") apply_profile(policy, kind, name, profiles_, unread_);
    // PFC needs a lossless pool; without one Cumulus Linux gives all memory to the lossy one.
    const bool has_pool = lossless_percent_ ? *lossless_percent_ > 0 : roce && is_lossless(mode());
    for (std::size_t i = 0; i < kPriorities; i++) policy.groups[i].has_buffer = has_pool && policy.has_pfc(i);
    if (own.watchdog.value_or(false)) policy.watchdog = {true, poll_ * robustness_, poll_, poll_, StormAction::drop};
    if (own.watchdog) policy.said["watchdog"] = own.watchdog_where;
    return policy;
  }

  void add_policies() {
    own_.resize(device_.ports.size());
    device_.policies.clear();
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::size_t i = 0; i < device_.ports.size(); i++) {
      std::string key = own_[i].watchdog.value_or(false) ? "watched" : "";
      for (const auto& [kind, name] : own_[i].profile) key += "\n" + kind + "\n" + name;
      const auto [at, is_new] = known.emplace(std::move(key), 0);
      if (is_new) at->second = policy_index(device_, policy_of(own_[i]));
      device_.ports[i].policy = at->second;
      if (const auto cable = cable_of_port(own_[i])) device_.ports[i].cable = cable;
    }
    if (device_.ports.empty()) device_.policies.push_back(policy_of({}));
  }

  /// The cable that buffers are made for: of the port's PFC profile, of RoCE, or the 100 m that RoCE starts with.
  [[nodiscard]] std::optional<Millimetres> cable_of_port(const PortProfiles& own) const {
    const auto bound = own.profile.find("pfc");
    std::optional<Millimetres> cable = roce_cable_;
    for (const std::string& name : {std::string("default-global"), bound != own.profile.end() ? bound->second : std::string()})
      if (const auto found = profiles_.find({"pfc", name}); found != profiles_.end())
        for (const Statement* s : found->second)
          if (s->word(3) == "cable-length") cable = cable_of_word(s->word(4));
    if (!cable && has_roce_.value_or(false) && is_lossless(mode())) cable = 100_m;
    return cable;
  }

  /// Memory by pool. RoCE in its lossless mode halves it; with one pool for all, or none lossless, it is all lossy.
  void add_pools() {
    if (!has_qos_) return;
    const bool halves = has_roce_.value_or(false) && is_lossless(mode()) && mode() != "lossless-single-ipool";
    device_.buffer.lossless_percent = lossless_percent_.value_or(halves ? 50 : 0);
    device_.buffer.lossy_percent = lossy_percent_.value_or(halves ? 50 : 100);
    if (device_.buffer.where.line == 0) device_.buffer.where = roce_where_;
  }

  Device& device_;
  UnreadNotes unread_;
  SwitchPorts switch_ports_;
  std::size_t port_statements_ = 0;
  bool has_qos_ = false;
  std::optional<bool> has_roce_;
  std::string mode_;
  SourceSpan roce_where_;
  std::optional<Millimetres> roce_cable_;
  std::optional<double> lossless_percent_, lossy_percent_;
  // Source: Cumulus Linux 5.9 user guide, PFC Watchdog: 100 ms, three times.
  Picoseconds poll_ = Picoseconds(100'000'000'000);
  std::int64_t robustness_ = 3;
  Profiles profiles_;
  std::vector<PortProfiles> own_;  // by port
  std::set<std::string> hash_fields_;
};

}  // namespace

void add_statements(const std::vector<Statement>& statements, const ConfigText& text, Estate& estate) {
  std::string_view own_name;
  for (const Statement& s : statements)
    if (s.word(0) == "system" && s.word(1) == "hostname" && s.word(2) != "cumulus") own_name = s.word(2);
  DeviceReader(switch_of(estate, text, own_name, Dialect::nvue), statements);
}

}  // namespace railyard::nvue
