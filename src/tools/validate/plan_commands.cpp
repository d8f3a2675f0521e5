// Command lists of perftest and nccl-tests for every pair, leaf and pod, and scripts for Slurm.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/validate/plan.h"

namespace railyard {

namespace {

constexpr std::size_t kMostLines = 4096;  // of a list

using ServerPair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::string_view kHead =
    "#!/bin/bash\n# {}\n# hosts.txt names the servers, one a line, in the order of the scenario.\n"
    "mapfile -t HOST < hosts.txt\n";

std::vector<std::vector<std::uint32_t>> groups_of(const std::vector<std::uint32_t>& number) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t server = 0; server < number.size(); server++) {
    if (number[server] >= groups.size()) groups.resize(number[server] + 1);
    groups[number[server]].push_back(server);
  }
  return groups;
}

void zip(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, std::vector<ServerPair>& out) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); i++) out.emplace_back(a[i], b[i]);
}

/// Every server in one pair, as far as they go up.
std::vector<ServerPair> pairs_at(const ValidationCluster& c, const std::string& distance) {
  std::vector<ServerPair> out;
  const auto leaves = groups_of(c.leaf), pods = groups_of(c.pod);
  if (distance == "same-leaf" || distance == "any")
    for (const auto& leaf : leaves)
      for (std::size_t i = 0; i + 1 < leaf.size(); i += 2) out.emplace_back(leaf[i], leaf[i + 1]);
  if (distance == "across-leaves")
    for (const auto& pod : pods) {
      std::vector<std::uint32_t> inside;  // leaves of this pod
      for (const std::uint32_t server : pod)
        if (std::find(inside.begin(), inside.end(), c.leaf[server]) == inside.end()) inside.push_back(c.leaf[server]);
      for (std::size_t i = 0; i + 1 < inside.size(); i += 2) zip(leaves[inside[i]], leaves[inside[i + 1]], out);
    }
  if (distance == "across-pods")
    for (std::size_t i = 0; i + 1 < pods.size(); i += 2) zip(pods[i], pods[i + 1], out);
  return out;
}

std::string perftest_line(const ValidationCluster& c, const std::string& folder, ServerPair pair, std::uint32_t nic,
                          std::string_view tool, std::string_view options) {
  const std::string gid = c.transport == TransportKind::roce ? " -x $GID" : "";
  const std::string command = fmt::format("{} -d {}{} -F {}", tool, device_name(c, nic), gid, options);
  const std::string log = fmt::format("{}/${{HOST[{}]}}", folder, pair.second);
  return fmt::format(
      "mkdir -p {0}; ssh ${{HOST[{1}]}} {2} > /dev/null & sleep 2; ssh ${{HOST[{3}]}} {2} ${{HOST[{1}]}} > {0}/{4}_{5}.txt; "
      "wait\n",
      log, pair.first, command, pair.second, tool, device_name(c, nic));
}

constexpr std::string_view kBandwidth = "-s 8388608 -q 4 -D 10 --report_gbits";
constexpr std::string_view kLatency = "-s 64 -n 10000";

PlanFile perftest_list(const ValidationCluster& c, const std::string& distance) {
  std::string text = fmt::format(fmt::runtime(kHead), "perftest of every NIC with one of its rail, " + distance + ".");
  if (c.transport == TransportKind::roce) text += "GID=3  # of RoCEv2 over IPv4: show_gids, or ibv_devinfo -v\n";
  std::size_t lines = 0, left_out = 0;
  for (const ServerPair& pair : pairs_at(c, distance))
    for (std::uint32_t nic = 0; nic < c.nics_per_node; nic++) {
      if (++lines > kMostLines) {
        left_out++;
        continue;
      }
      const std::string folder = "logs/baseline/" + distance;
      text += perftest_line(c, folder, pair, nic, "ib_write_bw", kBandwidth);
      text += perftest_line(c, folder, pair, nic, "ib_write_lat", kLatency);
    }
  if (left_out > 0) text += fmt::format("# {} more pairs of NICs are left out: this list would be too long.\n", left_out);
  return {fmt::format("commands/perftest_{}.sh", distance), text};
}

/// Two senders to one receiver, by rail.
PlanFile incast_list(const ValidationCluster& c) {
  std::string text = fmt::format(fmt::runtime(kHead), "Two senders to one NIC at once: their rates together fill its port.");
  if (c.transport == TransportKind::roce) text += "GID=3\n";
  const std::string gid = c.transport == TransportKind::roce ? " -x $GID" : "";
  for (std::uint32_t nic = 0; nic < c.nics_per_node; nic++) {
    const std::string command = fmt::format("ib_write_bw -d {}{} -F {}", device_name(c, nic), gid, kBandwidth);
    const std::string folder = fmt::format("logs/synthetic/incast/{}", device_name(c, nic));
    text += fmt::format(
        "mkdir -p {0}; for p in 18515 18516; do ssh ${{HOST[0]}} {1} -p $p > /dev/null & done; sleep 2; "
        "ssh ${{HOST[1]}} {1} -p 18515 ${{HOST[0]}} > {0}/1.txt & ssh ${{HOST[2]}} {1} -p 18516 ${{HOST[0]}} > {0}/2.txt; "
        "wait\n",
        folder, command);
  }
  return {"commands/perftest_incast.sh", text};
}

