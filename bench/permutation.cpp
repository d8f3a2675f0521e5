// One message from every host to another over a full fat tree, to the end, with the flow engine; every completion is an event.
//
// permutation HOSTSxLEAVESxPODS [TIMES [ROUTES]]: prints hosts, seconds to build, seconds to run, processor seconds, simulated
// seconds. Writes when each message was delivered to TIMES, and to ROUTES the ports that each one took: "from to port port …".
#include <fmt/format.h>

#include <fstream>
#include <numeric>

#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "permutation.h"

namespace {

using namespace railyard;

/// Links without delay, so that nothing but sharing takes time.
Scenario full_fat_tree(const bench::Tree& tree) {
  Scenario s;
  s.name = "permutation";
  s.fabric.topology = Topology::fat_tree;
  s.fabric.hosts_per_leaf = tree.hosts;
  s.fabric.hosts_per_pod = tree.hosts * tree.leaves;
  s.fabric.spines = tree.hosts;
  s.fabric.cores = tree.hosts * tree.leaves;
  s.fabric.endpoints = tree.size();
  s.fabric.link_rate = s.fabric.uplink_rate = s.fabric.core_rate = BitsPerSecond(bench::kLinkBitsPerSecond);
  return s;
}

struct Run {
  std::vector<double> times;
  Picoseconds end;
};

Run play(Engine& engine, const std::vector<std::uint32_t>& to) {
  std::vector<Message> messages;
  for (std::uint32_t from = 0; from < to.size(); from++)
    messages.push_back(
        {MessageId(from), engine.open(QueuePair{EndpointId(from), EndpointId(to[from])}), Bytes(bench::kMessageBytes)});
  engine.post(messages, Picoseconds::zero());
  Run run{.times = std::vector<double>(to.size()), .end = {}};
  std::vector<Completion> done;
  for (std::size_t delivered = 0; delivered < to.size(); delivered += done.size()) {
    done.clear();
    engine.advance(Picoseconds::max(), done);
    for (const Completion& completion : done) {
      run.times[completion.id.index()] = seconds(completion.at);
      run.end = completion.at;
    }
  }
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Stopwatch watch;
  const bench::Tree tree = bench::parse_tree(argc > 1 ? argv[1] : "");
  if (tree.size() < 2) return fmt::print(stderr, "usage: permutation HOSTSxLEAVESxPODS [TIMES [ROUTES]]\n"), 2;
  const std::vector<std::uint32_t> to = bench::random_cycle(tree.size());

  const Result<Fabric> fabric = testing::build_fabric(full_fat_tree(tree));
  if (!fabric) return fmt::print(stderr, "{}\n", fabric.error().front().message), 1;
  watch.built();

  Telemetry telemetry(fabric->trunk_tier.size());
  std::ofstream routes;
  if (argc > 3) {
    routes.open(argv[3]);
    telemetry.on_flow = [&](const Telemetry::Flow& flow) {
      routes << flow.from.index() << ' ' << flow.to.index();
      for (const std::uint32_t port : flow.links) routes << ' ' << port;
      routes << '\n';
    };
  }
  const PathPolicy routing{.policy = RoutingPolicy::ecmp};
  const auto engine = make_flow_engine(*fabric, WireFormat{}, routing, FlowOptions{}, telemetry);
  const Run run = play(*engine, to);
  watch.print(tree.size(), seconds(run.end));
  if (argc > 2) bench::write_times(argv[2], run.times);
  return 0;
}
