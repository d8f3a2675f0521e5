#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "plan/headroom.h"
#include "scenario/resolve/dcqcn_presets.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

/// A star of eight hosts on a switch, at packet fidelity, with more sections and keys of [transport].
Scenario packets(const std::string& more = "", const std::string& fabric = "switch = \"Tomahawk-5\"\n") {
  return testing::scenario_of(
      "name = \"p\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\nnic = \"ConnectX-7\"\n"
      "[engine]\nfidelity = \"packet\"\nseed = 7\n[fabric]\n" +
      fabric + more);
}

std::map<std::string, Input> inputs_of(const Scenario& scenario) {
  std::map<std::string, Input> all;
  for (const Input& input : scenario.inputs) {
    EXPECT_FALSE(all.contains(input.key)) << input.key << " is listed twice";
    all[input.key] = input;
  }
  return all;
}

TEST(ResolvePackets, defaults_are_resolved_and_name_their_source) {
  const Scenario s = packets();
  const PacketPlan& plan = s.packet;
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.buffer.size, Bytes(167'500'000));
  EXPECT_EQ(plan.buffer.alpha, 1.0 / 8);
  EXPECT_EQ(plan.buffer.xon_offset, 3_KiB);
  EXPECT_FALSE(plan.buffer.xoff || plan.buffer.xon || plan.buffer.headroom);
  EXPECT_EQ(plan.ecn.kmin, 1_MiB);
  EXPECT_EQ(plan.ecn.kmax, 2_MiB);
  EXPECT_EQ(plan.ecn.pmax, 0.05);
  EXPECT_EQ(plan.nic.ack, 86_B);
  EXPECT_EQ(plan.nic.cnp, 98_B);
  EXPECT_EQ(plan.headroom.packet, 4096_B + 98_B);
  const auto inputs = inputs_of(s);
  EXPECT_EQ(inputs.at("fabric.buffer").origin.status, Status::published);
  EXPECT_EQ(inputs.at("transport.dcqcn.preset").value, "nvidia-default");
  EXPECT_EQ(inputs.at("transport.pfc.headroom").origin.status, Status::estimated);
  EXPECT_EQ(inputs.at("transport.pfc.response").value, "1.1584 µs");
  EXPECT_EQ(inputs.at("transport.ack_every").origin.status, Status::assumed);
}

TEST(ResolvePackets, ultra_ethernet_trims_where_the_switch_is_known_to) {
  const auto trimming = [](const std::string& fabric, const std::string& more = "") {
    const Scenario s = testing::scenario_of(
        "name = \"p\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\nnic = \"Pollara-400\"\n"
        "[engine]\nfidelity = \"packet\"\n[fabric]\n" +
        fabric + "[transport]\nkind = \"uec\"\n" + more);
    EXPECT_EQ(s.packet.buffer.trim.has_value(), inputs_of(s).at("transport.trimming").value == "true");
    return inputs_of(s).at("transport.trimming");
  };
  EXPECT_EQ(trimming("switch = \"Tomahawk-5\"\n").value, "true");
  EXPECT_EQ(trimming("switch = \"Tomahawk-5\"\n").origin.status, Status::published);
  EXPECT_EQ(trimming("switch = \"Tomahawk-4\"\n").value, "false");
  EXPECT_NE(trimming("switch = \"Tomahawk-4\"\n").origin.source.find("Tomahawk-4 is not known to trim"), std::string::npos);
  EXPECT_EQ(trimming("switch = \"Tomahawk-4\"\n", "trimming = true\n").value, "true");
  EXPECT_EQ(trimming("switch_latency = \"1 us\"\n").value, "true");
}

TEST(ResolvePackets, queue_pairs_are_listed_where_they_choose_paths) {
  const std::string wide = "topology = \"leaf-spine\"\nswitch = \"Tomahawk-5\"\n";
  const auto assumed = inputs_of(packets("", wide));
  ASSERT_TRUE(assumed.contains("transport.qps_per_connection"));
  EXPECT_EQ(assumed.at("transport.qps_per_connection").value, "1");
  EXPECT_EQ(assumed.at("transport.qps_per_connection").origin.status, Status::assumed);
  const auto given = inputs_of(packets("[transport]\nqps_per_connection = 4\n", wide));
  EXPECT_EQ(given.at("transport.qps_per_connection").origin.status, Status::given);
  EXPECT_FALSE(inputs_of(packets()).contains("transport.qps_per_connection"));  // a star has one path
}

