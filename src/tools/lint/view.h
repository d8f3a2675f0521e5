// An estate as rules look at it: which policies are in use where, who is cabled to whom, what senders mark.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "qos/device.h"

namespace railyard {

/// A policy with the enabled data ports of a switch, or the NICs of a host, that have it.
struct PolicyUse {
  const Device* device = nullptr;
  const QosPolicy* policy = nullptr;
  std::vector<const PortConfig*> ports;
  std::vector<const NicConfig*> nics;
  bool is_whole = false;  // no port of the device has another

  /// Names for a finding or a repair: none if the whole device is meant. NICs are named by their netdev.
  [[nodiscard]] std::vector<std::string> names() const;
};

/// One end of a cable. Neither port nor NIC: the device was read, that port of it was not.
struct CableEnd {
  const Device* device = nullptr;
  const PortConfig* port = nullptr;
  const NicConfig* nic = nullptr;

  [[nodiscard]] bool is_known() const { return port || nic; }
  [[nodiscard]] const QosPolicy* policy() const;
  [[nodiscard]] std::optional<Bytes> mtu() const;
  [[nodiscard]] std::optional<BitsPerSecond> speed() const;
  [[nodiscard]] std::string name() const;  // "leaf01 Ethernet4"
};
struct PatchedCable {
  CableEnd a, b;  // both known; a switch before a host, else by name
};

/// A DSCP that somebody puts on data.
struct SentMark {
  std::uint8_t dscp = 0;
  std::string said;  // "NCCL_IB_TC=106", by the first who sends it
  const Device* device = nullptr;
  SourceSpan where;
  struct Sender {
    const Device* device;
    std::string setting;  // "traffic class 96"
    std::string nic;      // empty: a variable of the job or host
    SourceSpan where;
  };
  std::vector<Sender> senders = {};  // all of them
};

struct LintView {
  explicit LintView(const Estate& of);

  const Estate& estate;
  std::vector<PolicyUse> switches, nics;
  std::vector<PatchedCable> cables;
  std::vector<SentMark> marks;           // of data, each DSCP once
  std::vector<SentMark> cnps;            // of CNPs, each DSCP once
  std::uint8_t switch_pfc = 0;           // priorities that any switch has PFC on for
  std::uint8_t nic_pfc = 0;              // and any NIC
  std::optional<std::uint8_t> lossless;  // a DSCP that is lossless wherever PFC is on: 26 or 24 if they are

  [[nodiscard]] bool has_pfc() const { return (switch_pfc | nic_pfc) != 0; }
  [[nodiscard]] const Device* find(std::string_view name) const;
  [[nodiscard]] CableEnd find(std::string_view device, std::string_view port) const;
  /// As read, else as the inventory has it.
  [[nodiscard]] Role role_of(const Device& device) const;

 private:
  struct Parts {
    std::unordered_map<std::string_view, const PortConfig*> ports;
    std::unordered_map<std::string_view, const NicConfig*> nics;
  };
  void index();
  void find_uses();
  void find_cables();
  void find_marks();

  std::unordered_map<std::string_view, const Device*> devices_;
  std::unordered_map<const Device*, Parts> parts_;
  std::unordered_map<std::string_view, Role> roles_;
};

/// Whether a device is told of as a member of the fabric: leaf, spine or core.
[[nodiscard]] bool is_fabric(Role role);

/// Classes that a packet can get under the policy's trust, as bits.
[[nodiscard]] std::uint8_t reachable_classes(const QosPolicy& policy);
/// Of those: classes that senders are paused for.
[[nodiscard]] std::uint8_t lossless_classes(const QosPolicy& policy);
/// The queues of those.
[[nodiscard]] std::uint8_t lossless_queues(const QosPolicy& policy);
/// Whether packets with this DSCP are lossless; PCP, where it is trusted, is the priority that the DSCP has by eights.
[[nodiscard]] bool is_lossless(const QosPolicy& policy, std::uint8_t dscp);
[[nodiscard]] std::uint8_t class_of_mark(const QosPolicy& policy, std::uint8_t dscp);

[[nodiscard]] constexpr bool has_bit(std::uint8_t bits, std::size_t which) { return (bits >> which & 1) != 0; }
/// "3" or "3, 4"; "none"
[[nodiscard]] std::string bits_text(std::uint8_t bits);
/// "a, b, c and 5 more"
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 4);

/// Whether a policy says something of this: "pfc" where "pfc" or "pfc.3" was said.
[[nodiscard]] bool says(const QosPolicy& policy, std::string_view what);
/// Whether what a device does not say is known to be off: some policy of it says something of this, or the files are a whole
/// configuration (with models, versions, speeds or frame sizes) and not a part of one.
[[nodiscard]] bool tells_of(const Device& device, std::string_view what);

/// Where the first of these was said; the device's file if none was.
[[nodiscard]] SourceSpan place_of(const Device& device, const QosPolicy& policy, std::initializer_list<std::string> what);
[[nodiscard]] SourceSpan place_of(const Device& device, const NicConfig& nic, std::initializer_list<std::string_view> what);

/// Whether a job is no job but the file of variables that a host has: /etc/nccl.conf in its folder.
[[nodiscard]] bool is_host_file(const Device& device);
/// Jobs that were read, those of hosts' own files only where there are no others.
[[nodiscard]] std::vector<const Device*> jobs_of(const Estate& estate);

/// A variable of a job or a host; nullptr if it is not set.
[[nodiscard]] const Setting* variable(const Device& device, std::string_view name);
/// Its value as a number, if it is one.
[[nodiscard]] std::optional<std::int64_t> number_of(const Device& device, std::string_view name);

/// Frames that RDMA with a path MTU of 4096 needs (NVIDIA's advice).
inline constexpr Bytes kRoceMtu = 4200_B;

}  // namespace railyard
