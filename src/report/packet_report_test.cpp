#include "report/packet_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "report/results_report.h"

namespace railyard {
namespace {

PortRow busy_port() {
  return {.name = "leaf 1023 to spine 511",
          .carried = Bytes(1'234'567'890'123),
          .deepest = Bytes(33'554'431),
          .mean_backlog = 1'234'567.8,
          .utilisation = 0.9987,
          .pauses = 1'234'567,
          .marked = 12'345'678,
          .dropped = 1'234'567,
          .paused_us = 1'234'567.8};
}

/// A run in which everything happened, and often.
Results busy() {
  Results results;
  results.name = "busy";
  results.engine = "packet";
  results.fingerprint = "0123456789abcdef";
  TrafficResults& t = results.traffic.emplace();
  t.pattern = "all-to-all";
  t.hosts = 24'576;
  t.receivers = 24'576;
  t.connections = 67'108'864;
  t.flows.messages = 67'108'864, t.flows.undelivered = 3;
  t.flows.delivered = Bytes(1'234'567'890'123);
  t.flows.fct_us = {.mean = 1234.5, .p50 = 1111.25, .p99 = 98765.4, .max = 123456.75};
  t.flows.slowdown = {.mean = 12.5, .p50 = 11, .p99 = 987.25, .max = 12345.5};
  t.background = t.flows;
  t.makespan_us = 123'456.7;
  t.goodput_gbps = 1'234'567.5;
  PacketResults& p = t.packets.emplace();
  p.hops = 123'456'789'012;
  p.data_hops = 98'765'432'109;
  p.pauses = 12'345'678, p.resumes = 12'345'677, p.storms = 12;
  p.paused_us = 1'234'567.5;
  p.first_port = "leaf 0 to GPU 0", p.first_paused = "spine 4 to leaf 0";
  p.first_us = 12.5;
  p.marked = 123'456'789, p.cnp_sent = 12'345'678, p.cnp_handled = 12'345'670;
  p.drops_by_reason = {1'234'567, 1'234'567, 1'234'567, 1'234'567, 1'234'567};
  p.drops = 6'172'835;
  p.retransmissions = 123'456'789, p.naks = 1'234'567, p.timeouts = 123'456;
  for (const char* name : {"host to leaf", "leaf to spine", "spine to core", "switch to switch"})
    p.tiers.push_back({.name = name,
                       .ports = 24'576,
                       .packets = 123'456'789'012,
                       .pauses = 12'345'678,
                       .marked = 123'456'789,
                       .dropped = 1'234'567,
                       .carried = Bytes(1'234'567'890'123),
                       .mean_utilisation = 0.5,
                       .peak_utilisation = 1,
                       .paused_us = 1'234'567.8,
                       .deepest = Bytes(33'554'431),
                       .buffered_most = Bytes(33'554'431),
                       .headroom_most = Bytes(1'234'567)});
  p.buffers = {{.kind = "leaf", .switches = 1024, .most = Bytes(67'108'863), .mean = Bytes(1'234'567)}};
  p.deepest_ports = p.paused_ports = {busy_port(), busy_port()};
  p.tree.nodes.resize(2);
  p.tree.roots = {0};
  p.tree.depth = 5, p.tree.width = 1234, p.tree.ports = 12'345, p.tree.hosts = 1234, p.tree.cycles = 12;
  p.tree.is_whole = false;
  for (std::uint32_t depth = 0; depth < 6; depth++)
    p.pauses_in_short.lines.push_back(
        {.name = "leaf 1023 to spine 511", .depth = depth, .pauses = 12'345'678, .first_us = 12345.6, .left_out = 123});
  p.pauses_in_full = p.pauses_in_short;
  p.standstills = {{.at_us = 12.5, .is_cycle = true, .ports = {"a to b", "b to c", "c to a"}}};
  return results;
}

TEST(PacketReport, fits_eighty_columns_when_everything_happened) {
  for (const std::size_t width : {std::size_t{80}, std::size_t{200}}) {
    std::ostringstream out;
    write_terminal(results_report(busy()), width, out);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
    EXPECT_NE(out.str().find("ports wait for each other in a cycle"), std::string::npos);
    EXPECT_NE(out.str().find("    leaf 1023 to spine 511 (+123)"), std::string::npos);
  }
}

TEST(PacketReport, results_have_the_keys_that_programs_read) {
  const Document document = results_document(busy(), 1.5);
  const auto number = [&](const char* path) {
    const Document* found = document.at_path(path);
    double storage = 0;
    EXPECT_TRUE(found && found->number(storage)) << path;
    const double* value = found ? found->number(storage) : nullptr;
    return value ? *value : -1;
  };
  EXPECT_EQ(number("flows.fct_us.mean"), 1234.5);
  EXPECT_EQ(number("flows.fct_us.p50"), 1111.25);
  EXPECT_EQ(number("flows.fct_us.p99"), 98765.4);
  EXPECT_EQ(number("flows.fct_us.max"), 123456.75);
  EXPECT_EQ(number("flows.slowdown.max"), 12345.5);
  EXPECT_EQ(number("pfc.pauses"), 12'345'678);
  EXPECT_EQ(number("pfc.resumes"), 12'345'677);
  EXPECT_EQ(number("pfc.paused_us"), 1'234'567.5);
  EXPECT_EQ(*document.at_path("pfc.first_port")->text(), "leaf 0 to GPU 0");
  EXPECT_EQ(number("ecn.marked"), 123'456'789);
  EXPECT_EQ(number("cnp.sent"), 12'345'678);
  EXPECT_EQ(number("drops"), 6'172'835);
  EXPECT_EQ(number("drops_by_reason.headroom"), 1'234'567);
  EXPECT_EQ(number("retransmissions"), 123'456'789);
  EXPECT_EQ(number("goodput_gbps"), 1'234'567.5);
  EXPECT_EQ(number("packet_hops"), 123'456'789'012);
  EXPECT_EQ(number("wall_s"), 1.5);
  EXPECT_EQ(*document.at_path("fingerprint")->text(), "0123456789abcdef");
  EXPECT_EQ(number("worst_ports.deepest[0].deepest_bytes"), 33'554'431);
  EXPECT_EQ(number("tiers[1].headroom_most_bytes"), 1'234'567);
  EXPECT_EQ(number("pause_tree.nodes[2].depth"), 2);
  EXPECT_EQ(*document.at_path("standstills[0].ports[2]")->text(), "c to a");
}

}  // namespace
}  // namespace railyard
