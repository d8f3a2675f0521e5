#include <stdexcept>

#include "effects/cases.h"

namespace railyard::effects {

namespace {

constexpr Case kCases[] = {{"step", "analytic"},       {"step", "flow"},       {"slice", "packet"},
                           {"collective", "analytic"}, {"collective", "flow"}, {"collective", "packet"},
                           {"traffic", "analytic"},    {"traffic", "flow"},    {"traffic", "packet"}};
constexpr const char* kTransports[] = {"roce", "infiniband", "tcp", "uec"};

const std::string kFabric =
    "[fabric]\ntopology = \"leaf-spine\"\nhosts_per_leaf = 4\nspines = 2\nlink_rate = \"100 Gb/s\"\nlink_delay = \"300 ns\"\n"
    "switch_latency = \"500 ns\"\nhost_latency = \"1 us\"\n";

/// Everybody sends to one, over a buffer that is soon full, beside others.
const std::string kTraffic =
    "name = \"traffic\"\n[traffic]\npattern = \"incast\"\nfan_in = 8\nsize = \"60 kB\"\nbackground = 0.05\n"
    "background_size = \"8 kB\"\n[cluster]\ngpus = 16\n" +
    kFabric + "buffer = \"600 kB\"\n[transport]\nretransmit_timeout = \"200 us\"\n[transport.ecn]\nkmin = \"20 kB\"\n" +
    "kmax = \"60 kB\"\n";

/// A ring of ranks that sit anywhere.
const std::string kCollective =
    "name = \"collective\"\n[collective]\nkind = \"all_reduce\"\nalgorithm = \"ring\"\nsizes = [\"400 kB\"]\n[cluster]\n"
    "gpus = 16\ngpus_per_node = 2\nscale_up_domain = 2\nscale_up_rate = \"1600 Gb/s\"\n[placement]\npolicy = \"random\"\n" +
    kFabric + "buffer = \"600 kB\"\n[transport]\nretransmit_timeout = \"200 us\"\n[transport.ecn]\nkmin = \"10 kB\"\n" +
    "kmax = \"40 kB\"\n";

const std::string kModel =
    "[model]\nlayers = 4\nhidden = 1024\nheads = 16\nffn = 4096\nvocabulary = 8192\nsequence = 1024\n[training]\n"
    "global_batch = 16\n[parallel]\ntensor = 2\npipeline = 2\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus_per_node = 4\ngpus = "
    "16\n" +
    kFabric;

const std::string kStep = "name = \"step\"\n" + kModel;

const std::string kSlice =
    "name = \"slice\"\n" + kModel +
    "buffer = \"1 MB\"\n[transport]\nretransmit_timeout = \"200 us\"\n[transport.ecn]\nkmin = \"10 kB\"\n"
    "kmax = \"40 kB\"\n[slice]\ncollective = \"gradients\"\nlength = \"10 us\"\n";

}  // namespace

std::span<const Case> cases() { return kCases; }
std::span<const char* const> transports() { return kTransports; }

const std::string& base_of(std::string_view workload) {
  if (workload == "step") return kStep;
  if (workload == "slice") return kSlice;
  return workload == "collective" ? kCollective : kTraffic;
}

std::string file_named(std::string_view name) {
  if (name == "flows.csv") return "start_us,source,destination,bytes\n0,0,5,100000\n1,4,5,100000\n2,9,5,50000\n";
  if (name == "others.csv") return "start_us,source,destination,bytes\n0,0,6,100000\n1,4,5,200000\n2,9,5,50000\n";
  if (name == "ranks.txt") return "0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15";
  if (name == "other_ranks.txt") return "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0";
  if (name == "load.txt") return "5 1 1 1 2 1 1 4";
  if (name == "leaf1.json")
    return R"({"DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "type": "ToRRouter"}},
"PORT": {"Ethernet0": {"admin_status": "up", "speed": "100000", "mtu": "9100"}},
"DSCP_TO_TC_MAP": {"M": {"26": "3", "48": "6"}},
"TC_TO_QUEUE_MAP": {"M": {"0": "0", "3": "3", "6": "6"}},
"TC_TO_PRIORITY_GROUP_MAP": {"M": {"0": "0", "3": "3", "6": "6"}},
"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "M", "tc_to_queue_map": "M", "tc_to_pg_map": "M"}},
"QUEUE": {"Ethernet0|3": {"wred_profile": "W"}},
"WRED_PROFILE": {"W": {"ecn": "ecn_all", "green_min_threshold": "3000", "green_max_threshold": "6000",
"green_drop_probability": "100"}},
"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": ["SRC_IP", "DST_IP"], "ecmp_hash_seed": "7"}}})";
  if (name.ends_with("fabric.txt")) {
    const bool slow = name.find("slow") != std::string_view::npos;
    std::string text = "gpu", links;
    for (int i = 0; i < 16; i++) {
      text += " h" + std::to_string(i);
      links += "link h" + std::to_string(i) + " l" + std::to_string(i % 4) + " 100Gb/s 300ns\n";
    }
    text += "\nswitch l0 l1 l2 l3 s0 s1\n" + links;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 2; j++)
        text += "link l" + std::to_string(i) + " s" + std::to_string(j) + (slow ? " 50Gb/s 300ns\n" : " 100Gb/s 300ns\n");
    return text;
  }
  throw std::runtime_error("no such file: " + std::string(name));
}

}  // namespace railyard::effects
