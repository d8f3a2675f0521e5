// The readers of counters of hosts.
#pragma once

#include "measured/read.h"

namespace railyard::host_counters {

bool is_ethtool(const MeasuredText& text);
void read_ethtool(const MeasuredText& text, Measurements& all);

/// `grep . /sys/class/infiniband/*/ports/*/{counters,hw_counters}/*`.
bool is_sysfs(const MeasuredText& text);
void read_sysfs(const MeasuredText& text, Measurements& all);

/// `rdma statistic show`, and with -j.
bool is_rdma_statistic(const MeasuredText& text);
void read_rdma_statistic(const MeasuredText& text, Measurements& all);
bool is_rdma_json(const MeasuredText& text);
void read_rdma_json(const MeasuredText& text, Measurements& all);

}  // namespace railyard::host_counters
