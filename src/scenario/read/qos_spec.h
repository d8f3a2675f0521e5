// What [qos] says, table by table: for all devices, for a tier of them, for one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/schema.h"
#include "plan/device_qos.h"
#include "qos/device.h"
#include "scenario/read/dcqcn_spec.h"

namespace railyard {

/// Numbers by number, { "26" = 3 }: keys up to kMostKey, values from kLeast to kMost.
template<std::uint32_t kMostKey, std::uint32_t kLeast, std::uint32_t kMost>
struct NumberMap {
  std::map<std::uint32_t, std::uint32_t> entries;
};
using DscpMap = NumberMap<kDscps - 1, 0, kPriorities - 1>;
using PriorityMap = NumberMap<kPriorities - 1, 0, kPriorities - 1>;
using WeightMap = NumberMap<kPriorities - 1, 1, 1000>;

/// Some of 0 to 7; none of them is an answer, too.
struct PrioritySet {
  std::optional<std::uint8_t> bits;
};

/// When queues mark: { "3" = { kmin, kmax, pmax }, "0" = "off" }, "all" for those that are not named; "off" for all.
struct EcnTable {
  struct Row {
    bool off = false;
    std::optional<Threshold> kmin, kmax;
    std::optional<double> pmax;
  };
  std::optional<Row> all;
  std::map<std::uint32_t, Row> queues;
};

/// One table of [qos]: what is not in it is as in the table above it.
struct QosTable {
  std::string from;  // of [qos] alone: where configurations are
  std::optional<Trust> trust;
  DscpMap dscp_to_tc;
  PriorityMap tc_to_queue, tc_to_pg, pg_to_pfc, pfc_to_queue;
  PrioritySet lossless, strict;
  WeightMap weights;
  EcnTable ecn;
  std::optional<double> alpha;
  std::optional<Bytes> xoff, xon, xon_offset, headroom, reserve;
  std::optional<bool> watchdog;
  std::optional<Picoseconds> watchdog_detection, watchdog_restoration, watchdog_poll;
  std::optional<StormAction> watchdog_action;
  std::optional<Millimetres> cable;                  // that headroom is computed for
  std::optional<std::uint32_t> data_mark, cnp_mark;  // of one host
  std::optional<Bytes> mtu;                          // the same
  DcqcnTable dcqcn;                                  // the same
  SourceSpan where;
};

struct QosMarks {
  std::optional<std::uint32_t> data, cnp, background, storage;
};

struct QosSpec {
  QosTable all;
  Estate estate;                             // what is read there
  std::array<QosTable, kDeviceTiers> tiers;  // by DeviceTier
  QosMarks marks;
  struct Single {
    std::string written;  // "spine 2"
    DeviceTier tier = DeviceTier::leaf;
    std::uint32_t index = 0, last = 0;  // the devices from the one to the other
    std::string name;                   // in a drawing
    QosTable table;
    /// Ports of it that do otherwise: those to some neighbours, or some by number.
    struct Ports {
      std::optional<DeviceTier> to;
      std::uint32_t first = 0, last = 0;
      std::string name;  // of a neighbour in a drawing
      QosTable table;
    };
    std::vector<Ports> ports;
  };
  std::vector<Single> devices;  // in the order of the file
};

template<std::uint32_t kMostKey, std::uint32_t kLeast, std::uint32_t kMost>
std::string type_name(std::type_identity<NumberMap<kMostKey, kLeast, kMost>>) {
  return "table of integers";
}
template<std::uint32_t kMostKey, std::uint32_t kLeast, std::uint32_t kMost>
std::string written(const NumberMap<kMostKey, kLeast, kMost>&) {
  return {};
}
void convert_numbers(std::string_view key, const Document& value, std::uint32_t most_key, std::uint32_t least,
                     std::uint32_t most, std::map<std::uint32_t, std::uint32_t>& out, Complaints& complaints);
template<std::uint32_t kMostKey, std::uint32_t kLeast, std::uint32_t kMost>
void convert(std::string_view key, const Document& value, NumberMap<kMostKey, kLeast, kMost>& out,
             const Limits<NumberMap<kMostKey, kLeast, kMost>>&, Complaints& complaints) {
  convert_numbers(key, value, kMostKey, kLeast, kMost, out.entries, complaints);
}

std::string type_name(std::type_identity<PrioritySet>);
std::string written(const PrioritySet& value);
void convert(std::string_view key, const Document& value, PrioritySet& out, const Limits<PrioritySet>&, Complaints& complaints);

std::string type_name(std::type_identity<EcnTable>);
std::string written(const EcnTable& value);
void convert(std::string_view key, const Document& value, EcnTable& out, const Limits<EcnTable>&, Complaints& complaints);

/// [qos.devices]: a table for each of some devices.
void read_qos_devices(const Document& table, std::vector<QosSpec::Single>& devices, Complaints& complaints);

}  // namespace railyard
