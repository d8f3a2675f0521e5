// Mistakes of switches, of cables and of policies, one for each rule.
#include "tools/lint/clean_estate.h"
#include "tools/lint/seeds.h"

namespace railyard {

namespace {

constexpr Picoseconds kOneMillisecond = Picoseconds(1'000'000'000);

/// A change of the policy of leaf 1.
std::function<void(Estate&)> in_policy(std::function<void(QosPolicy&)> change) {
  return [change](Estate& estate) { change(estate.devices[1].policies[0]); };
}
/// Of every switch: so that no one is the odd one out.
std::function<void(Estate&)> in_policies(std::function<void(QosPolicy&)> change) {
  return [change](Estate& estate) {
    for (Device& device : estate.devices)
      if (device.kind == DeviceKind::network_switch) change(device.policies[0]);
  };
}
std::function<void(Estate&)> in_ecn(std::function<void(EcnPolicy&)> change) {
  return in_policies([change](QosPolicy& p) { change(*p.queues[3].ecn); });
}

std::vector<LintSeed> pfc_seeds() {
  return {
      {"RY-LNT-001", in_policies([](QosPolicy& p) { p.pfc |= 1U << 5; })},
      {"RY-LNT-002", in_policies([](QosPolicy& p) {
         p.pfc |= 1U << 4;
         p.class_of_dscp[34] = 4;
         p.group_of_class[4] = 4;
         p.groups[4] = p.groups[3];
         p.queues[4] = p.queues[3];
         p.queues[4].weight = 0;
       })},
      {"RY-LNT-003",
       [](Estate& estate) {
         estate.devices.resize(1);
         QosPolicy& p = estate.devices[0].policies[0];
         for (std::uint8_t c = 2; c < 5; c++) {
           p.pfc |= static_cast<std::uint8_t>(1U << c);
           p.class_of_dscp[c * 8U] = p.group_of_class[c] = c;
           p.groups[c] = p.groups[3], p.queues[c] = p.queues[3];
           p.queues[c].weight = 10;
         }
       }},
      {"RY-LNT-004", in_policies([](QosPolicy& p) { p.groups[3] = {}; })},
      {"RY-LNT-005", in_policies([](QosPolicy& p) { p.groups[5].has_buffer = true; })},
      {"RY-LNT-006",
       [](Estate& estate) {
         estate.devices[1].policies[0].pfc = 0;
         estate.devices[1].policies[0].said["pfc.on"] = {"leaf.cfg", 3, 1};
       }},
      {"RY-LNT-007", in_policies([](QosPolicy& p) { p.queue_of_class[3] = 2, std::swap(p.queues[2], p.queues[3]); })},
      {"RY-LNT-008", in_policies([](QosPolicy& p) { p.link_pause = true; })},
  };
}

std::vector<LintSeed> queue_seeds() {
  return {
      {"RY-LNT-010", in_policies([](QosPolicy& p) { p.queues[3].ecn.reset(); })},
      {"RY-LNT-011", in_ecn([](EcnPolicy& e) { e.marks = false; })},
      {"RY-LNT-012", in_ecn([](EcnPolicy& e) { std::swap(e.kmin, e.kmax); })},
      {"RY-LNT-013", in_ecn([](EcnPolicy& e) { e.kmin = e.kmax, e.pmax = 0.05; })},
      {"RY-LNT-014", in_ecn([](EcnPolicy& e) { e.pmax = 0; })},
      {"RY-LNT-015", in_policies([](QosPolicy& p) { p.groups[3].alpha.reset(), p.groups[3].xoff = Bytes(100'000); })},
      {"RY-LNT-016", in_policies([](QosPolicy& p) { p.groups[3].alpha.reset(), p.groups[3].xoff = Bytes(900'000); })},
      {"RY-LNT-017", in_ecn([](EcnPolicy& e) { e.kmin.value = 6'000'000, e.kmax.value = 7'000'000; })},
      {"RY-LNT-018", in_ecn([](EcnPolicy& e) { e.kmin.value = 1000, e.kmax.value = 5000; })},
      {"RY-LNT-019", in_ecn([](EcnPolicy& e) { e.kmax.value = 1e8; })},
      {"RY-LNT-020", in_policies([](QosPolicy& p) { p.groups[3].headroom = Bytes(40'000); })},
      {"RY-LNT-021",
       [](Estate& estate) {
         for (PortConfig& port : estate.devices[1].ports) port.speed.reset();
         estate.devices[1].policies[0].groups[3].headroom = 0_B;
       }},
      {"RY-LNT-022", in_policies([](QosPolicy& p) { p.groups[3].xon = p.groups[3].xoff = Bytes(4'000'000); })},
      {"RY-LNT-023", in_policies([](QosPolicy& p) { p.groups[3].alpha = 1.0 / 256; })},
      {"RY-LNT-024", in_policies([](QosPolicy& p) { p.queues[3].limit = Bytes(1'000'000); })},
      {"RY-LNT-025",
       [](Estate& estate) {
         BufferConfig& b = estate.devices[1].buffer;
         b.lossless_percent = 66, b.headroom_percent = 24, b.lossy_percent = 20;
       }},
      {"RY-LNT-026", [](Estate& estate) { estate.devices[1].buffer.lossless_percent = 0; }},
      {"RY-LNT-027", [](Estate& estate) { estate.devices[1].buffer.size = Bytes(300'000); }},
      {"RY-LNT-028", [](Estate& estate) { estate.devices[1].buffer.headroom_pool = Bytes(100'000); }},
      {"RY-LNT-030", in_policies([](QosPolicy& p) { p.class_of_dscp[0] = 3; })},
      {"RY-LNT-031", in_policies([](QosPolicy& p) { p.class_of_dscp[8] = 3; })},
      {"RY-LNT-032", in_policies([](QosPolicy& p) { p.class_of_dscp[56] = 3; })},
      {"RY-LNT-033", in_policies([](QosPolicy& p) {
         for (std::size_t d = 16; d < 34; d++) p.class_of_dscp[d] = 3;
       })},
      {"RY-LNT-034", in_policies([](QosPolicy& p) { p.class_of_dscp[10] = 1, p.queue_of_class[1] = 3; })},
      {"RY-LNT-035", in_policies([](QosPolicy& p) {
         p.pfc |= 1U << 4, p.class_of_dscp[34] = 4, p.group_of_class[4] = 4, p.queue_of_class[4] = 3;
       })},
      {"RY-LNT-040", in_policies([](QosPolicy& p) { p.trust = Trust::pcp; })},
      {"RY-LNT-041", in_policies([](QosPolicy& p) { p.trust = Trust::port; })},
      {"RY-LNT-050", in_policies([](QosPolicy& p) { p.queues[3].weight = 1; })},
      {"RY-LNT-051",
       [](Estate& estate) {
         for (std::size_t i = 0; i < 6; i++) {
           estate.devices[i].dialect = Dialect::os10;
           estate.devices[i].policies[0].queues[3].weight = 60;
         }
       }},
      {"RY-LNT-052", in_policies([](QosPolicy& p) { p.queues[3].strict = true; })},
      {"RY-LNT-053", in_policies([](QosPolicy& p) { p.queues[0].strict = true; })},
  };
}

std::vector<LintSeed> watchdog_seeds() {
  return {
      {"RY-LNT-060", in_policies([](QosPolicy& p) { p.watchdog.enabled = false; })},
      {"RY-LNT-061", in_policies([](QosPolicy& p) { p.watchdog.action = StormAction::forward; })},
      {"RY-LNT-062", in_policies([](QosPolicy& p) { p.watchdog.detection = 100 * kOneMillisecond; })},
      {"RY-LNT-063", in_policies([](QosPolicy& p) { p.watchdog.detection = p.watchdog.poll = 5 * kOneMillisecond; })},
      {"RY-LNT-064", in_policies([](QosPolicy& p) { p.watchdog.detection = 5000 * kOneMillisecond; })},
      {"RY-LNT-065", in_policies([](QosPolicy& p) { p.watched = 1; })},
      {"RY-LNT-070", [](Estate& estate) { estate.devices[1].ports[0].mtu = estate.devices[3].ports[1].mtu = 1500_B; }},
      {"RY-LNT-071", [](Estate& estate) { estate.devices[1].ports[3].mtu = 8000_B; }},
      {"RY-LNT-072", [](Estate& estate) { estate.devices[1].ports[0].mtu = 8000_B; }},
      {"RY-LNT-080", in_policies([](QosPolicy& p) { p.pfc_mode = PfcMode::negotiated; })},
  };
}

std::vector<LintSeed> fabric_seeds() {
  return {
      {"RY-LNT-140", in_policy([](QosPolicy& p) { p.class_of_dscp[26] = 1, p.class_of_dscp[3] = 3; })},
      {"RY-LNT-141", in_policies([](QosPolicy& p) {
         p.pfc = 1U << 4, p.class_of_dscp[26] = 4, p.group_of_class[4] = 4, p.groups[4] = p.groups[3],
         std::swap(p.queues[4], p.queues[3]);
       })},
      {"RY-LNT-142", in_policy([](QosPolicy& p) { p.pfc = 0; })},
      {"RY-LNT-143", in_policy([](QosPolicy& p) { p.pfc |= 1U << 5, p.class_of_dscp[40] = p.group_of_class[5] = 5; })},
      {"RY-LNT-150", in_policies([](QosPolicy& p) { p.class_of_dscp[48] = 3; })},
      {"RY-LNT-151", in_policies([](QosPolicy& p) { p.class_of_dscp[48] = 0; })},
      {"RY-LNT-152", in_policies([](QosPolicy& p) { p.queues[6].strict = false; })},
      {"RY-LNT-153", in_policies([](QosPolicy& p) { p.queues[6].ecn = p.queues[3].ecn; })},
      {"RY-LNT-160",
       [](Estate& estate) {
         estate.devices[1].hash.fields = {"src-ip", "dst-ip"};
       }},
      {"RY-LNT-161",
       [](Estate& estate) {
         estate.devices[1].hash.fields = {"src-ip", "dst-ip"};
       }},
      {"RY-LNT-162", [](Estate& estate) { estate.devices[4].hash.seed = 10; }},
      {"RY-LNT-170",
       [](Estate& estate) {
         std::swap(estate.devices[1].ports[0].neighbour, estate.devices[1].ports[1].neighbour);
         estate.devices[3].ports[1].neighbour.clear(), estate.devices[4].ports[1].neighbour.clear();
       }},
      {"RY-LNT-171", [](Estate& estate) { estate.devices[4].ports[1].neighbour = "leaf2"; }},
      {"RY-LNT-172", [](Estate& estate) { estate.devices[1].ports[0].speed = 200_Gbps; }},
      {"RY-LNT-173", [](Estate& estate) { estate.inventory[7].cable = 50_m; }},
      {"RY-LNT-174",
       [](Estate& estate) {
         std::swap(estate.devices[0].ports[4].neighbour_port, estate.devices[1].ports[4].neighbour_port);
         estate.inventory.clear();
       }},
      {"RY-LNT-182", [](Estate& estate) { estate.devices[1].version = "202311"; }},
      {"RY-LNT-184", [](Estate& estate) { estate.devices[1].version = "202311"; }},
      {"RY-LNT-190", in_policy([](QosPolicy& p) { p.queues[3].ecn->kmin.value = 300'000; })},
      {"RY-LNT-191", in_policy([](QosPolicy& p) { p.groups[3].alpha = 0.25; })},
      {"RY-LNT-192", in_policy([](QosPolicy& p) { p.watchdog.detection = 400 * kOneMillisecond; })},
      {"RY-LNT-193", in_policy([](QosPolicy& p) { p.queues[3].weight = 40; })},
      {"RY-LNT-194", in_policy([](QosPolicy& p) { p.class_of_dscp[27] = 3; })},
      {"RY-LNT-195", in_policy([](QosPolicy& p) { p.pfc |= 1U << 5, p.class_of_dscp[40] = p.group_of_class[5] = 5; })},
      {"RY-LNT-196",
       [](Estate& estate) {
         estate.devices[1].policies.emplace_back();
         estate.devices[1].ports[4].policy = 1;
       }},
      {"RY-LNT-200", [](Estate& estate) { estate.allowed.lossless_priorities = 1U << 4; }},
      {"RY-LNT-201",
       [](Estate& estate) {
         estate.allowed.suppressions.push_back({"RY-LNT-060", "leaf1", " ", {"policy.toml", 3, 1}});
       }},
      {"RY-LNT-202",
       [](Estate& estate) {
         estate.allowed.suppressions.push_back({"RY-LNT-999", "", "old", {"policy.toml", 3, 1}});
       }},
  };
}

}  // namespace

std::vector<LintSeed> switch_seeds() {
  std::vector<LintSeed> all;
  for (const auto& some : {pfc_seeds(), queue_seeds(), watchdog_seeds(), fabric_seeds()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace railyard
