#include "scenario/resolve/dcqcn_settings.h"

#include "scenario/resolve/dcqcn_presets.h"

namespace railyard {

namespace {

/// What a NIC's tools print, one value at a time.
class NicSettings {
 public:
  explicit NicSettings(const NicConfig& nic) : nic_(nic) {}

  void put(std::string_view name, bool& out) const {
    if (const std::int64_t* value = find(name)) out = *value != 0;
  }
  void put(std::string_view name, std::uint32_t& out) const {
    if (const std::int64_t* value = find(name)) out = static_cast<std::uint32_t>(*value);
  }
  void put(std::string_view name, Picoseconds& out) const {
    if (const std::int64_t* value = find(name)) out = 1_us * *value;
  }
  void put(std::string_view name, BitsPerSecond& out) const {
    if (const std::int64_t* value = find(name)) out = 1_Mbps * *value;
  }
  void put(std::string_view name, Bytes& out) const {
    if (const std::int64_t* value = find(name)) out = Bytes(*value);
  }

 private:
  [[nodiscard]] const std::int64_t* find(std::string_view name) const {
    const auto found = nic_.dcqcn.find(name);
    return found == nic_.dcqcn.end() ? nullptr : &found->second;
  }

  const NicConfig& nic_;
};

bool is_on_for(const std::optional<std::uint8_t>& priorities, std::uint8_t priority) {
  return !priorities || (*priorities >> priority & 1) != 0;
}

}  // namespace

DcqcnPlan with_settings(const DcqcnPlan& usual, const DcqcnTable& table, BitsPerSecond rate) {
  if (!table.given) return usual;
  DcqcnPlan plan = table.has_preset ? dcqcn_set(table.given->preset, rate).dcqcn : usual;
  plan.enabled = usual.enabled;
  each_dcqcn_setting(*table.given, plan, [](auto& out, const auto& given, const char*) {
    if (given) out = *given;
  });
  if (!table.given->enabled) plan.notifies = plan.reacts = false;
  return plan;
}

DcqcnPlan with_settings(const DcqcnPlan& usual, const NicConfig& nic, std::uint8_t priority) {
  DcqcnPlan plan = usual;
  const NicSettings read(nic);
  plan.notifies = plan.notifies && is_on_for(nic.ecn_np, priority);
  plan.reacts = plan.reacts && is_on_for(nic.ecn_rp, priority);
  each_dcqcn_setting(DcqcnSpec{}, plan, [&]<class T>(T& out, const auto&, const char* name) {
    if constexpr (!Choice<T>) read.put(name, out);  // those two are of simulators
  });
  return plan;
}

}  // namespace railyard
