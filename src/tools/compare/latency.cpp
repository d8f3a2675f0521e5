#include "tools/compare/latency.h"

#include "engine/engine.h"
#include "fabric/routes.h"
#include "telemetry/telemetry.h"

namespace railyard {

namespace {

double one_way_us(const Run& run, EndpointId to) {
  Telemetry telemetry(run.fabric.trunk_ports.size());
  const std::unique_ptr<Engine> engine = make_analytic_engine(run.fabric, run.wire, run.routing, telemetry);
  const Message message{MessageId(0), engine->open(QueuePair{EndpointId(0), to}), kSmallMessage};
  engine->post({&message, 1}, Picoseconds::zero());
  std::vector<Completion> done;
  while (done.empty()) engine->advance(Picoseconds::max(), done);
  return microseconds(done.front().at);
}

}  // namespace

MessageLatency message_latency(const Run& run) {
  const Fabric& f = run.fabric;
  MessageLatency latency;
  const EndpointId from(0);
  for (std::uint32_t i = 1; i < f.endpoints(); i++) {
    const EndpointId to(i);
    if (share_domain(f, from, to) || relay_of(f, from, to) != from) continue;
    const std::size_t links = path_of(f, from, to).size();
    std::optional<double>& slot = links <= 2   ? latency.same_leaf_us
                                  : links <= 4 ? latency.across_leaves_us
                                               : latency.across_pods_us;
    if (!slot) slot = one_way_us(run, to);
    if (latency.same_leaf_us && latency.across_leaves_us && latency.across_pods_us) break;
  }
  return latency;
}

}  // namespace railyard
