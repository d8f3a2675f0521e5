// Evidence from settings of the library, whether a log tells of them or a job's file.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "tools/diagnose/evidence.h"

namespace railyard {

namespace {

struct Said {
  std::string value;
  SourceSpan where;
};
using Settings = std::map<std::string, Said, std::less<>>;

/// The first of each name that is said anywhere.
Settings settings_of(const Seen& seen) {
  Settings all;
  for (const LibraryLog& log : seen.measured.logs)
    for (const LoggedSetting& setting : log.settings) all.try_emplace(setting.name, Said{setting.value, setting.where});
  for (const Device& device : seen.estate.devices)
    for (const auto& [name, setting] : device.environment) all.try_emplace(name, Said{setting.value, setting.where});
  return all;
}

std::optional<long> number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

/// Devices that a list names: "mlx5_0,mlx5_1" or "=mlx5_5,mlx5_7"; none where it excludes.
std::optional<std::size_t> named_devices(const std::string& list) {
  if (list.empty() || list.front() == '^') return std::nullopt;
  const bool exact = list.front() == '=';
  const std::string first = list.substr(exact ? list.find_first_not_of('=') : 0, list.find(','));
  const bool whole = !first.empty() && first.back() >= '0' && first.back() <= '9';
  if (!exact && !whole) return std::nullopt;  // "mlx5": a prefix of all
  return static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) + 1;
}

class SettingRules {
 public:
  SettingRules(const Seen& seen, std::vector<Evidence>& out) : seen_(seen), all_(settings_of(seen)), out_(out) {}

  void run() {
    zero_means("NCCL_NVLS_ENABLE", "nvls-off");
    one_means("NCCL_P2P_DISABLE", "p2p-off");
    is("NCCL_P2P_LEVEL", "LOC", "p2p-off");
    one_means("NCCL_IB_DISABLE", "socket");
    is("NCCL_NET", "Socket", "socket");
    is("NCCL_NET_GDR_LEVEL", "LOC", "gpu-direct-off");
    is("NCCL_NET_GDR_LEVEL", "0", "gpu-direct-off");
    one_means("NCCL_IB_SPLIT_DATA_ON_QPS", "split-data");
    one_means("NCCL_PXN_DISABLE", "pxn-off");
    zero_means("NCCL_IB_PCI_RELAXED_ORDERING", "relaxed-ordering-off");
    zero_means("NCCL_IGNORE_CPU_AFFINITY", "numa", -kHint);
    forced();
    channels();
    devices();
    queue_pairs();
    traffic_class();
    unset();
  }

 private:
  const Said* find(std::string_view name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : &found->second;
  }
  void add(std::string_view cause, double odds, std::string_view name, const Said& said) {
    out_.push_back({cause, odds, fmt::format("{}={}", name, said.value), said.where});
  }
  void is(std::string_view name, std::string_view value, std::string_view cause) {
    if (const Said* said = find(name); said && said->value == value) add(cause, kProof, name, *said);
  }
  void one_means(std::string_view name, std::string_view cause) { is(name, "1", cause); }
  void zero_means(std::string_view name, std::string_view cause, double odds = kProof) {
    if (const Said* said = find(name); said && said->value == "0") add(cause, odds, name, *said);
  }

  void forced() {
    for (const char* name : {"NCCL_ALGO", "NCCL_PROTO"})
      if (const Said* said = find(name)) add("algorithm", kStrong, name, *said);
  }

  void channels() {
    for (const char* name : {"NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS"})
      if (const Said* said = find(name)) {
        const std::optional<long> most = number(said->value);
        add("few-channels", most && *most <= 4 ? kStrong : kHint, name, *said);
      }
  }

  void devices() {
    const Said* said = find("NCCL_IB_HCA");
    if (!said) return;
    const std::optional<std::size_t> named = named_devices(said->value);
    if (!named) return;
    if (*named < seen_.facts.nics_per_node) {
      add("nic-subset", kStrong, "NCCL_IB_HCA", *said);
      add("rails-unreachable", kHint, "NCCL_IB_HCA", *said);
    } else {
      add("nic-subset", -kStrong, "NCCL_IB_HCA", *said);
    }
  }

  void queue_pairs() {
    const Said* said = find("NCCL_IB_QPS_PER_CONNECTION");
    if (!said) return;
    const std::optional<long> pairs = number(said->value);
    if (pairs && *pairs >= 4) {
      add("ecmp-collision", -kSome, "NCCL_IB_QPS_PER_CONNECTION", *said);
      add("one-port", -kSome, "NCCL_IB_QPS_PER_CONNECTION", *said);
    } else if (pairs && *pairs == 1) {
      add("ecmp-collision", kHint, "NCCL_IB_QPS_PER_CONNECTION", *said);
    }
  }

  /// The class that data asks for, if it is the one of everything else.
  void traffic_class() {
    const Said* said = find("NCCL_IB_TC");
    if (!said || !seen_.facts.is_roce) return;
    const std::optional<long> tos = number(said->value);
    if (tos && *tos < 4)
      add("wrong-class", kSome, "NCCL_IB_TC", *said);
    else
      add("wrong-class", -kHint, "NCCL_IB_TC", *said);
  }

  /// A log that tells of settings tells of all: what it does not name is as the library ships.
  void unset() {
    const bool tells = std::any_of(seen_.measured.logs.begin(), seen_.measured.logs.end(),
                                   [](const LibraryLog& log) { return !log.version.empty() && !log.settings.empty(); });
    if (!tells) return;
    const auto absent = [&](std::string_view cause, std::initializer_list<std::string_view> names, double odds) {
      for (const std::string_view name : names)
        if (find(name)) return;
      out_.push_back({cause, odds, fmt::format("{} is not set", *names.begin()), {}});
    };
    absent("algorithm", {"NCCL_ALGO", "NCCL_PROTO"}, -kStrong);
    absent("split-data", {"NCCL_IB_SPLIT_DATA_ON_QPS"}, -kProof);
    absent("nic-subset", {"NCCL_IB_HCA"}, -kSome);
  }

  const Seen& seen_;
  const Settings all_;
  std::vector<Evidence>& out_;
};

}  // namespace

void setting_evidence(const Seen& seen, std::vector<Evidence>& out) { SettingRules(seen, out).run(); }

}  // namespace railyard
