#include "tools/capture/capture_figures.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "tools/capture/capture_report.h"

namespace railyard {

CaptureFigures figures_of(const CaptureSummary& summary) {
  CaptureFigures out;
  out.flows = summary.flows.once();
  out.hosts = hosts_of(out.flows).size();
  std::map<std::tuple<IpAddress, IpAddress, std::uint16_t>, std::uint64_t> tuples;
  std::map<std::uint16_t, std::uint64_t> ports;
  for (const CapturedFlow* flow : out.flows) {
    out.packets += flow->packets;
    out.flow_bytes += flow->bytes;
    out.payload += flow->payload;
    out.messages += flow->messages.size();
    out.gaps += flow->gaps;
    out.missing += flow->missing;
    out.repeated += flow->repeated;
    out.mice += flow->bytes < kMouseBytes;
    if (flow->bytes > kElephantBytes) out.elephants++, out.elephant_bytes += flow->bytes;
    tuples[{flow->key.source, flow->key.destination, flow->key.source_port}] += flow->bytes;
    ports[flow->key.source_port] += flow->bytes;
  }
  const auto entropy = [](const auto& sums) {
    std::vector<std::uint64_t> parts;
    for (const auto& [key, bytes] : sums) parts.push_back(bytes);
    return entropy_of(parts);
  };
  out.five_tuples = entropy(tuples);
  out.source_ports = entropy(ports);
  return out;
}

std::vector<IpAddress> hosts_of(const std::vector<const CapturedFlow*>& flows) {
  std::set<IpAddress> hosts;
  for (const CapturedFlow* flow : flows) {
    hosts.insert(flow->key.source);
    hosts.insert(flow->key.destination);
  }
  return {hosts.begin(), hosts.end()};
}

CapturedPauses pauses_of(const CaptureSummary& summary, std::size_t priority) {
  CapturedPauses sum;
  for (const InterfaceSummary& one : summary.interfaces) {
    sum.pauses += one.pauses[priority].pauses;
    sum.resumes += one.pauses[priority].resumes;
  }
  return sum;
}

std::uint64_t pause_frames(const CaptureSummary& summary) {
  return summary.frames - summary.roce - summary.link_pauses - summary.other;
}

std::vector<std::uint32_t> busiest_places(const CaptureSummary& summary) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < summary.interfaces.size(); i++)
    if (summary.interfaces[i].frames > 0) places.push_back(i);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return summary.interfaces[a].bytes > summary.interfaces[b].bytes; });
  return places;
}

double rate_of_flow(const CapturedFlow& flow) {
  const std::int64_t span = flow.last_ns - flow.first_ns;
  return span <= 0 ? 0 : static_cast<double>(flow.bytes) * 8e9 / static_cast<double>(span);
}

}  // namespace railyard
