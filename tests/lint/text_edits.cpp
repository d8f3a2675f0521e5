#include "lint/mistakes.h"

namespace railyard {

namespace {

constexpr TextEdit kTextEdits[] = {
    {"sonic", "004", "config_db.json", "      \"xoff\": \"130000\",\n", ""},
    {"sonic", "162", "spine1/facts.json", "  \"DEVICE_NEIGHBOR\"",
     "  \"SWITCH_TABLE\": {\"switch\": {\"ecmp_hash_seed\": \"0\"}},\n  \"DEVICE_NEIGHBOR\""},

    {"nvue", "015", "startup.nvue", "", "nv set qos pfc default-global xoff-threshold 100000\n"},
    {"nvue", "016", "startup.nvue", "", "nv set qos pfc default-global xoff-threshold 900000\n"},
    {"nvue", "020", "startup.nvue", "",
     "nv set qos pfc default-global xoff-threshold 8000000\nnv set qos pfc default-global port-buffer 8040000\n"},
    {"nvue", "021", "leaf1/startup.nvue", "",
     "nv set qos pfc default-global xoff-threshold 8000000\nnv set qos pfc default-global port-buffer 8000000\n"},
    {"nvue", "021", "leaf1/startup.nvue", " link speed 400G", " link state up"},
    {"nvue", "025", "leaf1/startup.nvue", "default-lossless memory-percent 50", "default-lossless memory-percent 70"},
    {"nvue", "026", "leaf1/startup.nvue", "nv set qos traffic-pool default-lossless memory-percent 50\n", ""},
    {"nvue", "026", "leaf1/startup.nvue", "default-lossy memory-percent 50", "default-lossy memory-percent 100"},
    {"nvue", "051", "startup.nvue", "traffic-class 3 bw-percent 50", "traffic-class 3 bw-percent 60"},
    {"nvue", "191", "startup.nvue", "", "nv set qos pfc default-global xoff-threshold 8000000\n"},
    {"nvue", "191", "leaf1/startup.nvue", "xoff-threshold 8000000", "xoff-threshold 7000000"},

    {"eos", "006", "leaf1/running.cfg", "   priority-flow-control priority 3 no-drop\n", ""},
    {"eos", "040", "running.cfg", "qos trust dscp", "qos trust cos"},
    {"eos", "051", "running.cfg", "tx-queue 3\n      no priority\n      bandwidth percent 50",
     "tx-queue 3\n      no priority\n      bandwidth percent 60"},
    {"eos", "061", "running.cfg", "watchdog port action drop", "watchdog port action notify-only"},
    {"eos", "196", "leaf1/running.cfg",
     "interface Ethernet10/1\n   description to host1 eth1\n   speed 400g-8\n   mtu 9216\n   service-profile ROCE\n",
     "interface Ethernet10/1\n   description to host1 eth1\n   speed 400g-8\n   mtu 9216\n"},

    {"nxos", "006", "leaf1/running.cfg", "    pause pfc-cos 3\n", ""},
    {"nxos", "015", "running.cfg", "pause pfc-cos 3",
     "pause buffer-size 230000 pause-threshold 100000 resume-threshold 50000 pfc-cos 3"},
    {"nxos", "016", "running.cfg", "pause pfc-cos 3",
     "pause buffer-size 1030000 pause-threshold 900000 resume-threshold 50000 pfc-cos 3"},
    {"nxos", "020", "running.cfg", "pause pfc-cos 3",
     "pause buffer-size 8040000 pause-threshold 8000000 resume-threshold 50000 pfc-cos 3"},
    {"nxos", "021", "leaf1/running.cfg", "pause pfc-cos 3",
     "pause buffer-size 8000000 pause-threshold 8000000 resume-threshold 50000 pfc-cos 3"},
    {"nxos", "021", "leaf1/running.cfg", "  speed 400000\n", ""},
    {"nxos", "022", "running.cfg", "pause pfc-cos 3",
     "pause buffer-size 4130000 pause-threshold 4000000 resume-threshold 4000000 pfc-cos 3"},
    {"nxos", "024", "running.cfg", "    random-detect minimum", "    queue-limit 1000 kbytes\n    random-detect minimum"},
    {"nxos", "051", "running.cfg", "c-out-8q-q3\n    bandwidth remaining percent 50",
     "c-out-8q-q3\n    bandwidth remaining percent 60"},
    {"nxos", "061", "running.cfg", "watch-dog-interval on", "watch-dog-interval on disable-action"},
    {"nxos", "191", "running.cfg", "pause pfc-cos 3",
     "pause buffer-size 8130000 pause-threshold 8000000 resume-threshold 50000 pfc-cos 3"},
    {"nxos", "191", "leaf1/running.cfg", "pause-threshold 8000000", "pause-threshold 7000000"},
    {"nxos", "196", "leaf1/running.cfg",
     "interface Ethernet1/10\n  description to host1 eth1\n  speed 400000\n  mtu 9216\n  priority-flow-control mode on\n  "
     "priority-flow-control watch-dog-interval on\n  service-policy type qos input ROCE-IN\n",
     "interface Ethernet1/10\n  description to host1 eth1\n  speed 400000\n  mtu 9216\n  priority-flow-control mode off\n"},

    {"junos", "005", "junos.conf", "class TC5 queue-num 5;", "class TC5 queue-num 5 no-loss pfc-priority 5;"},
    {"junos", "006", "leaf1/junos.conf", "code-point 011010 { pfc; }", ""},
    {"junos", "007", "junos.conf", "flow-control-queue 3", "flow-control-queue 2"},
    {"junos", "051", "junos.conf", "ROCE-3 {\n            transmit-rate percent 50;",
     "ROCE-3 {\n            transmit-rate percent 60;"},
    {"junos", "062", "junos.conf", "recovery 200;", "recovery 100;"},

    {"os10", "006", "leaf1/running.cfg", " service-policy input type network-qos pfc\n", ""},
    {"os10", "191", "leaf1/running.cfg", "pause-threshold 8000 ", "pause-threshold 7000 "},

    {"mlnx", "051", "host1/setup.sh", "",
     "mlnx_qos -i eth1 --tsa ets,vendor,vendor,ets,vendor,vendor,vendor,vendor --tcbw 50,0,0,60,0,0,0,0\n"},
    {"mlnx", "081", "host1/setup.sh", "", "mlnx_qos -i eth1 --dcbx fw\nmlxconfig -d mlx5_1 set DCBX_WILLING_P1=1\n"},
    {"niccli", "008", "host1/links.txt", "", "$ ethtool -A eth1 rx on tx on\n"},
    {"niccli", "096", "host1/links.txt", "", "$ cma_roce_tos -d bnxt_re1\n0\n"},
    {"niccli", "108", "host1/links.txt", "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000",
     "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 8900"},
    {"nicctl", "008", "host1/setup.sh", "--pause-type pfc", "--pause-type link-level"},
    {"nicctl", "051", "host1/setup.sh", "", "nicctl update qos scheduling --priority 0,3 --dwrr 50,60 --rate-limit 0,0\n"},
    {"nicctl", "096", "host1/ibdev2netdev.txt", "", "$ cma_roce_tos -d ionic_1\n0\n"},
    {"nicctl", "097", "host1/ibdev2netdev.txt", "", "$ cma_roce_tos -d ionic_1 -t 107\n107\n"},
    {"nicctl", "108", "host1/setup.sh", "ip link set dev eth1 mtu 9000", "ip link set dev eth1 mtu 8900"},
    {"dcb", "008", "host1/links.txt", "", "$ ethtool -A eth1 rx on tx on\n"},
    {"dcb", "081", "host1/dcb.txt", "", "$ dcb dcbx show dev eth1\nlld-managed ieee\n$ dcb ets show dev eth1\nwilling on\n"},
    {"dcb", "082", "host1/dcb.txt", "", "$ dcb dcbx show dev eth1\nlld-managed ieee\n"},
    {"dcb", "090", "host1/dcb.txt", "",
     "$ dcb apptrust show dev eth0\norder: pcp\n$ dcb apptrust show dev eth1\norder: pcp\n$ dcb apptrust show dev eth2\norder: "
     "pcp\n"},
    {"dcb", "096", "host1/ibdev2netdev.txt", "", "$ cma_roce_tos -d irdma1\n0\n"},
    {"dcb", "097", "host1/ibdev2netdev.txt", "", "$ cma_roce_tos -d irdma1 -t 107\n107\n"},
    {"dcb", "108", "host1/links.txt", "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000",
     "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 8900"},
};

}  // namespace

std::span<const TextEdit> text_edits() { return kTextEdits; }

}  // namespace railyard
