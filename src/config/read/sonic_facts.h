// What tables of SONiC say beside QoS: names, ports, cables, neighbours, pools, hash.
#pragma once

#include <string_view>

#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"

namespace railyard::sonic {

/// The host name in DEVICE_METADATA; empty if there is none, or the one that every switch starts with ("sonic").
std::string_view own_name(const Tables& tables);

/// Adds all of it, and notes tables and fields that nothing reads.
void add_facts(Device& device, const Tables& tables, UnreadNotes& unread);

/// "40m" as a length; none if it is not one.
std::optional<Millimetres> cable_of(std::string_view text);

/// A number of Mb/s as a rate; none if it is out of range.
std::optional<BitsPerSecond> speed_of(std::optional<std::int64_t> megabits);

}  // namespace railyard::sonic
