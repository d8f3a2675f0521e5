#include "config/write/commands.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/write/testing.h"

namespace railyard {
namespace {

constexpr Dialect kAllDialects[] = {Dialect::sonic,  Dialect::nvue, Dialect::eos,        Dialect::nxos,
                                    Dialect::junos,  Dialect::os10, Dialect::mlnx,       Dialect::niccli,
                                    Dialect::nicctl, Dialect::dcb,  Dialect::environment};

std::vector<Change> all_changes() {
  const QosPolicy policy = roce_policy();
  HashConfig hash;
  hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  hash.seed = 25;
  return {SetTrust{Trust::dscp},
          MapDscp{26, 3},
          MapClass{3, 3, 3},
          SetPfc{3, true},
          SetPfc{5, false},
          SetPfcMode{PfcMode::forced},
          SetLinkPause{false},
          SetEcn{3, policy.queues[3].ecn},
          SetEcn{3, std::nullopt},
          SetScheduling{6, true, 0},
          SetScheduling{3, false, 50},
          SetGroup{3, policy.groups[3]},
          SetWatchdog{policy.watchdog},
          SetMtu{9216_B},
          SetHash{hash},
          SetEnvironment{"NCCL_IB_TC", "106"},
          SetNicClass{"", 106},
          SetCnp{"", 48, 6},
          SetNicEcn{"", 3, true},
          SetDcqcn{"", "rpg_ai_rate", 5},
          SetDcbx{"", false}};
}

Device device_in(Dialect dialect) {
  switch (dialect) {
    case Dialect::mlnx:
    case Dialect::niccli:
    case Dialect::nicctl:
    case Dialect::dcb:
      return host_device(dialect);
    case Dialect::environment:
      return job_device();
    default:
      return switch_device(dialect);
  }
}

/// Nothing is known of it but its language.
Device bare_device(Dialect dialect) {
  Device device;
  device.dialect = dialect;
  return device;
}

TEST(Commands, every_change_is_said_in_every_dialect) {
  for (const Dialect dialect : kAllDialects)
    for (const Change& change : all_changes())
      for (const Device& device : {device_in(dialect), bare_device(dialect)}) {
        const std::vector<std::string> lines = commands_for(device, {{}, change});
        EXPECT_FALSE(lines.empty()) << name_of(dialect) << ": " << in_words(change);
        for (const std::string& line : lines) {
          EXPECT_FALSE(line.empty());
          EXPECT_EQ(line.find('\n'), std::string::npos);
        }
      }
}

struct KnownCommand {
  Dialect dialect;
  Change change;
  const char* line;
};

void expect_command(const KnownCommand& known) {
  const std::vector<std::string> lines = commands_for(device_in(known.dialect), {{}, known.change});
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_NE(std::find(lines.begin(), lines.end(), known.line), lines.end())
      << name_of(known.dialect) << ": '" << known.line << "' is not in\n"
      << all;
}

TEST(Commands, switches_get_their_vendors_own) {
  const QosPolicy policy = roce_policy();
  const KnownCommand known[] = {
      {Dialect::sonic, SetPfc{3, true}, "config interface pfc priority Ethernet0 3 on"},
      {Dialect::sonic, MapDscp{26, 3}, "sonic-db-cli CONFIG_DB hset 'DSCP_TO_TC_MAP|AZURE' 26 3"},
      {Dialect::sonic, SetWatchdog{policy.watchdog}, "pfcwd start --action drop --restoration-time 200 all 200"},
      {Dialect::sonic, SetEcn{3, policy.queues[3].ecn},
       "ecnconfig -p AZURE_LOSSLESS -gmin 1048576 -gmax 2097152 -gdrop 5 -ymin 1048576 -ymax 2097152 -ydrop 5 -rmin 1048576 "
       "-rmax "
       "2097152 -rdrop 5"},
      {Dialect::sonic, SetMtu{9100_B}, "config interface mtu Ethernet8 9100"},
      {Dialect::sonic, SetGroup{3, policy.groups[3]},
       "sonic-db-cli CONFIG_DB hset 'BUFFER_PROFILE|pg_lossless_3_profile' pool ingress_lossless_pool size 394240 xon 19456 "
       "xoff "
       "374784 dynamic_th -3"},
      {Dialect::nvue, MapDscp{26, 3}, "nv set qos mapping default-global dscp 26 switch-priority 3"},
      {Dialect::nvue, SetPfc{3, true}, "nv config apply"},
      {Dialect::nvue, SetWatchdog{policy.watchdog}, "nv set qos pfc-watchdog robustness 2"},
      {Dialect::eos, SetPfc{3, true}, "   priority-flow-control priority 3 no-drop"},
      {Dialect::eos, SetTrust{Trust::dscp}, "   qos trust dscp"},
      {Dialect::eos, MapClass{3, 3, 3}, "qos map traffic-class 3 to tx-queue 3"},
      {Dialect::nxos, SetPfcMode{PfcMode::forced}, "  priority-flow-control mode on"},
      {Dialect::nxos, SetPfc{3, true}, "    pause pfc-cos 3"},
      {Dialect::nxos, SetScheduling{6, true, 0}, "    priority level 1"},
      {Dialect::junos, MapDscp{26, 3},
       "set class-of-service classifiers dscp ROCE forwarding-class TC3 loss-priority low code-points 011010"},
      {Dialect::junos, SetPfc{3, true},
       "set class-of-service congestion-notification-profile ROCE input dscp code-point 011010 pfc"},
      {Dialect::junos, SetMtu{9216_B}, "set interfaces et-0/0/0 mtu 9216"},
      {Dialect::os10, MapDscp{26, 3}, " qos-group 3 dscp 26"},
      {Dialect::os10, SetEcn{3, policy.queues[3].ecn},
       " random-detect color green minimum-threshold 1049 maximum-threshold 2097 drop-probability 5"}};
  for (const KnownCommand& one : known) expect_command(one);
}

TEST(Commands, hosts_and_jobs_get_theirs) {
  const KnownCommand known[] = {
      {Dialect::mlnx, SetPfc{3, true}, "mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0"},
      {Dialect::mlnx, SetPfc{5, true}, "mlnx_qos -i eth0 --pfc 0,0,0,1,0,1,0,0"},
      {Dialect::mlnx, SetTrust{Trust::dscp}, "mlnx_qos -i eth0 --trust dscp"},
      {Dialect::mlnx, SetNicClass{"", 106}, "cma_roce_tos -d mlx5_0 -t 106"},
      {Dialect::mlnx, SetNicClass{"mlx5_0", 106}, "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class"},
      {Dialect::mlnx, SetCnp{"", 48, 6}, "echo 48 > /sys/class/net/eth0/ecn/roce_np/cnp_dscp"},
      {Dialect::mlnx, SetNicEcn{"", 3, true}, "echo 1 > /sys/class/net/eth0/ecn/roce_rp/enable/3"},
      {Dialect::mlnx, SetDcqcn{"", "rpg_ai_rate", 5}, "echo 5 > /sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate"},
      {Dialect::mlnx, SetDcqcn{"", "rpg_byte_reset", 32'767'000},
       "echo 32767 > /sys/class/net/eth0/ecn/roce_rp/rpg_byte_reset"},
      {Dialect::mlnx, SetDcqcn{"", "min_time_between_cnps", 4},
       "echo 4 > /sys/class/net/eth0/ecn/roce_np/min_time_between_cnps"},
      {Dialect::niccli, SetDcqcn{"bnxt_re0", "min_time_between_cnps", 50},
       "echo 0x32 > /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/min_time_bet_cnp"},
      {Dialect::nicctl, SetDcqcn{"ionic_0", "rpg_ai_rate", 160}, "nicctl update dcqcn -r ionic_0 -i 1 --ai-rate 160"},
      {Dialect::nicctl, SetDcqcn{"ionic_0", "clamp_tgt_rate", 1},
       "nicctl update dcqcn -r ionic_0 -i 1 --clamp-target-rate enable"},
      {Dialect::niccli, SetPfc{3, true}, "niccli --dev eth0 qos --pfc --enable 3"},
      {Dialect::niccli, MapDscp{26, 3}, "niccli --dev eth0 qos --apptlv --add --app 3,5,26"},
      {Dialect::nicctl, SetPfc{3, true}, "nicctl update qos pfc --priority 3 --no-drop enable"},
      {Dialect::nicctl, MapDscp{24, 3}, "nicctl update qos dscp-to-priority --dscp 24 --priority 3"},
      {Dialect::dcb, SetPfc{3, true}, "dcb pfc set dev eth0 prio-pfc 3:on"},
      {Dialect::dcb, MapDscp{26, 3}, "dcb app replace dev eth0 dscp-prio 26:3"},
      {Dialect::environment, SetEnvironment{"NCCL_IB_TC", "106"}, "export NCCL_IB_TC=106"},
      {Dialect::environment, SetEnvironment{"NCCL_P2P_DISABLE", ""}, "unset NCCL_P2P_DISABLE"}};
  for (const KnownCommand& one : known) expect_command(one);
}

TEST(Commands, name_the_ports_that_are_meant) {
  const Device leaf = switch_device(Dialect::sonic);
  const std::vector<std::string> lines = commands_for(leaf, {{"Ethernet8"}, SetPfc{3, true}});
  EXPECT_EQ(lines, (std::vector<std::string>{"config interface pfc priority Ethernet8 3 on", "config save -y"}));
  EXPECT_EQ(commands_for(switch_device(Dialect::nvue), {{"swp1"}, MapDscp{26, 3}})[1],
            "nv set interface swp1 qos mapping profile roce");
}

TEST(Commands, say_where_a_change_belongs_that_they_cannot_make) {
  EXPECT_EQ(commands_for(switch_device(Dialect::eos), {{}, SetEnvironment{"NCCL_IB_TC", "106"}}),
            std::vector<std::string>{"! set NCCL_IB_TC=106: this is set on hosts, not on a switch"});
  EXPECT_TRUE(commands_for(job_device(), {{}, SetPfc{3, true}}).front().starts_with("# set PFC on for priority 3"));
}

}  // namespace
}  // namespace railyard
