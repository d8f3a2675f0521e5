#include "collective/host_limits.h"

#include <algorithm>

#include "collective/library_parts.h"

namespace railyard {

namespace {

using library::bytes_per_second;

/// Rates of patterns that all NICs of a node carry.
constexpr double NetRates::*kOfNode[] = {&NetRates::ring, &NetRates::tree, &NetRates::all_to_all};

/// What is left of the network if a node uses fewer NICs, all of them evenly.
void use_nics(std::uint32_t nics, Communicator& group) {
  if (nics >= group.nics_per_node) return;
  const double share = double(nics) / group.nics_per_node;
  for (double NetRates::*rate : kOfNode) group.net.*rate *= share;
  group.net.point *= share;  // of all NICs: that of one stays
  group.nics_per_node = nics;
}

/// At most so much per NIC.
void narrow_nics(double rate, Communicator& group) {
  for (double NetRates::*of_node : kOfNode) group.net.*of_node = std::min(group.net.*of_node, rate * group.nics_per_node);
  group.net.point = std::min(group.net.point, rate * group.nics_per_node);
}

/// At most so much per node.
void narrow_server(double rate, Communicator& group) {
  for (double NetRates::*of_node : kOfNode) group.net.*of_node = std::min(group.net.*of_node, rate);
  group.net.point = std::min(group.net.point, rate * group.nics_per_node);  // one NIC at a time has the server for itself
}

void limit_scale_up(BitsPerSecond rate, Communicator& group) {
  CommFact& gpu = group.gpu;
  for (BitsPerSecond CommFact::*of :
       {&CommFact::ring_rate, &CommFact::all_to_all_rate, &CommFact::ll_rate, &CommFact::ll128_rate})
    gpu.*of = std::min(gpu.*of, rate);
}

/// Each channel drives its share of the links, and one NIC.
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
  use_nics(channels, group);
}

}  // namespace

void limit_by_host(const HostSpec& host, Communicator& group) {
  if (host.nics) use_nics(*host.nics, group);
  if (host.channels) use_channels(*host.channels, group);
  if (host.nic_rate) narrow_nics(bytes_per_second(*host.nic_rate), group);
  if (host.server_rate) narrow_server(bytes_per_second(*host.server_rate), group);
  if (group.nodes > 1) group.net_latency += host.latency;
  if (!host.p2p) limit_scale_up(host.p2p_rate, group);
  group.nvls = group.nvls && host.nvls && host.p2p;
}

}  // namespace railyard
