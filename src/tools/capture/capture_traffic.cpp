#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "tools/capture/capture_figures.h"
#include "tools/capture/capture_report.h"

namespace railyard {

namespace {

struct ReplayedMessage {
  std::int64_t at_ns = 0;
  std::size_t from = 0, to = 0;
  std::uint64_t bytes = 0;
};

std::vector<ReplayedMessage> messages_of(const std::vector<const CapturedFlow*>& flows, const std::vector<IpAddress>& hosts) {
  const auto number_of_host = [&](const IpAddress& address) {
    return static_cast<std::size_t>(std::lower_bound(hosts.begin(), hosts.end(), address) - hosts.begin());
  };
  std::vector<ReplayedMessage> all;
  for (const CapturedFlow* flow : flows) {
    const std::size_t from = number_of_host(flow->key.source), to = number_of_host(flow->key.destination);
    if (from == to) continue;
    for (const CapturedMessage& message : flow->messages)
      if (message.bytes > 0) all.push_back({message.at_ns, from, to, message.bytes});
  }
  std::stable_sort(all.begin(), all.end(), [](const ReplayedMessage& a, const ReplayedMessage& b) {
    return std::tie(a.at_ns, a.from, a.to) < std::tie(b.at_ns, b.from, b.to);
  });
  return all;
}

}  // namespace

std::string capture_traffic(const CaptureSummary& summary) {
  const std::vector<const CapturedFlow*> flows = summary.flows.once();
  const std::vector<IpAddress> hosts = hosts_of(flows);
  std::string out = "# Messages of a capture, for [traffic] with pattern = \"file\". Hosts:\n";
  for (std::size_t i = 0; i < hosts.size(); i++) out += fmt::format("# {} is {}\n", i, address_text(hosts[i]));
  out += "start_us,source,destination,bytes\n";
  for (const ReplayedMessage& message : messages_of(flows, hosts))
    out += fmt::format("{:.3f},{},{},{}\n", static_cast<double>(message.at_ns - summary.first_ns) / 1e3, message.from,
                       message.to, message.bytes);
  return out;
}

}  // namespace railyard