TEST(ResolvePackets, controls_bring_their_constants) {
  const Scenario timely = packets("[transport]\ncontrol = \"timely\"\n");
  EXPECT_FALSE(timely.packet.ecn.enabled);
  EXPECT_EQ(inputs_of(timely).at("transport.delay_target").origin.status, Status::published);
  const std::string plain = "link_rate = \"400 Gb/s\"\nswitch_latency = \"1 us\"\n";
  const Scenario ibcc = packets(
      "[transport]\nkind = \"infiniband\"\ncontrol = \"ibcc\"\n[transport.ibcc]\nccti_increase = 2\nccti_timer = \"10 us\"\n",
      plain);
  EXPECT_EQ(ibcc.packet.ecn.kmin, ibcc.packet.ecn.kmax);
  EXPECT_EQ(ibcc.packet.control.ccti_increase, 2U);
  ASSERT_EQ(ibcc.warnings.size(), 1U);
  EXPECT_EQ(ibcc.warnings[0].code, "RY-SCN-134");
  EXPECT_EQ(ibcc.warnings[0].severity, Severity::note);
  EXPECT_EQ(ibcc.packet.control.ccti_timer, 10_us);
  EXPECT_EQ(inputs_of(ibcc).at("transport.ibcc.ccti_limit").origin.status, Status::estimated);
  EXPECT_EQ(inputs_of(ibcc).at("transport.ibcc.ccti_increase").origin.status, Status::given);
}

TEST(ResolvePackets, other_engines_resolve_nothing) {
  const Scenario s = testing::scenario_of(
      "name = \"p\"\n[collective]\nkind = \"all_reduce\"\nsizes = \"1 MB\"\n[cluster]\ngpus = 8\nnic = \"ConnectX-7\"\n"
      "[fabric]\nswitch = \"Tomahawk-5\"\n");
  EXPECT_FALSE(inputs_of(s).contains("fabric.buffer"));
}

TEST(ResolvePackets, classes_follow_from_priorities_and_weights) {
  const auto plain = packets().packet.classes;
  EXPECT_EQ(plain[kControlClass].priority, 6);
  EXPECT_TRUE(plain[kControlClass].strict);
  EXPECT_FALSE(plain[kControlClass].counted || plain[kControlClass].lossless);
  EXPECT_EQ(plain[kDataClass].priority, 3);
  EXPECT_TRUE(plain[kDataClass].lossless && plain[kDataClass].counted);
  EXPECT_FALSE(plain[kDataClass].strict || plain[kBackgroundClass].strict || plain[kBackgroundClass].lossless);
  const auto set = packets(
                       "[transport.pfc]\npriorities = [4, 1]\n[transport.dcqcn]\ncnp_802p_prio = 7\n[transport.classes]\n"
                       "data_weight = 30\nbackground_weight = 60\nbackground_priority = 1\ncontrol_weight = 10\n"
                       "control_counted = true\n")
                       .packet.classes;
  EXPECT_EQ(set[kControlClass].priority, 7);
  EXPECT_EQ(set[kControlClass].weight, 10U);
  EXPECT_FALSE(set[kControlClass].strict);
  EXPECT_TRUE(set[kControlClass].counted);
  EXPECT_EQ(set[kDataClass].priority, 4);
  EXPECT_EQ(set[kDataClass].weight, 30U);
  EXPECT_TRUE(set[kBackgroundClass].lossless);
  EXPECT_EQ(set[kBackgroundClass].weight, 60U);
  EXPECT_FALSE(packets("[transport.pfc]\nenabled = false\n").packet.classes[kDataClass].lossless);
}

