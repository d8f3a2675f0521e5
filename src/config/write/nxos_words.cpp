#include "config/write/nxos_words.h"

#include <fmt/format.h>

#include <cmath>

#include "config/write/words.h"

namespace railyard {

std::string nxos_ecn(const EcnPolicy& ecn) {
  return fmt::format("random-detect minimum-threshold {} bytes maximum-threshold {} bytes drop-probability {} weight 0{}",
                     std::llround(ecn.kmin.value), std::llround(ecn.kmax.value), whole_percent(ecn.pmax),
                     ecn.marks ? " ecn" : "");
}

std::string nxos_hash(const HashConfig& hash) {
  std::string text = "ip load-sharing address source-destination";
  if (hash.has("src-port") || hash.has("dst-port")) text += " port source-destination";
  if (hash.seed && *hash.seed > 0) text += fmt::format(" universal-id {}", *hash.seed);
  return text;
}

std::vector<std::string> nxos_watchdog(const WatchdogPolicy& dog) {
  if (!dog.enabled || !dog.poll || dog.poll->count() == 0) return {};
  std::vector<std::string> lines{fmt::format("priority-flow-control watch-dog interval {}", milliseconds_in(*dog.poll))};
  if (dog.detection)
    lines.push_back(fmt::format("priority-flow-control watch-dog shutdown-multiplier {}", *dog.detection / *dog.poll));
  if (dog.restoration)
    lines.push_back(fmt::format("priority-flow-control auto-restore multiplier {}", *dog.restoration / *dog.poll));
  return lines;
}

std::string nxos_port_watchdog(const WatchdogPolicy& dog) {
  if (!dog.enabled) return "priority-flow-control watch-dog-interval off";
  return dog.action == StormAction::alert ? "priority-flow-control watch-dog-interval on disable-action"
                                          : "priority-flow-control watch-dog-interval on";
}

}  // namespace railyard
