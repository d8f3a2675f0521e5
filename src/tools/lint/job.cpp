// Rules on single variables of NCCL and RCCL.
#include <fmt/format.h>

#include <algorithm>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Jobs and hosts whose variable has the value; proposes another value, or none.
void has_value(const LintView& view, std::string_view name, std::string_view value, std::string_view message, LintSink& sink,
               const std::string& better = {}) {
  for (const Device& device : view.estate.devices) {
    const Setting* const set = variable(device, name);
    if (!set || set->value != value) continue;
    sink.add(device, set->where, fmt::format("{}={}: {}", name, value, message))
        .repairs.push_back({{}, SetEnvironment{std::string(name), better}});
  }
}

void is_below(const LintView& view, std::string_view name, std::int64_t least, std::string_view message, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    const auto number = number_of(device, name);
    if (!number || *number >= least || *number < 0) continue;
    sink.add(device, variable(device, name)->where, fmt::format("{}={}: {}", name, *number, message))
        .repairs.push_back({{}, SetEnvironment{std::string(name), ""}});
  }
}

/// Nothing is proposed: whoever pinned it may have measured.
void is_set(const LintView& view, std::initializer_list<std::string_view> names, std::string_view message, LintSink& sink) {
  for (const Device& device : view.estate.devices)
    for (const std::string_view name : names)
      if (const Setting* const set = variable(device, name); set && !set->value.empty())
        sink.add(device, set->where, fmt::format("{}={}: {}", name, set->value, message));
}

void timeout_small(const LintView& view, LintSink& sink) {
  is_below(view, "NCCL_IB_TIMEOUT", 18, "queue pairs give up before a link that flaps is back", sink);
}
void retries_few(const LintView& view, LintSink& sink) {
  is_below(view, "NCCL_IB_RETRY_CNT", 7, "fewer retries than RDMA allows for", sink);
}
void p2p_off(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_P2P_DISABLE", "1", "GPUs of a host do not use NVLink or PCIe between them", sink);
}
void p2p_local(const LintView& view, LintSink& sink) {
  for (const std::string_view value : {"LOC", "0"})
    has_value(view, "NCCL_P2P_LEVEL", value, "GPUs of a host do not use NVLink or PCIe between them", sink);
}
void gdr_local(const LintView& view, LintSink& sink) {
  for (const std::string_view value : {"LOC", "0"})
    has_value(view, "NCCL_NET_GDR_LEVEL", value, "no NIC reads or writes GPU memory by itself", sink);
}
void nvls_off(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_NVLS_ENABLE", "0", "NVSwitch does not reduce; on H100 and later that costs a third of an all-reduce",
            sink);
}
void pinned_choice(const LintView& view, LintSink& sink) {
  is_set(view, {"NCCL_ALGO", "NCCL_PROTO", "NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"},
         "pins what NCCL chooses by size and topology", sink);
}
void shm_off(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_SHM_DISABLE", "1", "GPUs without peer-to-peer exchange through the network instead of memory", sink);
}
void pxn_off(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_PXN_DISABLE", "1", "all-to-all crosses rails through the spine", sink, "0");
  for (const Device* job : jobs_of(view.estate)) {
    const bool is_rccl = std::any_of(job->environment.begin(), job->environment.end(),
                                     [](const auto& v) { return v.first.starts_with("RCCL_"); });
    if (!is_rccl || variable(*job, "NCCL_PXN_DISABLE")) continue;
    sink.add(*job, {}, "NCCL_PXN_DISABLE is not set, and RCCL has PXN off by default")
        .repairs.push_back({{}, SetEnvironment{"NCCL_PXN_DISABLE", "0"}});
  }
}
void cross_nic(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_CROSS_NIC", "1", "rings may change rails from host to host, through the spine", sink);
}
void split_on_qps(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices)
    if (number_of(device, "NCCL_IB_SPLIT_DATA_ON_QPS") == 1)
      sink.add(device, variable(device, "NCCL_IB_SPLIT_DATA_ON_QPS")->where,
               "NCCL_IB_SPLIT_DATA_ON_QPS=1: every message is cut over all queue pairs");
}
void verbs_off(const LintView& view, LintSink& sink) { has_value(view, "NCCL_IB_DISABLE", "1", "the job uses TCP", sink); }
void socket_net(const LintView& view, LintSink& sink) { has_value(view, "NCCL_NET", "Socket", "the job uses TCP", sink); }
void debug_trace(const LintView& view, LintSink& sink) {
  has_value(view, "NCCL_DEBUG", "TRACE", "every call writes a line", sink, "WARN");
}

void adaptive_routing_on_roce(const LintView& view, LintSink& sink) {
  bool is_static = false, is_dynamic = false;
  for (const Device& device : view.estate.devices) {
    is_static = is_static || !device.hash.fields.empty();
    is_dynamic = is_dynamic || device.hash.dynamic;
  }
  if (!view.has_pfc() || !is_static || is_dynamic) return;
  has_value(view, "NCCL_IB_ADAPTIVE_ROUTING", "1", "no switch here routes adaptively, and messages pay an extra write", sink);
}

void one_queue_pair(const LintView& view, LintSink& sink) {
  const auto hashes = [](const Device& d) {
    return d.kind == DeviceKind::network_switch && !d.hash.fields.empty() && !d.hash.dynamic;
  };
  const auto& devices = view.estate.devices;
  if (std::none_of(devices.begin(), devices.end(), hashes)) return;
  for (const Device* job : jobs_of(view.estate)) {
    const Setting* const set = variable(*job, "NCCL_IB_QPS_PER_CONNECTION");
    if (!variable(*job, "NCCL_IB_TC") || number_of(*job, "NCCL_IB_QPS_PER_CONNECTION").value_or(1) != 1) continue;
    sink.add(*job, set ? set->where : SourceSpan{},
             fmt::format("NCCL_IB_QPS_PER_CONNECTION is {}: each connection is one flow, which a hash puts on one path",
                         set ? "1" : "not set"))
        .repairs.push_back({{}, SetEnvironment{"NCCL_IB_QPS_PER_CONNECTION", "4"}});
  }
}

