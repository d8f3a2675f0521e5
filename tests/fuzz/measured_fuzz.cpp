// Any bytes as a file of measurements: every reader must answer with values that are numbers and names that can be shown,
// alone and after another file of the same device.
#include <cmath>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/printable.h"
#include "measured/read.h"

namespace {

using namespace railyard;

void check_number(double value) { RY_CHECK(std::isfinite(value), "what was measured is a number"); }
void check_name(const std::string& name) { RY_CHECK(printable(name) == name, "a name can be shown"); }

void check_tests(const Measurements& all) {
  for (const CollectiveTest& test : all.tests) {
    for (const std::string* name : {&test.version, &test.library, &test.collective}) check_name(*name);
    for (const RankPlace& place : test.places) check_name(place.host + place.bus + place.gpu);
    for (const CollectiveRow& row : test.rows) {
      RY_CHECK(row.size.count() >= 0 && row.time_s >= 0 && row.bus_bandwidth >= 0, "nothing measured is below zero");
      check_number(row.time_s + row.algorithm_bandwidth + row.bus_bandwidth);
    }
  }
  for (const PerftestRun& run : all.perftests) {
    check_name(run.device + run.transport + run.link + run.peer + run.tool);
    for (const PerftestRow& row : run.rows) check_number(row.average.value_or(0) + row.average_s.value_or(0));
  }
}

void check_logs(const Measurements& all) {
  for (const LibraryLog& log : all.logs) {
    check_name(log.version + log.network + log.bootstrap);
    for (const LoggedConnection& one : log.connections) check_name(one.host + one.via + one.network);
    for (const LoggedSetting& one : log.settings) check_name(one.host + one.name + one.value);
    for (const LoggedWarning& one : log.warnings) check_name(one.host + one.text);
    for (const auto& [host, hca] : log.gpu_direct_off) check_name(host + hca);
    for (const LoggedChoice& one : log.choices) check_name(one.collective + one.algorithm + one.protocol);
  }
  for (const TrainingLog& log : all.trainings)
    for (const LoggedStep& step : log.steps) check_number(step.seconds + step.tflops.value_or(0) + step.loss.value_or(0));
  for (const RankTrace& trace : all.traces) {
    check_number(trace.seconds + trace.compute_s + trace.exposed_s);
    RY_CHECK(trace.compute_s >= 0 && trace.exposed_s >= 0 && trace.seconds >= 0, "time is not below zero");
    for (const TracedCollective& one : trace.collectives) check_name(one.collective + one.group);
  }
}

void read(const std::string& text, Measurements all) {
  (void)read_measured({"node01/fuzz.txt", "node01", text}, all);
  check_tests(all);
  check_logs(all);
  for (const CounterSample& one : all.counters) {
    check_number(one.value);
    check_name(one.device + one.port + one.name);
  }
  for (const SkippedText& one : all.skipped) RY_CHECK(one.times > 0 && !one.what.empty(), "what was skipped is said");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const Measurements known = [] {
    Measurements all;
    RY_CHECK(read_measured({"node01/a.txt", "node01", "NIC statistics:\n rx_prio3_pause: 5\n"}, all), "what is known is read");
    return all;
  }();
  read(text, {});
  read(text, known);
  return 0;
}
