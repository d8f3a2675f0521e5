// Rules on the class and the NICs that a job asks for.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

bool is_job(const Device& device) {
  return std::any_of(device.environment.begin(), device.environment.end(),
                     [](const auto& v) { return v.first.starts_with("NCCL_") || v.first.starts_with("RCCL_"); });
}

/// Whether the job does not use RDMA at all, or through a plugin that has settings of its own.
bool avoids_verbs(const Device& job) {
  const Setting* const net = variable(job, "NCCL_NET");
  return number_of(job, "NCCL_IB_DISABLE").value_or(0) == 1 || (net && net->value != "IB");
}

template<class F>
void each_verbs_job(const LintView& view, F what) {
  for (const Device* job : jobs_of(view.estate))
    if (is_job(*job) && !avoids_verbs(*job)) what(*job);
}

/// Hosts that a job runs on: those it names, of those that were read; all if it names none.
std::vector<const Device*> hosts_of(const LintView& view, const Device& job) {
  std::vector<const Device*> hosts;
  for (const std::string& node : job.nodes)
    if (const Device* host = view.find(node); host && host->kind == DeviceKind::host) hosts.push_back(host);
  if (!job.nodes.empty()) return hosts;
  for (const Device& device : view.estate.devices)
    if (device.kind == DeviceKind::host) hosts.push_back(&device);
  return hosts;
}

bool is_class_forced(const LintView& view) {
  for (const Device& device : view.estate.devices)
    for (const NicConfig& nic : device.nics)
      if (nic.traffic_class.value_or(0) != 0) return true;
  return false;
}

bool is_best_effort_lossless(const LintView& view) {
  for (const auto* uses : {&view.switches, &view.nics})
    for (const PolicyUse& use : *uses)
      if (is_lossless(*use.policy, 0)) return true;
  return false;
}

void class_not_set(const LintView& view, LintSink& sink) {
  if (!view.has_pfc() || is_class_forced(view) || is_best_effort_lossless(view)) return;
  each_verbs_job(view, [&](const Device& job) {
    const Setting* const tc = variable(job, "NCCL_IB_TC");
    if (tc && number_of(job, "NCCL_IB_TC") != 0) return;
    LintFinding& found =
        sink.add(job, tc ? tc->where : SourceSpan{},
                 fmt::format("NCCL_IB_TC is {}: RDMA goes as best effort (DSCP 0) on a fabric with PFC on priority {}",
                             tc ? "0" : "not set", bits_text(view.switch_pfc | view.nic_pfc)));
    if (view.lossless) found.repairs.push_back({{}, SetEnvironment{"NCCL_IB_TC", std::to_string(*view.lossless << 2 | 2)}});
  });
}

void class_not_a_number(const LintView& view, LintSink& sink) {
  each_verbs_job(view, [&](const Device& job) {
    const Setting* const tc = variable(job, "NCCL_IB_TC");
    const auto number = number_of(job, "NCCL_IB_TC");
    if (!tc || (number && *number >= 0 && *number <= 255)) return;
    sink.add(job, tc->where, fmt::format("NCCL_IB_TC={} is no number from 0 to 255", tc->value));
  });
}

void gid_not_roce_v2(const LintView& view, LintSink& sink) {
  each_verbs_job(view, [&](const Device& job) {
    const auto index = number_of(job, "NCCL_IB_GID_INDEX");
    if (!index || *index < 0) return;
    std::set<std::string> wrong;
    std::string what;
    for (const Device* host : hosts_of(view, job))
      for (const NicConfig& nic : host->nics) {
        if (nic.gids.empty()) continue;
        const auto gid = std::find_if(nic.gids.begin(), nic.gids.end(), [&](const Gid& g) { return g.index == *index; });
        if (gid != nic.gids.end() && gid->roce_version != 1) continue;
        what = gid == nic.gids.end() ? "does not exist" : "is of RoCE v1";
        wrong.insert(host->name + " " + nic.name);
      }
    if (wrong.empty()) return;
    sink.add(job, variable(job, "NCCL_IB_GID_INDEX")->where,
             fmt::format("NCCL_IB_GID_INDEX={} {} on {}", *index, what, some_of({wrong.begin(), wrong.end()})));
  });
}

void gid_not_set(const LintView& view, LintSink& sink) {
  if (!view.has_pfc()) return;
  each_verbs_job(view, [&](const Device& job) {
    if (variable(job, "NCCL_IB_GID_INDEX") || variable(job, "NCCL_IB_ROCE_VERSION_NUM")) return;
    sink.add(job, {}, "NCCL_IB_GID_INDEX is not set: NCCL before 2.21 takes GID 0, which is of RoCE v1");
  });
}