TEST(ResolvePackets, classes_of_one_priority_share_a_queue_and_set_nothing_aside_of_their_own) {
  const std::string storage = "[traffic.storage]\nservers = 2\nload = 0.1\n[transport.pfc]\npriorities = [3, 1]\n";
  const auto priorities = [&](int background, int stored) {
    return packets(storage + "[transport.classes]\nbackground_priority = " + std::to_string(background) +
                   "\nstorage_priority = " + std::to_string(stored) + "\n")
        .packet;
  };
  EXPECT_FALSE(packets().packet.classes[kStorageClass].counted);  // nobody stores anything
  const PacketPlan apart = priorities(0, 1);
  EXPECT_EQ(apart.queue_of[kStorageClass], kStorageClass);
  EXPECT_TRUE(apart.classes[kStorageClass].lossless && apart.classes[kStorageClass].counted);
  EXPECT_FALSE(apart.classes[kBackgroundClass].lossless);
  EXPECT_EQ(apart.classes[kStorageClass].weight, 50U);
  const PacketPlan general = priorities(1, 1);
  EXPECT_EQ(general.queue_of[kStorageClass], kBackgroundClass);
  EXPECT_TRUE(general.classes[kBackgroundClass].lossless);
  EXPECT_FALSE(general.classes[kStorageClass].lossless || general.classes[kStorageClass].counted);
  const PacketPlan mixed = priorities(3, 3);
  EXPECT_EQ(mixed.queue_of[kStorageClass], kDataClass);
  EXPECT_EQ(mixed.queue_of[kBackgroundClass], kDataClass);
  EXPECT_FALSE(mixed.classes[kBackgroundClass].lossless || mixed.classes[kBackgroundClass].counted);
}

TEST(ResolvePackets, lossless_priorities_without_traffic_are_counted) {
  const auto idle = [](const std::string& text) { return packets(text).packet.buffer.idle_lossless; };
  EXPECT_EQ(idle(""), 0U);
  EXPECT_EQ(idle("[transport.pfc]\npriorities = [3, 0]\n"), 0U);  // that of background traffic has a class already
  EXPECT_EQ(idle("[transport.pfc]\npriorities = [3, 0, 1, 2, 4, 5]\n"), 4U);
  EXPECT_EQ(idle("[transport.pfc]\npriorities = [3, 1]\n[traffic.storage]\nservers = 2\nload = 0.1\n"), 0U);
  EXPECT_EQ(idle("[transport.pfc]\npriorities = [3, 4]\nenabled = false\n"), 0U);
}

