#include "scheduler/read_nodes.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

using Texts = std::vector<std::string>;

ListedNodes read_fine(std::string_view text) {
  Result<ListedNodes> nodes = read_nodes(text, "nodes.txt");
  EXPECT_TRUE(nodes.has_value()) << to_text(nodes.error().front());
  return nodes ? *nodes : ListedNodes{};
}

Texts free_in(const ListedNodes& list) {
  Texts names;
  for (const ListedNode& node : list.nodes)
    if (node.is_free) names.push_back(node.name);
  return names;
}

/// The first mistake as people see it.
std::string mistake_in(std::string_view text) {
  const Result<ListedNodes> nodes = read_nodes(text, "nodes.txt");
  return nodes ? "none" : to_text(nodes.error().front());
}

bool has_mistake(std::string_view text, std::string_view beginning) { return mistake_in(text).starts_with(beginning); }

TEST(ReadNodes, sinfo_by_node_lists_a_node_once_per_partition) {
  const ListedNodes list = read_fine(
      "NODELIST   NODES PARTITION STATE\n"
      "gpu001         1     train idle\n"
      "gpu001         1      test idle\n"
      "gpu002         1     train mix\n"
      "gpu003         1     train idle*\n"
      "gpu004         1     train idle~\n");
  EXPECT_EQ(list.format, "sinfo");
  EXPECT_EQ(list.nodes.size(), 4U);
  EXPECT_EQ(free_in(list), (Texts{"gpu001", "gpu004"})) << "what does not answer is not free";
  EXPECT_EQ(list.nodes[1].where.line, 4U);
}

TEST(ReadNodes, sinfo_without_a_header) {
  EXPECT_EQ(free_in(read_fine("gpu1 idle\ngpu2 alloc\ngpu3 idle\n")), (Texts{"gpu1", "gpu3"}));
  EXPECT_EQ(free_in(read_fine("train* up infinite 2 idle gpu[1-2]\ntrain* up infinite 1 down* gpu3\n")),
            (Texts{"gpu1", "gpu2"}));
}

TEST(ReadNodes, sinfo_long_begins_with_a_date) {
  const ListedNodes list = read_fine(
      "Wed Nov 18 08:00:00 2026\n"
      "NODELIST NODES PARTITION STATE CPUS REASON\n"
      "gpu1     1     train     idle  96   none\n"
      "gpu2     1     train     drained 96 bad cable\n");
  EXPECT_EQ(free_in(list), Texts{"gpu1"});
}

TEST(ReadNodes, scontrol_show_nodes) {
  const ListedNodes list = read_fine(
      "NodeName=gpu1 Arch=x86_64 CoresPerSocket=48\n   State=IDLE ThreadsPerCore=2\n\n"
      "NodeName=gpu2 Arch=x86_64\n   State=IDLE+DRAIN\n\n"
      "NodeName=gpu3 Arch=x86_64\n   State=IDLE+CLOUD+POWERED_DOWN\n");
  EXPECT_EQ(free_in(list), (Texts{"gpu1", "gpu3"}));
  EXPECT_EQ(list.nodes[1].state, "IDLE+DRAIN");
}

TEST(ReadNodes, topology_conf_tells_the_switches_above) {
  const ListedNodes list = read_fine(
      "# ours\nSwitchName=top Switches=leaf[1-2]\nSwitchName=leaf1 Nodes=gpu[1-2]\nSwitchName=leaf2 \\\n  Nodes=gpu[3-4]\n");
  EXPECT_TRUE(list.tells_switches);
  ASSERT_EQ(list.nodes.size(), 4U);
  EXPECT_EQ(list.nodes[2].name, "gpu3");
  EXPECT_EQ(list.nodes[2].switches, (Texts{"top", "leaf2"}));
}

TEST(ReadNodes, scontrol_show_topology_repeats_nodes_above_leaves) {
  const ListedNodes list = read_fine(
      "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=gpu[1-2]\nSwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=gpu[3-4]\n"
      "SwitchName=top Level=1 LinkSpeed=1 Nodes=gpu[1-4] Switches=leaf[1-2]\n");
  ASSERT_EQ(list.nodes.size(), 4U);
  EXPECT_EQ(list.nodes[0].switches, (Texts{"top", "leaf1"}));
}

TEST(ReadNodes, blocks_of_slurm_are_switches) {
  const ListedNodes list = read_fine("BlockName=b1 Nodes=gpu[1-2]\nBlockName=b2 Nodes=gpu3\nBlockSizes=2\n");
  EXPECT_EQ(list.nodes[2].switches, Texts{"b2"});
}

TEST(ReadNodes, kubectl_with_labels) {
  const ListedNodes list = read_fine(
      "NAME   STATUS                     ROLES    AGE   VERSION   LABELS\n"
      "gpu-a  Ready                      <none>   3d    v1.31.0   topology.kubernetes.io/zone=z,"
      "network.topology.nvidia.com/leaf=l1,network.topology.nvidia.com/spine=s1\n"
      "gpu-b  Ready,SchedulingDisabled   <none>   3d    v1.31.0   network.topology.nvidia.com/leaf=l2\n");
  EXPECT_EQ(free_in(list), Texts{"gpu-a"});
  EXPECT_EQ(list.nodes[0].switches, (Texts{"z", "s1", "l1"}));
}

