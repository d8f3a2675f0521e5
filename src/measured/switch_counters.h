// The readers of counters of switches.
#pragma once

#include <string>

#include "measured/counter_names.h"
#include "measured/read.h"
#include "measured/text.h"

namespace railyard::switch_counters {

/// `show pfc counters|pfcwd stats|queue counters|queue wredcounters|priority-group watermark|interfaces counters` of SONiC.
bool is_sonic(const MeasuredText& text);
void read_sonic(const MeasuredText& text, Measurements& all);

/// COUNTERS_DB of SONiC as JSON.
bool is_sonic_database(const MeasuredText& text);
void read_sonic_database(const MeasuredText& text, Measurements& all);

/// `show priority-flow-control counters` of EOS; `show interface priority-flow-control` and `show queuing interface` of NX-OS.
bool is_eos(const MeasuredText& text);
void read_eos(const MeasuredText& text, Measurements& all);
bool is_nxos(const MeasuredText& text);
void read_nxos(const MeasuredText& text, Measurements& all);

/// `nv show interface swp1 qos roce counters`.
bool is_nvue(const MeasuredText& text);
void read_nvue(const MeasuredText& text, Measurements& all);

/// Adds samples of one port, all with what they mean.
class PortSamples {
 public:
  PortSamples(Measurements& all, std::string device, std::string port, SourceSpan where)
      : all_(all), device_(std::move(device)), port_(std::move(port)), where_(std::move(where)) {}
  void add(std::string_view name, CounterKind kind, std::optional<std::uint32_t> priority, double value) {
    all_.counters.push_back({device_, port_, measured_text::short_text(name), kind, priority, value, 0, where_});
  }

 private:
  Measurements& all_;
  std::string device_, port_;
  SourceSpan where_;
};

}  // namespace railyard::switch_counters
