// What the tables of keys are made of: sections, and limits that several keys have.
#pragma once

#include <optional>
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
inline const Limits<BitsPerSecond> kRateOrBytes{.min = kRate.min, .max = kRate.max, .may_be_bytes = true};
inline const Bytes kLargestBuffer(std::int64_t{1} << 50);
inline const Bytes kLargestQueue = 2_GiB;               // of bytes that wait at one port or in one switch; counted in 32 bits
inline const Millimetres kLongestCable(1'000'000'000);  // 1,000 km
inline const Limits<Picoseconds> kDelay{.max = Picoseconds(kPicosecondsPerSecond)};
inline const Limits<Picoseconds> kPeriod{.min = 1_ps, .max = Picoseconds(100 * kPicosecondsPerSecond)};

/// A key of a section, and where it has an effect if not where the section has.
template<class Spec>
struct TableKey {
  TableKey(Key<Spec> its_key) : key(std::move(its_key)) {}
  Key<Spec> key;
  std::optional<KeyEffect> effect = {};
};

/// A key that has an effect elsewhere than its section, or under more conditions.
template<class Spec>
TableKey<Spec> only(KeyEffect effect, Key<Spec> key) {
  TableKey<Spec> table_key(std::move(key));
  table_key.effect = std::move(effect);
  return table_key;
}

/// A section whose keys set fields of `get(scenario)` and have `effect`, if they do not say otherwise.
template<class Get, class Spec = std::remove_reference_t<std::invoke_result_t<Get, ScenarioSpec&>>>
Section section(std::string path, std::string help, KeyEffect effect, Get get,
                std::type_identity_t<std::vector<TableKey<Spec>>> table) {
  std::vector<ScenarioKey> known;
  std::vector<Key<Spec>> keys;
  for (TableKey<Spec>& line : table) {
    known.push_back({line.key.info, line.effect.value_or(effect)});
    keys.push_back(std::move(line.key));
  }
  return {std::move(path), std::move(help), std::move(effect), std::move(known),
          [get, keys = std::move(keys)](const Document& document, std::span<const std::string> subsections,
                                        ScenarioSpec& scenario, Complaints& complaints, const KeySet& set) {
            read_table<Spec>(document, keys, subsections, get(scenario), complaints, set);
          }};
}

/// [model] and what belongs to it: [training], [parallel], [slice], [jitter].
std::vector<Section> training_sections();

/// [reliability].
std::vector<Section> reliability_sections();

/// [prices] and [cost].
std::vector<Section> cost_sections();

/// [[job]]; as a scenario of its own a job has it as [job].
Section job_section();

/// [serving].
Section serving_section();

/// [engine].
Section engine_section();

/// [host].
Section host_section();

/// [transport] and what is in it.
std::vector<Section> transport_sections();

/// Keys of [transport.dcqcn].
std::vector<TableKey<DcqcnSpec>> dcqcn_keys();

/// [qos] and what is in it.
std::vector<Section> qos_sections();

/// Optional parts of a scenario exist once their section is there.
template<class Spec>
Spec& present(std::optional<Spec>& spec) {
  return spec ? *spec : spec.emplace();
}

}  // namespace railyard
