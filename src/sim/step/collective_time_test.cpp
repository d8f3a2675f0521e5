#include "sim/step/collective_time.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

const Layout kLayout = on_domains({.tensor = 8, .context = 1, .data = 16, .pipeline = 4}, 8);

ClusterLinks links() { return {.up_rate = 400e9, .out_rate = 50e9, .up_latency = 10_us, .out_latency = 5_us}; }

Op op_of(CollectiveKind kind, const Group& group, Bytes size) {
  Op op{.kind = OpKind::collective, .name = "test"};
  op.collective = kind;
  op.group = group;
  op.size = size;
  return op;
}

TEST(CollectiveTime, inside_a_domain_a_ring_moves_n_minus_1_nths_at_scale_up_rate) {
  const Op gather = op_of(CollectiveKind::all_gather, kLayout.group(GroupKind::tensor), Bytes(800'000'000));
  EXPECT_EQ(collective_time(gather, links()), Picoseconds(1'750'000'000) + 10_us);
  const Op reduce = op_of(CollectiveKind::all_reduce, kLayout.group(GroupKind::tensor), Bytes(800'000'000));
  EXPECT_EQ(collective_time(reduce, links()), Picoseconds(3'500'000'000) + 20_us);
}

TEST(CollectiveTime, on_a_mesh_a_group_has_the_links_among_its_members_alone) {
  ClusterLinks mesh = links();
  mesh.mesh = 8;
  const Layout pairs = on_domains({.tensor = 2, .context = 1, .data = 64, .pipeline = 4}, 8);
  const Op two = op_of(CollectiveKind::all_gather, pairs.group(GroupKind::tensor), Bytes(800'000'000));
  EXPECT_EQ(collective_time(two, mesh), Picoseconds(7'000'000'000) + 10_us);  // half of it over one link of seven
  const Op all = op_of(CollectiveKind::all_gather, kLayout.group(GroupKind::tensor), Bytes(800'000'000));
  EXPECT_EQ(collective_time(all, mesh), collective_time(all, links()));
  EXPECT_EQ(boundary_time(Bytes(400'000'000), false, mesh), Picoseconds(7'000'000'000) + 10_us);
}

TEST(CollectiveTime, across_domains_a_group_with_one_member_each_has_one_nic) {
  const Op gather = op_of(CollectiveKind::all_gather, kLayout.group(GroupKind::data), Bytes(1'600'000'000));
  EXPECT_EQ(collective_time(gather, links()), Picoseconds(30'000'000'000) + 10_us + 5_us * 15);
}

TEST(CollectiveTime, members_that_share_a_domain_share_its_network_links) {
  const Layout flat = on_domains({.tensor = 1, .context = 1, .data = 64, .pipeline = 1}, 8);
  const Op gather = op_of(CollectiveKind::all_gather, flat.group(GroupKind::data), Bytes(6'400'000'000));
  // 6.3 GB over eight NICs of 50 GB/s; each GPU passes on 6.3 GB at 400 GB/s, which is as fast.
  EXPECT_EQ(collective_time(gather, links()), Picoseconds(15'750'000'000) + 10_us + 5_us * 7);
}

TEST(CollectiveTime, an_all_to_all_is_as_slow_as_its_slower_phase) {
  const Layout flat = on_domains({.tensor = 1, .context = 1, .data = 16, .pipeline = 1, .expert = 16}, 8);
  Op op = op_of(CollectiveKind::all_to_all, flat.group(GroupKind::expert), Bytes(400'000'000));
  op.remote = Bytes(100'000'000);
  EXPECT_EQ(collective_time(op, links()), Picoseconds(2'000'000'000) + 15_us);
}

TEST(CollectiveTime, switches_that_add_up_see_a_buffer_once) {
  const auto by_switches = [](CollectiveKind kind, const Group& group) {
    Op op = op_of(kind, group, Bytes(1'600'000'000));
    op.by_switches = true;
    return collective_time(op, links());
  };
  const Group data = kLayout.group(GroupKind::data);  // 16 domains, one member and NIC each
  const Picoseconds once(32'000'000'000), but_one(30'000'000'000);
  EXPECT_EQ(by_switches(CollectiveKind::all_reduce, data), once + 20_us + 5_us);
  EXPECT_EQ(collective_time(op_of(CollectiveKind::all_reduce, data, Bytes(1'600'000'000)), links()),
            but_one * 2 + 20_us + 5_us * 30);  // 2 (n - 1)/n as long in a ring
  // ZeRO gains nothing but hops: a part of 1/n more goes up, and as much comes down as in a ring.
  EXPECT_EQ(by_switches(CollectiveKind::reduce_scatter, data), once + 10_us + 5_us);
  EXPECT_EQ(by_switches(CollectiveKind::all_gather, data), but_one + 10_us + 5_us);
}

TEST(CollectiveTime, members_of_a_domain_add_up_first_and_send_a_part_each) {
  const Layout flat = on_domains({.tensor = 1, .context = 1, .data = 64, .pipeline = 1}, 8);
  Op op = op_of(CollectiveKind::all_reduce, flat.group(GroupKind::data), Bytes(6'400'000'000));
  op.by_switches = true;
  // 0.8 GB at 50 GB/s and the switches' time; inside 2 · 7/8 of the buffer at 400 GB/s, which is longer.
  EXPECT_EQ(collective_time(op, links()), Picoseconds(28'000'000'000) + 20_us + 5_us);
  ClusterLinks fast = links();
  fast.up_rate = 1e12;
  fast.reducing = 300_ns;
  EXPECT_EQ(collective_time(op, fast), Picoseconds(16'000'000'000) + 20_us + 5_us + 300_ns);
  EXPECT_DOUBLE_EQ(sent_by(op).remote, 0.8e9);
  EXPECT_DOUBLE_EQ(sent_by(op).all, 11.2e9 + 0.8e9);
  Op inside = op_of(CollectiveKind::all_reduce, kLayout.group(GroupKind::tensor), Bytes(800'000'000));
  const Picoseconds ring = collective_time(inside, links());
  inside.by_switches = true;
  EXPECT_EQ(collective_time(inside, links()), ring);
}

TEST(CollectiveTime, a_group_of_one_has_nothing_to_do) {
  const Op op = op_of(CollectiveKind::all_reduce, {.kind = GroupKind::context}, Bytes(1'000'000));
  EXPECT_EQ(collective_time(op, links()), 0_ps);
}

TEST(CollectiveTime, messages_inside_a_domain_use_scale_up) {
  EXPECT_EQ(boundary_time(Bytes(50'000'000), true, links()), Picoseconds(1'000'000'000) + 5_us);
  EXPECT_EQ(boundary_time(Bytes(40'000'000), false, links()), Picoseconds(100'000'000) + 10_us);
}

TEST(CollectiveTime, a_group_that_straddles_domains_goes_out_through_its_smaller_part) {
  // Ranks 6 to 11 sit two and four to a node: five sixths of the buffer leave through two NICs.
  const Layout six = on_domains({.tensor = 6, .context = 1, .data = 8, .pipeline = 1}, 8);
  const Op gather = op_of(CollectiveKind::all_gather, six.group(GroupKind::tensor), Bytes(600'000'000));
  EXPECT_EQ(collective_time(gather, links()), Picoseconds(5'000'000'000) + 10_us + 5_us);
}

}  // namespace
}  // namespace railyard