TEST(ResolvePackets, every_key_of_nics_pauses_and_buffers_arrives) {
  const PacketPlan plan =
      packets(
          "buffer = \"9 MB\"\n[transport]\nack_every = 3\nack_size = 64\ncnp_size = 65\nack_class = \"control\"\n"
          "loss_recovery = \"selective-repeat\"\nreorder_window = 5\nwindow = \"100 kB\"\nretransmit_timeout = \"1 ms\"\n"
          "host_rate = \"256 Gb/s\"\nreceive_buffer = \"2 MB\"\n[transport.pfc]\nxoff = \"300 kB\"\nxon = \"200 kB\"\n"
          "headroom = \"90 kB\"\nreserve = \"4 KiB\"\nrelease = \"start\"\nresponse = \"3 us\"\nframe_size = 0\n"
          "watchdog = true\nwatchdog_detection = \"2 ms\"\nwatchdog_restoration = \"3 ms\"\nwatchdog_poll = \"1 ms\"\n"
          "watchdog_action = \"forward\"\n[transport.ecn]\nkmin = \"1 kB\"\nkmax = \"2 kB\"\npmax = 0.5\n")
          .packet;
  EXPECT_EQ(plan.buffer.size, Bytes(9'000'000));
  EXPECT_EQ(plan.nic.ack_every, 3U);
  EXPECT_EQ(plan.nic.ack, 64_B);
  EXPECT_EQ(plan.nic.cnp, 65_B);
  EXPECT_FALSE(plan.nic.ack_with_data);
  EXPECT_EQ(plan.nic.recovery, LossRecovery::selective_repeat);
  EXPECT_EQ(plan.nic.reorder, 5U);
  EXPECT_EQ(plan.nic.window, Bytes(100'000));
  EXPECT_EQ(plan.nic.timeout, 1000_us);
  EXPECT_EQ(plan.nic.host_rate, 256_Gbps);
  EXPECT_EQ(plan.nic.receive_buffer, Bytes(2'000'000));
  EXPECT_EQ(plan.buffer.xoff, Bytes(300'000));
  EXPECT_EQ(plan.buffer.xon, Bytes(200'000));
  EXPECT_EQ(plan.buffer.headroom, Bytes(90'000));
  EXPECT_EQ(plan.buffer.reserve, 4_KiB);
  EXPECT_TRUE(plan.buffer.release_at_start);
  EXPECT_EQ(plan.pfc.response, 3_us);
  EXPECT_EQ(plan.pfc.frame, 0_B);
  EXPECT_TRUE(plan.pfc.watchdog && plan.pfc.watchdog_forwards);
  EXPECT_EQ(plan.pfc.detection, 2000_us);
  EXPECT_EQ(plan.pfc.restoration, 3000_us);
  EXPECT_EQ(plan.pfc.poll, 1000_us);
  EXPECT_EQ(plan.ecn.kmin, Bytes(1000));
  EXPECT_EQ(plan.ecn.kmax, Bytes(2000));
  EXPECT_EQ(plan.ecn.pmax, 0.5);
}

TEST(ResolvePackets, a_fixed_threshold_alone_is_lifted_a_little_below) {
  EXPECT_EQ(packets("[transport.pfc]\nxoff = \"300 KiB\"\n").packet.buffer.xon, 297_KiB);
}

TEST(ResolvePackets, spectrum_has_its_own_formula_and_reserve) {
  const Scenario s = packets("", "switch = \"Spectrum-4\"\ncable = \"100 m\"\n");
  EXPECT_EQ(s.packet.headroom.cell, 192_B);
  EXPECT_EQ(s.packet.headroom.tile, 120_ns);
  EXPECT_EQ(s.packet.buffer.reserve, 19_KiB);
  EXPECT_EQ(inputs_of(s).at("transport.pfc.headroom").origin.status, Status::published);
  EXPECT_EQ(packets("[transport.pfc]\nreserve = 0\n", "switch = \"Spectrum-4\"\n").packet.buffer.reserve, 0_B);
  EXPECT_EQ(packets("", "switch = \"Spectrum-3\"\n").packet.headroom.cell, 144_B);
}

TEST(ResolvePackets, an_unnamed_switch_has_a_buffer_that_holds_its_headroom) {
  EXPECT_EQ(packets("", "switch_latency = \"900 ns\"\n").packet.buffer.size, 64_MiB);
  const Scenario wide = packets("", "switch_latency = \"900 ns\"\ncable = \"2 km\"\ngpus = 512\n");
  EXPECT_GT(wide.packet.buffer.size, headroom_of(wide.packet, 400_Gbps, wide.fabric.link_delay) * 512);
}

TEST(ResolvePackets, flowlets_end_after_the_gap_that_is_given) {
  EXPECT_EQ(packets().packet.flowlet_gap, 50_us);
  EXPECT_EQ(packets("[routing]\npolicy = \"flowlet\"\nflowlet_gap = \"7 us\"\n").packet.flowlet_gap, 7_us);
}

TEST(ResolvePackets, slow_hosts_have_their_rate) {
  const Scenario s = testing::scenario_of(
      "name = \"p\"\n[traffic]\npattern = \"incast\"\nsize = \"1 MB\"\nslow_hosts = [2, 5]\nslow_rate = 0\n[cluster]\n"
      "gpus = 8\nnic = \"ConnectX-7\"\n[engine]\nfidelity = \"packet\"\n[fabric]\nswitch = \"Tomahawk-5\"\n");
  ASSERT_EQ(s.packet.slow.size(), 2U);
  EXPECT_EQ(s.packet.slow[1].host, 5U);
  EXPECT_EQ(s.packet.slow[1].rate, 0_bps);
}

TEST(ResolvePackets, values_that_are_given_win_over_the_parameter_set) {
  const Scenario s = packets(
      "[transport.dcqcn]\npreset = \"hpcc\"\nrpg_ai_rate = \"7 Mb/s\"\ncnp_mode = \"packet\"\nmin_time_between_cnps = \"9 "
      "us\"\n"
      "[transport.ecn]\nkmin = \"50 kB\"\n");
  EXPECT_EQ(s.packet.dcqcn.rpg_ai_rate, 7_Mbps);
  EXPECT_EQ(s.packet.dcqcn.rpg_hai_rate, 800_Mbps);
  EXPECT_FALSE(s.packet.dcqcn.cnp_on_ack);
  EXPECT_EQ(s.packet.dcqcn.min_time_between_cnps, 9_us);
  EXPECT_EQ(s.packet.ecn.kmin, Bytes(50'000));
  EXPECT_EQ(s.packet.ecn.kmax, Bytes(6'400'000));
  const auto inputs = inputs_of(s);
  EXPECT_EQ(inputs.at("transport.dcqcn.rpg_ai_rate").origin.status, Status::given);
  EXPECT_EQ(inputs.at("transport.dcqcn.preset").origin.status, Status::published);
  EXPECT_EQ(inputs.at("transport.ecn.kmin").origin.status, Status::given);
  EXPECT_EQ(inputs.at("transport.ecn.kmax").origin.status, Status::published);
}

TEST(ResolvePackets, timeouts_of_ultra_ethernet_last_many_packets_on_slow_links) {
  const auto timeout = [](const std::string& rate) {
    return testing::scenario_of(
               "name = \"p\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\n[engine]\n"
               "fidelity = \"packet\"\n[transport]\nkind = \"uec\"\n[fabric]\nswitch_latency = \"1 us\"\nlink_rate = \"" +
               rate + "\"\n")
        .packet.nic.timeout;
  };
  EXPECT_EQ(timeout("400 Gb/s"), 1000_us);
  EXPECT_EQ(timeout("10 Gb/s"), 1000_us);
  EXPECT_GT(timeout("1 Gb/s"), transmit_time(4096_B, 1_Gbps) * 256);
}

TEST(ResolvePackets, without_dcqcn_pauses_are_alone) {
  const Scenario s = packets("[transport.dcqcn]\nenabled = false\npreset = \"hpcc\"\n");
  EXPECT_FALSE(s.packet.dcqcn.enabled);
  EXPECT_TRUE(s.packet.pfc.enabled);
  EXPECT_EQ(s.packet.ecn.kmin, 1_MiB);  // thresholds of a set that is not used do not count
}

TEST(DcqcnSets, nvidia_default_is_as_documented) {
  const DcqcnPlan plan = dcqcn_set(DcqcnPreset::nvidia_default, 400_Gbps).dcqcn;
  EXPECT_FALSE(plan.clamp_tgt_rate || plan.cnp_on_ack);
  EXPECT_TRUE(plan.clamp_tgt_rate_after_time_inc);
  EXPECT_EQ(plan.rpg_time_reset, 300_us);
  EXPECT_EQ(plan.rpg_byte_reset, Bytes(32'767'000));  // adapters show 32,767; its unit is estimated
  EXPECT_EQ(plan.rpg_threshold, 1U);
  EXPECT_EQ(plan.rpg_ai_rate, 5_Mbps);
  EXPECT_EQ(plan.rpg_hai_rate, 50_Mbps);
  EXPECT_EQ(plan.rpg_gd, 11U);
  EXPECT_EQ(plan.rpg_min_dec_fac, 50U);
  EXPECT_EQ(plan.rpg_min_rate, 1_Mbps);
  EXPECT_EQ(plan.dce_tcp_g, 1019U);
  EXPECT_EQ(plan.dce_tcp_rtt, 1_us);
  EXPECT_EQ(plan.rate_reduce_monitor_period, 4_us);
  EXPECT_EQ(plan.initial_alpha_value, 1023U);
  EXPECT_EQ(plan.min_time_between_cnps, 4_us);
  EXPECT_EQ(plan.rpg_max_rate, 0_bps);
  EXPECT_EQ(plan.rate_to_set_on_first_cnp, 0_bps);
}

TEST(DcqcnSets, hpcc_grows_with_the_link) {
  const DcqcnSet slow = dcqcn_set(DcqcnPreset::hpcc, 100_Gbps), fast = dcqcn_set(DcqcnPreset::hpcc, 400_Gbps);
  EXPECT_EQ(slow.dcqcn.rpg_ai_rate, 20_Mbps);
  EXPECT_EQ(slow.dcqcn.rpg_hai_rate, 200_Mbps);
  EXPECT_EQ(slow.ecn->kmin, Bytes(400'000));
  EXPECT_EQ(slow.ecn->kmax, Bytes(1'600'000));
  EXPECT_EQ(slow.dcqcn.rpg_byte_reset, 0_B);
  EXPECT_EQ(slow.dcqcn.dce_tcp_g, 1020U);
  EXPECT_EQ(slow.dcqcn.rpg_min_rate, 1000_Mbps);
  EXPECT_TRUE(slow.dcqcn.cnp_on_ack);
  EXPECT_EQ(slow.dcqcn.pacing, RatePacing::at_send);
  EXPECT_EQ(fast.dcqcn.rpg_ai_rate, 80_Mbps);
  EXPECT_EQ(fast.dcqcn.rpg_hai_rate, 800_Mbps);
  EXPECT_EQ(fast.ecn->kmin, Bytes(1'600'000));
  EXPECT_EQ(fast.ecn->kmax, Bytes(6'400'000));
  EXPECT_EQ(fast.ecn->pmax, 0.2);
  const DcqcnPlan paper = dcqcn_set(DcqcnPreset::hpcc_paper, 100_Gbps).dcqcn;
  EXPECT_EQ(paper.dce_tcp_rtt, 50_us);
  EXPECT_EQ(paper.rate_reduce_monitor_period, 50_us);
  EXPECT_EQ(paper.rpg_time_reset, 55_us);
}

TEST(DcqcnSets, congestion_that_is_told_on_acks_has_one_per_packet) {
  const Scenario flagged = packets("[transport.dcqcn]\npreset = \"hpcc\"\n");
  EXPECT_EQ(flagged.packet.nic.ack_every, 1U);  // with 16 a slow flow hears of marks every few hundred microseconds
  EXPECT_EQ(inputs_of(flagged).at("transport.ack_every").origin.status, Status::published);
  EXPECT_EQ(packets("[transport.dcqcn]\npreset = \"hpcc\"\ncnp_mode = \"packet\"\n").packet.nic.ack_every, 16U);
  EXPECT_EQ(packets("[transport]\nack_every = 4\n[transport.dcqcn]\npreset = \"hpcc\"\n").packet.nic.ack_every, 4U);
  EXPECT_EQ(packets("[transport.dcqcn]\nenabled = false\npreset = \"hpcc\"\n").packet.nic.ack_every, 16U);
}

TEST(DcqcnSets, the_papers_grows_with_the_link_where_it_is_asked_to) {
  const DcqcnSet at_40 = dcqcn_set(DcqcnPreset::paper_scaled, 40_Gbps), at_400 = dcqcn_set(DcqcnPreset::paper_scaled, 400_Gbps);
  EXPECT_EQ(at_40.dcqcn.rpg_ai_rate, 40_Mbps);
  EXPECT_EQ(at_400.dcqcn.rpg_ai_rate, 400_Mbps);
  EXPECT_EQ(at_400.dcqcn.rpg_hai_rate, 4000_Mbps);
  EXPECT_EQ(at_400.dcqcn.rpg_byte_reset, Bytes(100'000'000));
  EXPECT_EQ(at_400.dcqcn.rpg_time_reset, 55_us);
  EXPECT_EQ(at_400.ecn->kmax, Bytes(2'000'000));
  EXPECT_EQ(at_400.origin.status, Status::estimated);
}

using CodeList = std::vector<std::string>;

/// Of what is remarked about a scenario.
CodeList remarks_on(const std::string& text) {
  CodeList codes;
  for (const Diagnostic& one : packets(text).warnings) codes.push_back(one.code);
  return codes;
}

TEST(ControlRemarks, name_what_is_surely_not_meant_or_estimated) {
  EXPECT_EQ(remarks_on(""), CodeList{});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\nrpg_byte_reset = \"32767 B\"\n"), CodeList{"RY-SCN-132"});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\nrpg_byte_reset = \"32767 kB\"\n"), CodeList{});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\nrpg_byte_reset = \"0 B\"\n"), CodeList{});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\npreset = \"paper\"\n"), CodeList{"RY-SCN-133"});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\npreset = \"paper\"\nrpg_ai_rate = \"1 Gb/s\"\n"), CodeList{});
  EXPECT_EQ(remarks_on("[transport.dcqcn]\npreset = \"paper-scaled\"\n"), CodeList{});
  EXPECT_EQ(remarks_on("[transport]\nmtu = 1000\n"), CodeList{"RY-SCN-135"});
}

TEST(DcqcnSets, others_have_the_values_of_their_sources) {
  const DcqcnSet paper = dcqcn_set(DcqcnPreset::paper, 40_Gbps);
  EXPECT_TRUE(paper.dcqcn.clamp_tgt_rate);
  EXPECT_EQ(paper.dcqcn.rpg_threshold, 5U);
  EXPECT_EQ(paper.dcqcn.rpg_ai_rate, 40_Mbps);
  EXPECT_EQ(paper.dcqcn.min_time_between_cnps, 50_us);
  EXPECT_EQ(paper.ecn->kmin, Bytes(5'000));
  EXPECT_EQ(paper.ecn->kmax, Bytes(200'000));
  EXPECT_EQ(paper.ecn->pmax, 0.01);
  const DcqcnSet conweave = dcqcn_set(DcqcnPreset::conweave, 100_Gbps);
  EXPECT_EQ(conweave.dcqcn.rpg_ai_rate, 40_Mbps);
  EXPECT_EQ(conweave.dcqcn.rpg_hai_rate, 100_Mbps);
  EXPECT_EQ(conweave.ecn->kmax, Bytes(400'000));
  EXPECT_EQ(dcqcn_set(DcqcnPreset::conweave, 400_Gbps).ecn->kmax, Bytes(400'000));
  const DcqcnSet simai = dcqcn_set(DcqcnPreset::simai, 400_Gbps);
  EXPECT_EQ(simai.dcqcn.rpg_time_reset, 900_us);
  EXPECT_EQ(simai.dcqcn.rpg_hai_rate, 100_Mbps);
  const DcqcnSet pollara = dcqcn_set(DcqcnPreset::amd_pollara, 400_Gbps);
  EXPECT_EQ(pollara.dcqcn.initial_alpha_value, 64U);
  EXPECT_EQ(pollara.dcqcn.dce_tcp_g, 512U);
  EXPECT_EQ(pollara.dcqcn.rpg_byte_reset, 431'068_B);
  EXPECT_FALSE(pollara.ecn);
  const DcqcnSet spirent = dcqcn_set(DcqcnPreset::spirent, 400_Gbps);
  EXPECT_EQ(spirent.dcqcn.rpg_min_rate, 2_Mbps);
  EXPECT_EQ(spirent.dcqcn.rpg_hai_rate, 40_Mbps);
}

TEST(DcqcnSets, simai_has_thresholds_by_the_nearest_speed) {
  const auto kmin = [](BitsPerSecond rate) { return dcqcn_set(DcqcnPreset::simai, rate).ecn->kmin.count(); };
  EXPECT_EQ(kmin(25_Gbps), 400'000);
  EXPECT_EQ(kmin(100_Gbps), 400'000);
  EXPECT_EQ(kmin(200_Gbps), 300'000);
  EXPECT_EQ(kmin(400_Gbps), 800'000);
  EXPECT_EQ(kmin(800_Gbps), 800'000);
  EXPECT_EQ(kmin(1600_Gbps), 600'000);
}

}  // namespace
}  // namespace railyard
