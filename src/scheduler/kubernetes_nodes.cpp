// Nodes as kubectl prints them, with the labels that say where they are.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/printable.h"
#include "base/printed_text.h"
#include "scheduler/readers.h"

namespace railyard {

namespace {

using Labels = std::map<std::string, std::string, std::less<>>;

/// Labels that name what is above a node, the farthest first; a node has those of one cloud or tool.
constexpr std::string_view kPlaceLabels[] = {
    "topology.kubernetes.io/region",          "topology.kubernetes.io/zone",
    "network.topology.nvidia.com/datacenter", "network.topology.nvidia.com/core",
    "network.topology.nvidia.com/spine",      "network.topology.nvidia.com/block",
    "network.topology.nvidia.com/leaf",       "network.topology.kubernetes.io/datacenter",
    "network.topology.kubernetes.io/spine",   "network.topology.kubernetes.io/block",
    "topology.k8s.aws/network-node-layer-1",  "topology.k8s.aws/network-node-layer-2",
    "topology.k8s.aws/network-node-layer-3",  "cloud.google.com/gce-topology-block",
    "cloud.google.com/gce-topology-subblock", "cloud.provider.com/topology-block",
    "cloud.provider.com/topology-rack",
};
/// Regions and zones are the same for all nodes of a job: they are no switches.
constexpr std::size_t kWideLabels = 2;

std::vector<std::string> switches_of(const Labels& labels) {
  std::vector<std::string> path;
  bool is_near = false;
  for (std::size_t i = 0; i < std::size(kPlaceLabels); i++) {
    const auto found = labels.find(kPlaceLabels[i]);
    if (found == labels.end() || found->second.empty()) continue;
    path.push_back(found->second);
    is_near |= i >= kWideLabels;
  }
  if (!is_near) path.clear();
  return path;
}

Labels labels_in(std::string_view text) {
  Labels labels;
  for (const std::string_view one : printed::split_at(text, ',')) {
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos) labels.emplace(std::string(one.substr(0, equals)), printable(one.substr(equals + 1)));
  }
  return labels;
}

bool is_kubernetes_status(std::string_view word) {
  return word == "Ready" || word.starts_with("Ready,") || word == "NotReady" || word.starts_with("NotReady,") ||
         word == "Unknown";
}

/// "Ready" of a status that schedulers give pods to.
std::string status_in(const Document& node) {
  std::string status = "NotReady";
  if (const Document* conditions = node.at_path("status.conditions"); conditions && conditions->items())
    for (const Document& one : *conditions->items()) {
      const Document *type = one.find("type"), *value = one.find("status");
      if (type && value && type->text() && value->text() && *type->text() == "Ready" && *value->text() == "True")
        status = "Ready";
    }
  const Document* closed = node.at_path("spec.unschedulable");
  if (closed && closed->boolean() && *closed->boolean()) status += ",SchedulingDisabled";
  return status;
}

void add_json_node(const Document& node, const std::string& file, NodeCollector& found, bool& tells_switches) {
  const Document* const metadata = node.find("metadata");
  const Document* const name = metadata ? metadata->find("name") : nullptr;
  if (!name || !name->text())
    return found.complain(node.where().line, "RY-PLC-003", "a node here has no metadata.name",
                          "give what kubectl get nodes -o json prints");
  Labels labels;
  if (const Document* said = metadata->find("labels"); said && said->members())
    for (const Document::Member& one : *said->members())
      if (one.value.text()) labels.emplace(one.key, printable(*one.value.text()));
  ListedNode like{"", {file, node.where().line, 0}, status_in(node), false, switches_of(labels)};
  like.is_free = like.state == "Ready";
  tells_switches |= !like.switches.empty();
  // A name is a name here: brackets in it would stand for several.
  if (name->text()->find_first_of("[],") != std::string::npos)
    return found.complain(node.where().line, "RY-PLC-002", fmt::format("\"{}\" is no name of a host", printable(*name->text())),
                          "give what kubectl get nodes -o json prints");
  found.add(*name->text(), like, false);
}

}  // namespace

bool is_kubectl_table(std::string_view text) {
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    const auto words = printed::words_of(line.text);
    if (words.empty()) continue;
    return words.size() > 1 && ((words[0] == "NAME" && words[1] == "STATUS") || is_kubernetes_status(words[1]));
  }
  return false;
}

Result<ListedNodes> read_kubectl_table(std::string_view text, const std::string& file) {
  NodeCollector found(file);
  bool tells_switches = false;
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    const auto words = printed::words_of(line.text);
    if (words.empty() || words[0] == "NAME") continue;
    if (words.size() < 2 || !is_kubernetes_status(words[1])) {
      found.complain(line.number, "RY-PLC-003", "this line does not tell a node and its status",
                     "give the table as kubectl get nodes --show-labels prints it");
      continue;
    }
    ListedNode like{"", {file, line.number, 0}, std::string(words[1]), words[1] == "Ready"};
    if (words.back().find('=') != std::string_view::npos) like.switches = switches_of(labels_in(words.back()));
    tells_switches |= !like.switches.empty();
    found.add(words[0], like, false);
  }
  return found.finish({.format = "kubectl get nodes", .tells_states = true, .tells_switches = tells_switches});
}

Result<ListedNodes> read_kubectl_json(std::string_view text, const std::string& file) {
  const Result<Document> document = parse_json(text, file, "RY-PLC-003");
  if (!document) return document.error();
  NodeCollector found(file);
  bool tells_switches = false;
  const Document* const items = document->find("items");
  if (items && items->items())
    for (const Document& node : *items->items()) add_json_node(node, file, found, tells_switches);
  else
    add_json_node(*document, file, found, tells_switches);
  return found.finish({.format = "kubectl get nodes", .tells_states = true, .tells_switches = tells_switches});
}

}  // namespace railyard
