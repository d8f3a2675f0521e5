// The same messages over the same tree with SimGrid: max-min fair sharing (CM02) with its factors and its TCP window set aside.
//
// simgrid_permutation HOSTSxLEAVESxPODS [TIMES]: over a fat-tree zone, which has routes of its own (destination modulo k).
// simgrid_permutation HOSTSxLEAVESxPODS TIMES ROUTES: over the routes that `permutation` has written, as a full zone.
// Prints hosts, seconds to build, seconds to run, processor seconds, simulated seconds.
#include <fstream>
#include <map>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "../permutation.h"

namespace {

namespace s4u = simgrid::s4u;
using Hosts = std::vector<s4u::Host*>;

constexpr double kLinkBytesPerSecond = static_cast<double>(bench::kLinkBitsPerSecond) / 8;

Hosts fat_tree_zone(const bench::Tree& tree) {
  Hosts hosts(tree.size());
  const auto add_host = [&](s4u::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
    hosts[id] = zone->create_host("h" + std::to_string(id), 1e9);
    return std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>(hosts[id]->get_netpoint(),
                                                                                               nullptr);
  };
  const s4u::FatTreeParams shape(3, {tree.hosts, tree.leaves, tree.pods}, {1, tree.hosts, tree.leaves}, {1, 1, 1});
  s4u::create_fatTree_zone("tree", nullptr, shape, s4u::ClusterCallbacks(add_host), kLinkBytesPerSecond, 0,
                           s4u::Link::SharingPolicy::SPLITDUPLEX)
      ->seal();
  return hosts;
}

/// Every port is a link of its own, and every message has the route that the file gives it.
Hosts explicit_zone(const bench::Tree& tree, const char* file) {
  s4u::NetZone* const zone = s4u::create_full_zone("routes");
  Hosts hosts;
  for (std::uint32_t i = 0; i < tree.size(); i++) hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9));
  std::map<std::uint32_t, s4u::Link*> links;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::uint32_t from = 0, to = 0, port = 0;
    words >> from >> to;
    std::vector<s4u::LinkInRoute> route;
    while (words >> port) {
      s4u::Link*& link = links[port];
      if (!link) link = zone->create_link("p" + std::to_string(port), kLinkBytesPerSecond)->set_latency(0)->seal();
      route.emplace_back(link);
    }
    zone->add_route(hosts[from]->get_netpoint(), hosts[to]->get_netpoint(), nullptr, nullptr, route, false);
  }
  zone->seal();
  return hosts;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Stopwatch watch;
  s4u::Engine engine(&argc, argv);
  const bench::Tree tree = bench::parse_tree(argc > 1 ? argv[1] : "");
  if (tree.size() < 2) return std::fputs("usage: simgrid_permutation HOSTSxLEAVESxPODS [TIMES [ROUTES]]\n", stderr), 2;
  for (const char* setting : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                              "network/bandwidth-factor:1", "network/latency-factor:1", "network/weight-S:0"})
    s4u::Engine::set_config(setting);
  const std::vector<std::uint32_t> to = bench::random_cycle(tree.size());
  const Hosts hosts = argc > 3 ? explicit_zone(tree, argv[3]) : fat_tree_zone(tree);
  watch.built();

  // One actor posts everything, which spares SimGrid an actor and a stack per host.
  std::vector<double> times(hosts.size());
  s4u::Actor::create("all", hosts[0], [&] {
    std::vector<s4u::CommPtr> messages;
    for (std::uint32_t from = 0; from < hosts.size(); from++)
      messages.push_back(
          s4u::Comm::sendto_async(hosts[from], hosts[to[from]], static_cast<std::uint64_t>(bench::kMessageBytes)));
    s4u::Comm::wait_all(messages);
    for (std::size_t i = 0; i < messages.size(); i++) times[i] = messages[i]->get_finish_time();
  });
  engine.run();
  watch.print(tree.size(), s4u::Engine::get_clock());
  if (argc > 2) bench::write_times(argv[2], times);
  return 0;
}