void host_file_differs(const LintView& view, LintSink& sink) {
  const std::vector<const Device*> jobs = jobs_of(view.estate);
  if (jobs.size() != 1 || is_host_file(*jobs.front())) return;  // whose host it is, is not told
  for (const Device& host : view.estate.devices) {
    if (host.kind != DeviceKind::host && !is_host_file(host)) continue;
    for (const auto& [name, setting] : host.environment) {
      const Setting* const set = variable(*jobs.front(), name);
      if (set && set->value != setting.value)
        sink.add(host, setting.where,
                 fmt::format("{}={} on the host, {} in the job, which wins", name, setting.value, set->value));
    }
  }
}

constexpr std::string_view kNccl = "NCCL documentation, Environment Variables";

constexpr LintRule kJobRules[] = {
    {"RY-LNT-120", Severity::warning, 43, "A short timeout of RDMA",
     "4.096 µs × 2^timeout per try: below 18 a job dies where it could have waited.",
     "NCCL, NCCL_IB_TIMEOUT (default 20; RCCL 18)", "Leave it at its default.", timeout_small},
    {"RY-LNT-121", Severity::warning, 41, "Few retries of RDMA", "A flap of a link ends the job.",
     "NCCL, NCCL_IB_RETRY_CNT (default 7)", "Leave it at 7.", retries_few},
    {"RY-LNT-122", Severity::warning, 70, "Peer-to-peer off",
     "Left from debugging, usually: a host's GPUs exchange through memory.", kNccl, "Remove it.", p2p_off},
    {"RY-LNT-123", Severity::warning, 69, "Peer-to-peer limited to one GPU", "The level LOC never uses peer-to-peer.", kNccl,
     "Remove it.", p2p_local},
    {"RY-LNT-124", Severity::warning, 71, "GPUDirect RDMA off", "All network traffic is staged in host memory.", kNccl,
     "Remove it.", gdr_local},
    {"RY-LNT-125", Severity::note, 33, "NVLS off", "Reduction in the NVSwitch is off.", kNccl, "Remove it on H100 and later.",
     nvls_off},
    {"RY-LNT-126", Severity::note, 26, "Algorithm, protocol or channels pinned",
     "What was best for one size or cluster is pinned for all.", kNccl, "Remove it, unless it was measured here.",
     pinned_choice},
    {"RY-LNT-127", Severity::warning, 49, "Shared memory off", "Hosts without peer-to-peer use the NIC to talk to themselves.",
     kNccl, "Remove it.", shm_off},
    {"RY-LNT-128", Severity::warning, 51, "PXN off",
     "Without PXN, a GPU sends over its own rail to GPUs of other rails: through the spine, in many small messages.",
     "NCCL, NCCL_PXN_DISABLE; RCCL disables PXN by default", "Set NCCL_PXN_DISABLE=0.", pxn_off},
    {"RY-LNT-129", Severity::note, 18, "CROSS_NIC=1",
     "On fabrics with rails, traffic should stay on its rail; 2 lets NCCL choose.", "NCCL, NCCL_CROSS_NIC (default 2)",
     "Remove it, or use 0 on rails.", cross_nic},
    {"RY-LNT-130", Severity::note, 27, "Messages split over queue pairs",
     "It costs up to half on a healthy leaf, and helps where hashing limits: only with evidence.",
     "NCCL, NCCL_IB_SPLIT_DATA_ON_QPS (default 0 since 2.20)", "Measure with 0 and 1.", split_on_qps},
    {"RY-LNT-131", Severity::error, 95, "RDMA off", "Ten to twenty times slower than RDMA.", kNccl, "Remove NCCL_IB_DISABLE.",
     verbs_off},
    {"RY-LNT-132", Severity::error, 94, "NCCL_NET=Socket", "Ten to twenty times slower than RDMA.", kNccl, "Remove NCCL_NET.",
     socket_net},
    {"RY-LNT-133", Severity::note, 21, "Adaptive routing asked for where switches have none",
     "Messages are sent as a write and a second one that signals.", "NCCL, NCCL_IB_ADAPTIVE_ROUTING (default 0 on RoCE)",
     "Remove it.", adaptive_routing_on_roce},
    {"RY-LNT-134", Severity::note, 19, "NCCL_DEBUG=TRACE", "Logs of every call slow a job down and fill disks.", kNccl,
     "Use WARN or INFO.", debug_trace},
    {"RY-LNT-135", Severity::note, 31, "One queue pair per connection on a hashed fabric",
     "Large flows collide on one of several equal paths; more queue pairs are more flows.",
     "NCCL, NCCL_IB_QPS_PER_CONNECTION (default 1)", "Try 2 to 8 with a hash of UDP source ports.", one_queue_pair},
    {"RY-LNT-136", Severity::note, 16, "A variable on a host that the job sets otherwise",
     "/etc/nccl.conf left in an image: it is in force wherever the job does not say otherwise.",
     "NCCL, /etc/nccl.conf and ~/.nccl.conf", "Remove one of the two.", host_file_differs},
};

}  // namespace

std::span<const LintRule> job_rules() { return kJobRules; }

}  // namespace railyard
