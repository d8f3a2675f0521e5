// What the tables of keys are made of: sections, and limits that several keys have.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenario/read/keys.h"

namespace railyard {

// Far beyond anything built, and low enough that products of a few of them stay within 64 bits.
inline const Limits<std::uint32_t> kCount{.min = 1, .max = 1U << 20};
inline const Limits<std::uint32_t> kRanks{.min = 1, .max = 1U << 24};
inline const Limits<std::uint32_t> kGroup{.min = 2, .max = 1U << 24};
inline const Limits<std::uint32_t> kPorts{.min = 1, .max = 1U << 16};
inline const Limits<BitsPerSecond> kRate{.min = 1_Mbps, .max = 100'000_Gbps};
inline const Bytes kLargestBuffer(std::int64_t{1} << 50);
inline const Bytes kLargestQueue = 2_GiB;  // of bytes that wait at one port or in one switch; counted in 32 bits
inline const Limits<Picoseconds> kDelay{.max = Picoseconds(kPicosecondsPerSecond)};
inline const Limits<Picoseconds> kPeriod{.min = 1_ps, .max = Picoseconds(100 * kPicosecondsPerSecond)};

template<class Spec>
std::vector<KeyInfo> infos(std::span<const Key<Spec>> keys) {
  std::vector<KeyInfo> all;
  for (const Key<Spec>& k : keys) all.push_back(k.info);
  return all;
}

/// A section whose keys set fields of `get(scenario)`.
template<class Get, class Spec = std::remove_reference_t<std::invoke_result_t<Get, ScenarioSpec&>>>
Section section(std::string path, std::string help, Get get, std::vector<Key<Spec>> keys) {
  std::vector<KeyInfo> known = infos<Spec>(keys);
  return {std::move(path), std::move(help), std::move(known),
          [get, keys = std::move(keys)](const Document& table, std::span<const std::string> subsections, ScenarioSpec& scenario,
                                        Complaints& complaints, const KeySet& set) {
            read_table<Spec>(table, keys, subsections, get(scenario), complaints, set);
          }};
}

/// [transport] and what is in it.
std::vector<Section> transport_sections();

/// Optional parts of a scenario exist once their section is there.
template<class Spec>
Spec& present(std::optional<Spec>& spec) {
  return spec ? *spec : spec.emplace();
}

}  // namespace railyard
