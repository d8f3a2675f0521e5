#include "export/run_timeline.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "export/timeline_parts.h"

namespace railyard {

namespace {

void add_collectives(const Run& run, const TransferLog& transfers, TraceEvents& events) {
  const std::uint32_t process = events.add_process("collectives");
  for (const CollectiveRun& one : run.collectives) {
    const std::string size = format(one.size);
    events.slice(events.add_track(process, size), fmt::format("{} of {}", name_of(one.kind), size), name_of(one.kind),
                 Picoseconds::zero(), one.time);
    if (!one.telemetry.packets) continue;
    if (transfers.transfers().empty()) add_gpu_transfers("GPUs, " + size, one.telemetry.packets->messages, events);
    add_queue_counters("queues, " + size, run.fabric, *one.telemetry.packets, Picoseconds::zero(), one.observed, events);
  }
}

void add_packets(std::string_view title, const Run& run, const TrafficRun& traffic, Picoseconds begin, TraceEvents& events) {
  if (traffic.telemetry.packets)
    add_queue_counters(title, run.fabric, *traffic.telemetry.packets, begin, traffic.end(), events);
}

}  // namespace

void write_timeline(const Run& run, const Results& results, const TransferLog& transfers, const TextSink& sink) {
  TraceEvents events(
      sink,
      TraceDetails().text("scenario", results.name).text("engine", results.engine).text("fingerprint", results.fingerprint));
  if (run.training) {
    add_stages(*run.training, events);
    add_step_transfers(transfers, events);
    if (results.network) add_tier_counters(*results.network, events);
  } else {
    if (!run.collectives.empty()) add_collectives(run, transfers, events);
    add_gpu_transfers(transfers, events);
  }
  if (run.traffic) add_packets("queues", run, *run.traffic, Picoseconds::zero(), events);
  if (run.packets) add_queue_counters("queues", run.fabric, *run.network->packets, {}, run.training->time, events);
  if (run.slice) add_packets("queues of the slice", run, run.slice->traffic, run.slice->plan.from, events);
  events.finish();
}

}  // namespace railyard