/// "${HOST[@]:0:16}", a part for every run of neighbours.
std::string host_words(const std::vector<std::uint32_t>& servers) {
  std::string text;
  for (std::size_t i = 0; i < servers.size();) {
    std::size_t end = i + 1;
    while (end < servers.size() && servers[end] == servers[end - 1] + 1) end++;
    text += fmt::format("{}\"${{HOST[@]:{}:{}}}\"", text.empty() ? "" : " ", servers[i], end - i);
    i = end;
  }
  return text;
}

std::vector<std::vector<std::uint32_t>> members_of(const ValidationCluster& c, const TestScope& scope) {
  if (scope.name == "leaf") return groups_of(c.leaf);
  if (scope.name == "pod") return groups_of(c.pod);
  std::vector<std::vector<std::uint32_t>> out;
  if (scope.name == "pair") {
    for (const ServerPair& pair : pairs_at(c, "same-leaf")) out.push_back({pair.first, pair.second});
    if (out.empty()) out.push_back({0, 1});
    return out;
  }
  for (std::uint32_t server = 0; server < c.nodes; server++) {
    if (out.empty() || scope.name == "server") out.emplace_back();
    out.back().push_back(server);
  }
  return out;
}

std::string nccl_line(const ValidationCluster& c, const ExpectedCollective& one, const std::vector<std::uint32_t>& servers,
                      std::size_t group) {
  const std::string test = test_name(one.curve.kind);
  const std::string folder = fmt::format("logs/{}/{}-{}", name_of(one.phase), one.scope.name, group);
  return fmt::format(
      "mkdir -p {0}; mpirun -np {1} --map-by ppr:{2}:node --hostfile <(printf '%s slots={2}\\n' {3}) "
      "-x NCCL_DEBUG=INFO $TESTS/{4}_perf -b 1M -e 8G -f 2 -g 1 -n 20 > {0}/{4}.txt 2>&1\n",
      folder, servers.size() * c.gpus_per_node, c.gpus_per_node, host_words(servers), test);
}

PlanFile nccl_list(const ValidationCluster& c, const TestScope& scope) {
  std::string text = fmt::format(fmt::runtime(kHead),
                                 fmt::format("{} tests, scope {}: {} servers at a time.", c.library, scope.name, scope.nodes));
  text += fmt::format("TESTS=${{TESTS:-/opt/{}-tests/build}}\n", c.library == "RCCL" ? "rccl" : "nccl");
  std::size_t lines = 0;
  const auto groups = members_of(c, scope);
  for (const ExpectedCollective& one : c.collectives) {
    if (one.scope.name != scope.name || one.phase == ValidationPhase::failures) continue;
    for (std::size_t group = 0; group < groups.size() && lines < kMostLines; group++, lines++)
      if (groups[group].size() * c.gpus_per_node >= 2) text += nccl_line(c, one, groups[group], group);
  }
  return {fmt::format("commands/{}_tests_{}.sh", c.library == "RCCL" ? "rccl" : "nccl", scope.name), text};
}

PlanFile slurm_script(const ValidationCluster& c, const TestScope& scope) {
  std::string text = fmt::format(
      "#!/bin/bash\n#SBATCH --job-name=validate-{0}\n#SBATCH --nodes={1}\n#SBATCH --ntasks-per-node={2}\n"
      "#SBATCH --gpus-per-node={2}\n#SBATCH --exclusive\n#SBATCH --time=02:00:00\n#SBATCH --output=validate-{0}-%j.out\n\n"
      "TESTS=${{TESTS:-/opt/{3}-tests/build}}\nexport NCCL_DEBUG=INFO\n",
      scope.name, scope.nodes, c.gpus_per_node, c.library == "RCCL" ? "rccl" : "nccl");
  for (const ExpectedCollective& one : c.collectives) {
    if (one.scope.name != scope.name || one.phase == ValidationPhase::failures) continue;
    const std::string test = test_name(one.curve.kind);
    text += fmt::format(
        "mkdir -p logs/{0}/{1}-$SLURM_JOB_ID && srun --mpi=pmix $TESTS/{2}_perf -b 1M -e 8G -f 2 -g 1 -n 20 "
        "> logs/{0}/{1}-$SLURM_JOB_ID/{2}.txt 2>&1\n",
        name_of(one.phase), scope.name, test);
  }
  return {fmt::format("sbatch/{}.sbatch", scope.name), text};
}

}  // namespace

std::vector<PlanFile> command_files(const ValidationCluster& cluster) {
  std::vector<PlanFile> files;
  for (const NicPair& pair : cluster.pairs) files.push_back(perftest_list(cluster, pair.name));
  if (!cluster.pairs.empty() && cluster.nodes >= 3) files.push_back(incast_list(cluster));
  for (const TestScope& scope : cluster.scopes) {
    files.push_back(nccl_list(cluster, scope));
    files.push_back(slurm_script(cluster, scope));
  }
  return files;
}

}  // namespace railyard