TEST(ReadNodes, zones_alone_are_no_switches) {
  EXPECT_FALSE(
      read_fine("NAME STATUS ROLES AGE VERSION LABELS\na Ready x 1d v1 topology.kubernetes.io/zone=z\n").tells_switches);
}

TEST(ReadNodes, kubectl_as_json) {
  const ListedNodes list = read_fine(R"({"kind": "List", "items": [
    {"metadata": {"name": "gpu-1", "labels": {"cloud.google.com/gce-topology-block": "b", "cloud.google.com/gce-topology-subblock": "s"}},
     "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
    {"metadata": {"name": "gpu-2"}, "spec": {"unschedulable": true}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
    {"metadata": {"name": "gpu-3"}, "status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}}]})");
  EXPECT_EQ(free_in(list), Texts{"gpu-1"});
  EXPECT_EQ(list.nodes[0].switches, (Texts{"b", "s"}));
}

TEST(ReadNodes, plain_names_between_anything) {
  EXPECT_EQ(free_in(read_fine("# free today\ngpu[1-2], gpu9\nspare\n")), (Texts{"gpu1", "gpu2", "gpu9", "spare"}));
}

TEST(ReadNodes, mistakes_have_a_code_and_a_line) {
  EXPECT_TRUE(has_mistake("gpu1\ngpu[2\n", "nodes.txt:2: error RY-PLC-002: "));
  EXPECT_TRUE(has_mistake("NODELIST STATE\ngpu1\n", "nodes.txt:2: error RY-PLC-003: "));
  EXPECT_TRUE(has_mistake("NodeName=a\n", "nodes.txt:1: error RY-PLC-003: State= of a is missing"));
  EXPECT_TRUE(has_mistake("SwitchName=l Nodes=a\nNodes=b\n", "nodes.txt:2: error RY-PLC-003: "));
  EXPECT_TRUE(has_mistake("{\"items\": [{}]}", "nodes.txt"));
  EXPECT_TRUE(has_mistake("{\"items\": [", "nodes.txt:1"));
  EXPECT_TRUE(has_mistake("gpu1\ngpu1\n", "nodes.txt:2: error RY-PLC-004: gpu1 is listed twice"));
  EXPECT_TRUE(
      has_mistake("gpu1 idle\ngpu1 alloc\n", "nodes.txt:2: error RY-PLC-004: gpu1 is listed twice: \"idle\" and \"alloc\""));
  EXPECT_TRUE(has_mistake("# nobody\n", "nodes.txt: error RY-PLC-005: "));
}

TEST(ReadNodes, switches_that_form_no_tree) {
  EXPECT_TRUE(
      has_mistake("SwitchName=a Nodes=x\nSwitchName=a Nodes=y\n", "nodes.txt:2: error RY-PLC-006: switch a is told twice"));
  EXPECT_TRUE(
      has_mistake("SwitchName=t Switches=a\n", "nodes.txt:1: error RY-PLC-006: t has a switch a that no line is about"));
  EXPECT_TRUE(has_mistake("SwitchName=a Nodes=x\nSwitchName=t Switches=a\nSwitchName=u Switches=a\n",
                          "nodes.txt:3: error RY-PLC-006: a is below t and below u"));
  EXPECT_TRUE(has_mistake("SwitchName=a Switches=b\nSwitchName=b Switches=a,c\nSwitchName=c Nodes=x\n",
                          "nodes.txt:3: error RY-PLC-006: the switches above c go round"));
}

TEST(MergeNodes, states_and_switches_of_two_lists) {
  const auto merged = merge_nodes({read_fine("SwitchName=l1 Nodes=gpu[1-2]\nSwitchName=l2 Nodes=gpu[3-4]\n"),
                                   read_fine("gpu1 idle\ngpu2 alloc\ngpu4 idle\n")});
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->nodes.size(), 4U);
  EXPECT_EQ(merged->nodes[3].state, "not listed") << "a node without a state is not free";
  EXPECT_EQ(free_in(*merged), (Texts{"gpu1", "gpu4"}));
  EXPECT_EQ(merged->nodes[2].switches, Texts{"l2"});
}

TEST(MergeNodes, a_free_node_without_a_switch_is_refused) {
  const auto merged = merge_nodes({read_fine("SwitchName=l1 Nodes=gpu1\n"), read_fine("gpu1 idle\ngpu2 idle\n")});
  ASSERT_FALSE(merged);
  EXPECT_EQ(to_text(merged.error().front()),
            "nodes.txt:2: error RY-PLC-015: no list of switches has the free node gpu2; add it to the topology, or leave the "
            "topology out");
}

}  // namespace
}  // namespace railyard