/// What NCCL_IB_HCA says.
struct HcaList {
  bool is_exact = false, excludes = false;
  std::vector<std::string> names;
};
HcaList hca_list(std::string_view text) {
  HcaList list;
  list.excludes = text.starts_with('^');
  if (list.excludes) text.remove_prefix(1);
  list.is_exact = text.starts_with('=');
  if (list.is_exact) text.remove_prefix(1);
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    if (const std::string_view name = one.substr(0, one.find(':')); !name.empty()) list.names.emplace_back(name);
  }
  return list;
}

/// Names of NICs of the hosts of a job; none if they are not known.
std::set<std::string> nic_names(const LintView& view, const Device& job) {
  std::set<std::string> names;
  for (const Device* host : hosts_of(view, job))
    for (const NicConfig& nic : host->nics)
      if (!nic.name.empty()) names.insert(nic.name);
  return names;
}

void hca_prefix(const LintView& view, LintSink& sink) {
  each_verbs_job(view, [&](const Device& job) {
    const Setting* const set = variable(job, "NCCL_IB_HCA");
    if (!set) return;
    const HcaList list = hca_list(set->value);
    if (list.is_exact || list.excludes) return;
    const std::set<std::string> known = nic_names(view, job);
    std::vector<std::string> more;
    for (const std::string& name : list.names) {
      if (!known.contains(name)) continue;  // meant as a prefix
      for (auto it = known.upper_bound(name); it != known.end() && it->starts_with(name); ++it)
        if (std::find(list.names.begin(), list.names.end(), *it) == list.names.end()) more.push_back(*it);
    }
    if (more.empty()) return;
    sink.add(job, set->where, fmt::format("NCCL_IB_HCA={} is a list of prefixes: it takes {} too", set->value, some_of(more)))
        .repairs.push_back({{}, SetEnvironment{"NCCL_IB_HCA", "=" + set->value}});
  });
}

void hca_unknown(const LintView& view, LintSink& sink) {
  each_verbs_job(view, [&](const Device& job) {
    const Setting* const set = variable(job, "NCCL_IB_HCA");
    const std::set<std::string> known = nic_names(view, job);
    if (!set || known.empty()) return;
    const HcaList list = hca_list(set->value);
    std::vector<std::string> missing;
    for (const std::string& name : list.names) {
      const auto it = known.lower_bound(name);
      if (it == known.end() || (list.is_exact ? *it != name : !it->starts_with(name))) missing.push_back(name);
    }
    if (list.excludes || missing.empty()) return;
    sink.add(job, set->where, fmt::format("NCCL_IB_HCA names {}, which no host has", some_of(missing)));
  });
}

constexpr std::string_view kNcclVariables = "NCCL documentation, Environment Variables";

constexpr LintRule kJobClassRules[] = {
    {"RY-LNT-110", Severity::error, 96, "NCCL_IB_TC not set on a fabric with PFC",
     "NCCL's default is 0: all of a job's RDMA is in the lossy default queue, and every loss there goes back N.",
     "NCCL, NCCL_IB_TC (default 0); RCCL too", "Set NCCL_IB_TC to DSCP × 4 + 2 of the lossless class: 106 for DSCP 26.",
     class_not_set},
    {"RY-LNT-111", Severity::error, 80, "NCCL_IB_TC is not a traffic class",
     "NCCL reads a number, and takes what it cannot read for 0.", kNcclVariables,
     "Write a number from 0 to 255: 106 for DSCP 26.", class_not_a_number},
    {"RY-LNT-112", Severity::error, 88, "NCCL_IB_GID_INDEX is not of RoCE v2",
     "RoCE v1 is not routed, has no DSCP, and a GID that does not exist ends the job at its start.", kNcclVariables,
     "Use the index of a RoCE v2 GID (show_gids), or leave it to NCCL 2.21 and later.", gid_not_roce_v2},
    {"RY-LNT-113", Severity::note, 28, "NCCL_IB_GID_INDEX not set", "Older versions take GID 0.",
     "NCCL, NCCL_IB_GID_INDEX and NCCL_IB_ROCE_VERSION_NUM",
     "Set it to the RoCE v2 index (3 on most mlx5), or NCCL_IB_ROCE_VERSION_NUM=2.", gid_not_set},
    {"RY-LNT-114", Severity::warning, 63, "NCCL_IB_HCA takes more NICs than it names",
     "Without a leading = names are prefixes: mlx5_1 takes mlx5_10 to mlx5_19, storage NICs among them.", "NCCL, NCCL_IB_HCA",
     "Write = before the list.", hca_prefix},
    {"RY-LNT-115", Severity::error, 82, "NCCL_IB_HCA names a NIC that does not exist",
     "NCCL uses those that it finds, or falls back to TCP.", "NCCL, NCCL_IB_HCA", "Correct the names (ibv_devices).",
     hca_unknown},
};

}  // namespace

std::span<const LintRule> job_class_rules() { return kJobClassRules; }

}  // namespace railyard
