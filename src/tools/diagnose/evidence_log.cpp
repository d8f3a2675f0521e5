// Evidence from debug logs of NCCL and RCCL: NICs, GPUDirect, transports inside servers, channels, warnings.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tools/diagnose/evidence.h"

namespace railyard {

namespace {

/// NICs that a host's connections use, where lines of all its channels are there: some libraries list NICs that no ring uses.
std::optional<std::size_t> nics_in_channels(const LibraryLog& log, const std::string& host) {
  std::set<std::uint32_t> channels, nics;
  for (const LoggedConnection& one : log.connections)
    if (one.host == host && one.via == "NET" && one.nic) channels.insert(one.channel), nics.insert(*one.nic);
  if (!log.channels || channels.size() < *log.channels) return std::nullopt;
  return nics.size();
}

/// NICs that each host's library lists.
void nics(const LibraryLog& log, const Seen& seen, std::vector<Evidence>& out) {
  std::map<std::string, std::set<std::string>> of_host;
  for (const LoggedHca& hca : log.hcas) of_host[hca.host].insert(fmt::format("{}:{}", hca.device, hca.port));
  if (of_host.empty()) return;
  const auto fewest = std::min_element(of_host.begin(), of_host.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const std::size_t used = fewest->second.size(), there = seen.facts.nics_per_node;
  const std::string text =
      fmt::format("{} lists {} NICs of {}", fewest->first.empty() ? "the library" : fewest->first, used, there);
  for (const auto& [host, listed] : of_host) {
    const std::optional<std::size_t> in_channels = nics_in_channels(log, host);
    if (!in_channels || *in_channels == 0 || *in_channels >= std::min(there, listed.size())) continue;
    const std::string idle = fmt::format("channels of {} use {} of the {} NICs it lists", host, *in_channels, listed.size());
    out.push_back({"nic-subset", kProof, idle, log.where});
    return;
  }
  if (used < there) {
    out.push_back({"nic-subset", kStrong, text, log.where});
    out.push_back({"rails-unreachable", kSome, text, log.where});
    return;
  }
  out.push_back({"nic-subset", -kProof, text, log.where});
  out.push_back({"rails-unreachable", -kHint, text, log.where});
}

void network(const LibraryLog& log, std::vector<Evidence>& out) {
  if (log.network.empty() && log.hcas.empty()) return;
  const bool socket = log.network == "Socket";
  out.push_back(
      {"socket", socket ? kProof : -kProof,
       socket ? "the library uses sockets" : fmt::format("the library uses {}", log.network.empty() ? "IB" : log.network),
       log.where});
}

void gpu_direct(const LibraryLog& log, std::vector<Evidence>& out) {
  if (!log.gpu_direct_off.empty()) {
    const auto& [host, hca] = log.gpu_direct_off.front();
    out.push_back(
        {"gpu-direct-off", kProof,
         fmt::format("GPU Direct RDMA is disabled for {} of {} ({} such lines)", hca, host, log.gpu_direct_off.size()),
         log.where});
    return;
  }
  std::size_t across = 0, direct = 0;
  for (const LoggedConnection& connection : log.connections) {
    if (connection.via != "NET" || connection.network == "Socket") continue;
    across++;
    direct += connection.gpu_direct ? 1 : 0;
  }
  if (across > 0 && direct == across)
    out.push_back({"gpu-direct-off", -kProof, fmt::format("all {} connections between servers use GDRDMA", across), log.where});
  else if (across > 0)
    out.push_back({"gpu-direct-off", kStrong,
                   fmt::format("{} of {} connections between servers do without GDRDMA", across - direct, across), log.where});
  else if (log.ring_gpu_direct)
    out.push_back({"gpu-direct-off", *log.ring_gpu_direct ? -kStrong : kStrong,
                   fmt::format("rings are connected with GDR {}", *log.ring_gpu_direct ? 1 : 0), log.where});
}

/// What GPUs of one server talk over.
void inside(const LibraryLog& log, const Seen& seen, std::vector<Evidence>& out) {
  std::size_t shm = 0, p2p = 0;
  for (const LoggedConnection& connection : log.connections) {
    shm += connection.via == "SHM" ? 1 : 0;
    p2p += connection.via == "P2P" ? 1 : 0;
  }
  if (seen.facts.gpus_per_node < 2 || shm + p2p == 0) return;
  if (shm > 0)
    out.push_back({"p2p-off", kStrong, fmt::format("{} connections inside servers go through shared memory", shm), log.where});
  else
    out.push_back({"p2p-off", -kProof, fmt::format("all {} connections inside servers are peer to peer", p2p), log.where});
}

void channels(const LibraryLog& log, const Seen& seen, std::vector<Evidence>& out) {
  if (log.nvls_channels && seen.facts.has_nvls) {
    const bool off = *log.nvls_channels == 0;
    out.push_back({"nvls-off", off ? kStrong : -kProof, fmt::format("{} nvls channels", *log.nvls_channels), log.where});
  }
  if (!log.channels) return;
  constexpr std::uint32_t kUsual = 8;
  out.push_back(
      {"few-channels", *log.channels < kUsual ? kSome : -kStrong, fmt::format("{} channels", *log.channels), log.where});
}

/// Both ends of what goes between servers have the same place in theirs, or another rank stands in.
void rails(const LibraryLog& log, const Seen& seen, std::vector<Evidence>& out) {
  if (!seen.facts.has_rails) return;
  std::size_t across = 0, crossed = 0, proxied = 0;
  for (const LoggedConnection& connection : log.connections) {
    if (connection.via != "NET") continue;
    across++;
    proxied += connection.proxy_rank ? 1 : 0;
    crossed += !connection.proxy_rank && connection.from_device != connection.to_device ? 1 : 0;
  }
  if (across == 0) return;
  if (proxied > 0) out.push_back({"pxn-off", -kProof, fmt::format("{} connections use PXN", proxied), log.where});
  const std::string text = fmt::format("{} of {} connections between servers change rails", crossed, across);
  out.push_back({"cross-rail", crossed * 4 > across ? kSome : -kSome, text, log.where});
}

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// What queue pairs complain of.
void warnings(const LibraryLog& log, std::vector<Evidence>& out) {
  for (const LoggedWarning& warning : log.warnings) {
    const std::string said =
        fmt::format("“{}”{}", warning.text.substr(0, 120), warning.times > 1 ? fmt::format(", {} times", warning.times) : "");
    const auto add = [&](std::string_view cause, double odds) { out.push_back({cause, odds, said, warning.where}); };
    if (has(warning.text, "ibv_create_ah") || has(warning.text, "ibv_modify_qp") ||
        (has(warning.text, "imed out") && has(warning.text, "ibv_"))) {
      add("rails-unreachable", kStrong);
    } else if (has(warning.text, "P2P is disabled") || has(warning.text, "Could not enable P2P")) {
      add("p2p-off", kProof);
    } else if (has(warning.text, "GPU Direct RDMA Disabled")) {
      add("gpu-direct-off", kProof);
    } else if (has(warning.text, "Failed to open libibverbs") || has(warning.text, "NET/IB : No device found")) {
      add("socket", kStrong);
    } else if (has(warning.text, "status=12") || has(warning.text, "retry exceeded") || has(warning.text, "vendor err 129")) {
      add("loss", kSome);
      add("wrong-class", kSome);
      add("bad-cable", kSome);
      add("rails-unreachable", kHint);
    }
  }
}

/// Two ports behind one name: which of them a queue pair takes is the bond's to say.
void bonds(const LibraryLog& log, std::vector<Evidence>& out) {
  for (const LoggedHca& hca : log.hcas)
    if (has(hca.device, "bond"))
      out.push_back({"one-port", kStrong, fmt::format("{} of {} is a bond", hca.device, hca.host), log.where, "bond"});
}

void placement(const LibraryLog& log, std::vector<Evidence>& out) {
  if (log.relaxed_ordering)
    out.push_back({"relaxed-ordering-off", *log.relaxed_ordering ? -kProof : kSome,
                   *log.relaxed_ordering ? "NICs are used with relaxed ordering [RO]" : "NICs are used without [RO]",
                   log.where});
}

}  // namespace

void log_evidence(const Seen& seen, std::vector<Evidence>& out) {
  for (const LibraryLog& log : seen.measured.logs) {
    nics(log, seen, out);
    network(log, out);
    gpu_direct(log, out);
    inside(log, seen, out);
    channels(log, seen, out);
    rails(log, seen, out);
    warnings(log, out);
    bonds(log, out);
    placement(log, out);
  }
}

}  // namespace railyard
