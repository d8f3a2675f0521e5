// Lines of NCCL's and RCCL's debug logs, each by itself.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measured/measured.h"

namespace railyard::nccl_log {

/// `host:pid:tid [0] NCCL INFO message`, with any prefix before the host.
struct LogLine {
  std::string_view host, message;
  bool warns = false;
};
[[nodiscard]] std::optional<LogLine> log_line(std::string_view line);

/// `Channel 03/0 : 7[3] -> 0[0] [receive] via NET/IB/0/GDRDMA`. Logs of before 2.18 have bus addresses in brackets: those are
/// in `from_bus` and `to_bus`.
struct ChannelLine {
  LoggedConnection connection;
  std::optional<std::uint64_t> from_bus, to_bus;
};
[[nodiscard]] std::optional<ChannelLine> channel_line(std::string_view message);

/// `NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>`.
struct UsingLine {
  std::vector<LoggedHca> hcas;
  bool relaxed_ordering = false;
  std::string_view bootstrap;  // interface
};
[[nodiscard]] std::optional<UsingLine> using_line(std::string_view message);

/// `NCCL_IB_HCA set by environment to mlx5_0`, `NCCL_IB_HCA set to mlx5_0`.
struct SettingLine {
  std::string_view name, value;
};
[[nodiscard]] std::optional<SettingLine> setting_line(std::string_view message);

/// `AllReduce: 8388608 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..15}`, `8388608 Bytes -> Algo 1 proto 2 time 86.1`.
[[nodiscard]] std::optional<LoggedChoice> choice_line(std::string_view message);

/// `16 coll channels, 16 collnet channels, 0 nvls channels, 16 p2p channels, 2 p2p channels per peer`.
struct ChannelCounts {
  std::optional<std::uint32_t> coll, collnet, nvls, p2p;
};
[[nodiscard]] std::optional<ChannelCounts> channel_counts(std::string_view message);

/// "all_reduce" of "AllReduce", "alltoall" of "AlltoAll"; what is unknown stays, in lower case.
[[nodiscard]] std::string collective_name(std::string_view name);

/// "2.26.5" of "NCCL version 2.26.5+cuda12.2" and of "RCCL version : 2.27.7-HEAD:0123abc"; "" if the line has none.
[[nodiscard]] std::string library_version(std::string_view line);

}  // namespace railyard::nccl_log
