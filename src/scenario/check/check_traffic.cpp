#include "scenario/check/check_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

/// To three digits, so that what is told is not too much.
double rounded_down(double value) {
  const double scale = std::pow(10, 2 - std::floor(std::log10(value)));
  return std::floor(value * scale) / scale;
}

class TrafficChecker {
 public:
  TrafficChecker(const ScenarioSpec& scenario, Complaints& complaints)
      : s_(scenario), t_(*scenario.traffic), complaints_(complaints) {}

  void run() {
    what_is_sent();
    who_takes_part();
    meaning();
    slow_hosts();
    if (t_.storage) storage();
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void missing(const char* key, const char* example) {
    if (!s_.given(std::string("traffic.") + key))
      error("RY-SCN-015", "traffic", fmt::format("the key '{}' is missing", key),
            fmt::format("add {} or the like to [traffic]", example));
  }

  [[nodiscard]] bool is(TrafficPattern pattern) const { return t_.pattern == pattern; }

  void what_is_sent() {
    if (is(TrafficPattern::file)) {
      if (t_.file.empty())
        error("RY-SCN-015", "traffic", "pattern = \"file\" needs the key 'file'", "add file = \"flows.csv\" to [traffic]");
    } else if (is(TrafficPattern::microburst)) {
      if (!t_.burst) missing("burst", "burst = \"256 KiB\"");
      if (t_.interval == Picoseconds::zero() && t_.bursts > 1) missing("interval", "interval = \"100 us\"");
    } else if (is(TrafficPattern::none)) {
      if (!t_.storage || !t_.storage->checkpoint)
        error("RY-SCN-037", "traffic.pattern", "pattern = \"none\" sends nothing",
              "give a checkpoint in [traffic.storage], or another pattern");
    } else if (!t_.size) {
      missing("size", "size = \"2 MB\"");
    }
  }

  void who_takes_part() {
    if (t_.hosts && s_.cluster.gpus && *t_.hosts > *s_.cluster.gpus)
      error("RY-SCN-036", "traffic.hosts", fmt::format("hosts = {} is more than gpus = {}", *t_.hosts, *s_.cluster.gpus),
            "use at most as many hosts as GPUs");
    const std::uint32_t hosts = t_.hosts_of(s_.cluster.gpus.value_or(0));
    if (t_.fan_in && hosts != 0 && *t_.fan_in >= hosts)
      error("RY-SCN-038", "traffic.fan_in",
            fmt::format("fan_in = {} needs {} hosts and there are {}", *t_.fan_in, *t_.fan_in + 1, hosts),
            fmt::format("use at most {}", hosts - 1));
    if (!t_.hosts && !s_.cluster.gpus && !s_.given("traffic.hosts") && !s_.given("cluster.gpus") &&
        s_.fabric.topology != Topology::file)
      error("RY-SCN-015", "traffic", "the number of hosts is missing", "add hosts = … to [traffic] or gpus = … to [cluster]");
  }

  /// Keys that only some patterns know.
  void meaning() {
    const auto only = [&](const char* key, bool allowed, const char* pattern) {
      if (s_.given(std::string("traffic.") + key) && !allowed)
        error("RY-SCN-037", std::string("traffic.") + key,
              fmt::format("{} does not apply to pattern = \"{}\"", key, name_of(t_.pattern)),
              fmt::format("remove it{}{}", *pattern == '"' ? ", or use pattern = " : ": ", pattern));
    };
    const bool bursts = is(TrafficPattern::microburst), from_file = is(TrafficPattern::file);
    only("fan_in", is(TrafficPattern::incast) || bursts, "\"incast\" or \"microburst\"");
    only("senders_at", is(TrafficPattern::incast), "\"incast\"");
    only("flows_per_host", is(TrafficPattern::uniform), "\"uniform\"");
    only("burst", bursts, "\"microburst\"");
    only("bursts", bursts, "\"microburst\"");
    const bool none = is(TrafficPattern::none);
    only("size", !bursts && !from_file && !none, "microbursts have burst, files their own sizes");
    only("rounds", !bursts && !from_file && !none, "microbursts have bursts, and a file is sent once");
    only("interval", !from_file && !none, "a file says when each message starts");
    only("background", !none, "background lasts as long as the pattern");
    if (s_.given("traffic.background_size") && t_.background == 0 && !s_.given("traffic.background"))
      error("RY-SCN-037", "traffic.background_size", "background_size needs background",
            "remove it, or add background = 0.1 or the like");
  }

  void slow_hosts() {
    if (t_.slow_hosts.empty() != !t_.slow_rate && s_.given("traffic.slow_hosts") != s_.given("traffic.slow_rate"))
      error("RY-SCN-090", t_.slow_rate ? "traffic.slow_rate" : "traffic.slow_hosts",
            t_.slow_rate ? "slow_rate needs slow_hosts" : "slow_hosts needs slow_rate",
            t_.slow_rate ? "add slow_hosts = [0] or the like" : "add slow_rate = \"10 Gb/s\" or the like; \"0 b/s\" is never");
    const std::uint32_t hosts = std::max(s_.cluster.gpus.value_or(0), t_.hosts ? *t_.hosts + t_.servers() : 0);
    std::vector<std::uint32_t> sorted = t_.slow_hosts;
    std::sort(sorted.begin(), sorted.end());
    if (hosts != 0 && !sorted.empty() && sorted.back() >= hosts)
      error("RY-SCN-091", "traffic.slow_hosts", fmt::format("slow_hosts names host {}, which does not exist", sorted.back()),
            fmt::format("use 0 to {}", hosts - 1));
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      error("RY-SCN-091", "traffic.slow_hosts", fmt::format("host {} is named twice in slow_hosts", *twice),
            "name every host once");
  }

  void storage() {
    const StorageSpec& storage = *t_.storage;
    if (storage.load == 0 && !storage.checkpoint && !s_.given("traffic.storage.checkpoint"))
      error("RY-SCN-015", "traffic.storage", "[traffic.storage] needs checkpoint or load",
            "add checkpoint = \"64 MB\" or load = 0.05 or the like");
    for (const char* key : {"start", "rounds", "interval"})
      if (const std::string path = std::string("traffic.storage.") + key;
          s_.given(path) && !storage.checkpoint && !s_.given("traffic.storage.checkpoint"))
        error("RY-SCN-037", path, fmt::format("{} needs checkpoint", key),
              "remove it, or add checkpoint = \"64 MB\" or the like");
    servers(storage);
  }

  /// Storage needs hosts of its own, and links that take what is written.
  void servers(const StorageSpec& storage) {
    const std::uint32_t all = s_.cluster.gpus.value_or(0), hosts = t_.hosts_of(all);
    if (all != 0 && (hosts < 2 || hosts + storage.servers > all))
      return error("RY-SCN-111", "traffic.storage.servers",
                   t_.hosts ? fmt::format("{} hosts and {} servers are more than gpus = {}", hosts, storage.servers, all)
                            : fmt::format("servers = {} leaves {} of gpus = {} to the pattern", storage.servers, hosts, all),
                   "use fewer servers, or more hosts (cluster.gpus)");
    const double asked = storage.load * hosts / storage.servers;
    if (asked > 1)
      error("RY-SCN-112", "traffic.storage.load",
            fmt::format("load = {} of {} hosts is {:.3g} times the link rate of {} server{}", storage.load, hosts, asked,
                        storage.servers, storage.servers == 1 ? "" : "s"),
            fmt::format("use at most {:.3g}, or {} servers", rounded_down(static_cast<double>(storage.servers) / hosts),
                        // More servers leave fewer hosts to the pattern, unless those are given.
                        std::ceil(t_.hosts ? storage.load * hosts : storage.load * all / (1 + storage.load))));
  }

  const ScenarioSpec& s_;
  const TrafficSpec& t_;
  Complaints& complaints_;
};

}  // namespace

void check_traffic(const ScenarioSpec& scenario, Complaints& complaints) { TrafficChecker(scenario, complaints).run(); }

}  // namespace railyard
