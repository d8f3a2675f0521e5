#include "collective/host_limits.h"

#include <algorithm>
#include <cmath>

#include "collective/library_parts.h"

namespace railyard {

namespace {

using library::bytes_per_second;

/// Rates of patterns that all NICs of a node carry.
constexpr double NetRates::*kOfNode[] = {&NetRates::ring, &NetRates::tree, &NetRates::all_to_all};

/// What is left of the network if `used` of `all` NICs of a node are used, all of them evenly.
void use_nics(double used, double all, Communicator& group) {
  const double share = used / all;
  for (double NetRates::*rate : kOfNode) group.net.*rate *= share;
  group.net.point *= share;  // of all NICs: that of one stays
  group.nics_per_node = static_cast<std::uint32_t>(std::max(1L, std::lround(group.nics_per_node * share)));
}

/// At most so much per node, and per connection of point messages.
void narrow(double node, double connection, Communicator& group) {
  for (double NetRates::*of_node : kOfNode) group.net.*of_node = std::min(group.net.*of_node, node);
  group.net.point = std::min(group.net.point, connection * group.nics_per_node);
}

void limit_scale_up(BitsPerSecond rate, Communicator& group) {
  CommFact& gpu = group.gpu;
  for (BitsPerSecond CommFact::*of :
       {&CommFact::ring_rate, &CommFact::all_to_all_rate, &CommFact::ll_rate, &CommFact::ll128_rate})
    gpu.*of = std::min(gpu.*of, rate);
}

/// Each channel drives its share of the links.
void use_channels(std::uint32_t channels, Communicator& group) {
  CommFact& gpu = group.gpu;
  if (channels >= gpu.channels) return;
  const double share = double(channels) / gpu.channels;
  const auto times = [&](BitsPerSecond rate) {
    return BitsPerSecond(static_cast<std::int64_t>(static_cast<double>(rate.count()) * share));
  };
  for (BitsPerSecond CommFact::*of :
       {&CommFact::ring_rate, &CommFact::all_to_all_rate, &CommFact::ll_rate, &CommFact::ll128_rate})
    gpu.*of = times(gpu.*of);
  if (gpu.nvls_rate) gpu.nvls_rate = times(*gpu.nvls_rate);
  gpu.channels = channels;
}

}  // namespace

void limit_by_host(const HostSpec& host, const ServerShape& server, Communicator& group) {
  const double all = server.nics * server.per_node;
  double used = std::min(host.nics.value_or(server.nics), server.nics) * server.per_node;
  if (host.channels && *host.channels < group.gpu.channels) {
    use_channels(*host.channels, group);
    used = std::min(used, double(*host.channels));  // one each
  }
  use_nics(used, all, group);
  if (host.nic_rate) narrow(bytes_per_second(*host.nic_rate) * used, bytes_per_second(*host.nic_rate), group);
  if (host.server_rate)
    narrow(bytes_per_second(*host.server_rate) * server.per_node, bytes_per_second(*host.server_rate), group);
  if (group.nodes > 1) group.net_latency += host.latency;
  if (!host.p2p) limit_scale_up(host.p2p_rate, group);
  group.nvls = group.nvls && host.nvls && host.p2p;
}

}  // namespace railyard
