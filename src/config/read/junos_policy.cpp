#include "config/read/junos_policy.h"

#include <algorithm>

#include "config/read/cli_values.h"

namespace railyard {

namespace {

using JunosNode = JunosTree::Node;
constexpr JunosNode kNoNode = JunosTree::kNone;

}  // namespace

std::optional<std::uint8_t> junos_code_point(std::string_view text, std::size_t bits) {
  if (text.size() == bits && text.find_first_not_of("01") == std::string_view::npos) {
    std::uint8_t value = 0;
    for (const char c : text) value = static_cast<std::uint8_t>(value * 2 + (c - '0'));
    return value;
  }
  if (bits == 6) return cli_dscp(text);
  static constexpr std::string_view names[] = {"be", "be1", "ef", "ef1", "af11", "af12", "nc1", "nc2"};
  const auto found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<std::uint8_t>(found - std::begin(names));
}

JunosPolicies::JunosPolicies(const JunosTree& tree, std::string file)
    : tree_(tree), file_(std::move(file)), cos_(tree.find(JunosTree::kRoot, "class-of-service")) {
  read_forwarding_classes();
  const JunosNode interfaces = tree.find(cos_, "interfaces");
  if (interfaces == kNoNode) return;
  for (const JunosNode one : tree.below(interfaces))
    if (tree.word(one) == "all" || tree.word(one).find_first_of("*?[<") != std::string_view::npos) patterns_.push_back(one);
  std::stable_sort(patterns_.begin(), patterns_.end(), [&](JunosNode a, JunosNode b) {
    const auto length = [&](JunosNode node) { return tree.word(node) == "all" ? 0 : tree.word(node).size(); };
    return length(a) < length(b);
  });
}

void JunosPolicies::say(QosPolicy& policy, std::string key, JunosNode node) const {
  if (node != kNoNode) policy.said[std::move(key)] = {file_, tree_.line(node), 0};
}

/// Juniper, "Understanding default CoS settings" of QFX: best-effort 0, fcoe 3 and no-loss 4 (both lossless),
/// network-control 7. A class that is written anew is lossless only if it says so.
void JunosPolicies::read_forwarding_classes() {
  classes_ = {{"best-effort", {0, false, {}, kNoNode}},
              {"fcoe", {3, true, {}, kNoNode}},
              {"no-loss", {4, true, {}, kNoNode}},
              {"network-control", {7, false, {}, kNoNode}}};
  const JunosNode classes = tree_.find(cos_, "forwarding-classes");
  if (classes == kNoNode) return;
  if (const JunosNode named = tree_.find(classes, "class"); named != kNoNode)
    for (const JunosNode one : tree_.below(named)) {
      const auto queue = cli_number_below(tree_.value(one, "queue-num"), kPriorities);
      if (!queue) continue;
      classes_.insert_or_assign(std::string(tree_.word(one)),
                                ForwardingClass{*queue, tree_.find_deep(one, "no-loss") != kNoNode,
                                                cli_number_below(tree_.value(one, "pfc-priority"), kPriorities), one});
    }
  if (const JunosNode queues = tree_.find(classes, "queue"); queues != kNoNode)  // "queue 4 NAME no-loss"
    for (const JunosNode one : tree_.below(queues)) {
      const auto queue = cli_number_below(tree_.word(one), kPriorities);
      if (!queue || tree_.below(one).empty()) continue;
      const JunosNode name = tree_.below(one).front();
      classes_.insert_or_assign(std::string(tree_.word(name)),
                                ForwardingClass{*queue, tree_.find_deep(name, "no-loss") != kNoNode,
                                                cli_number_below(tree_.value(name, "pfc-priority"), kPriorities), one});
    }
  // What is lossless by default stops being so where its queue is given to another class.
  for (auto& [name, own] : classes_)
    for (const auto& [other, said] : classes_)
      if (own.said == kNoNode && said.said != kNoNode && said.queue == own.queue) own.no_loss = said.no_loss;
}

void JunosPolicies::add_binding(JunosNode interface, JunosBinding& into) const {
  const auto name_after = [&](std::initializer_list<std::string_view> path) {
    const JunosNode found = tree_.find(interface, path);
    return found == kNoNode || tree_.below(found).empty() ? kNoNode : tree_.below(found).front();
  };
  const auto take = [](JunosNode node, JunosNode& to) {
    if (node != kNoNode) to = node;
  };
  take(name_after({"congestion-notification-profile"}), into.profile);
  take(name_after({"scheduler-map"}), into.schedulers);
  take(name_after({"classifiers", "dscp"}), into.dscp);
  take(name_after({"classifiers", "ieee-802.1"}), into.ieee);
  if (const JunosNode units = tree_.find(interface, "unit"); units != kNoNode)
    for (const JunosNode unit : tree_.below(units))
      for (const auto& [kind, to] : {std::pair{"dscp", &into.dscp}, std::pair{"ieee-802.1", &into.ieee}}) {
        const JunosNode found = tree_.find(unit, {"classifiers", kind});
        if (found != kNoNode && !tree_.below(found).empty()) *to = tree_.below(found).front();
      }
  // Hierarchical: forwarding-class-set NAME output-traffic-control-profile PROFILE, whose scheduler-map is used.
  const std::string_view control = tree_.value(interface, "output-traffic-control-profile");
  if (const JunosNode profile = tree_.find(cos_, {"traffic-control-profiles", control}); profile != kNoNode)
    if (const JunosNode map = tree_.find(profile, "scheduler-map"); map != kNoNode && !tree_.below(map).empty())
      into.schedulers = tree_.below(map).front();
}

JunosBinding JunosPolicies::binding(std::string_view port, const std::vector<std::string>& ranges) const {
  JunosBinding out;
  for (const JunosNode pattern : patterns_) {
    std::string_view text = tree_.word(pattern);
    if (text.starts_with('<')) text.remove_prefix(1);
    if (text.ends_with('>')) text.remove_suffix(1);
    if (text == "all" || junos_matches(text, port)) add_binding(pattern, out);
  }
  const JunosNode interfaces = tree_.find(cos_, "interfaces");
  for (const std::string& range : ranges)
    if (const JunosNode said = tree_.find(interfaces, range); said != kNoNode) add_binding(said, out);
  if (const JunosNode said = tree_.find(interfaces, port); said != kNoNode) add_binding(said, out);
  return out;
}

QosPolicy JunosPolicies::policy(const JunosBinding& binding) const {
  QosPolicy policy;
  if (binding.profile != kNoNode) policy.name = tree_.word(binding.profile);
  read_classes(policy);
  // Juniper, default classifiers of QFX: IEEE 802.1p 011 is fcoe, 100 no-loss, 110 and 111 network-control, the rest
  // best-effort; DSCP cs6 and cs7 are network-control.
  const auto queue = [&](std::string_view name) { return classes_.find(name)->second.queue; };
  policy.class_of_pcp.fill(queue("best-effort"));
  policy.class_of_pcp[3] = queue("fcoe");
  policy.class_of_pcp[4] = queue("no-loss");
  policy.class_of_pcp[6] = policy.class_of_pcp[7] = queue("network-control");
  policy.class_of_dscp.fill(queue("best-effort"));
  policy.class_of_dscp[48] = policy.class_of_dscp[56] = queue("network-control");
  policy.trust = Trust::pcp;
  if (binding.ieee != kNoNode) read_classifier("ieee-802.1", binding.ieee, policy);
  if (binding.dscp != kNoNode) read_classifier("dscp", binding.dscp, policy);
  if (binding.dscp != kNoNode) policy.trust = binding.ieee != kNoNode ? Trust::both : Trust::dscp;
  say(policy, "trust", binding.dscp != kNoNode ? binding.dscp : binding.ieee);
  read_profile(binding.profile, policy);
  read_schedulers(binding.schedulers, policy);
  policy.link_pause = binding.flow_control != kNoNode;
  say(policy, "link_pause", binding.flow_control);
  return policy;
}

void JunosPolicies::read_classes(QosPolicy& policy) const {
  const JunosNode lossless = tree_.find(cos_, {"shared-buffer", "ingress", "buffer-partition", "lossless"});
  const bool room = tree_.value(lossless, "percent") != "0";
  for (const auto& [name, one] : classes_) {
    say(policy, "class." + std::to_string(one.queue) + ".queue", one.said);
    if (!one.no_loss) continue;
    policy.groups[one.queue].has_buffer = room;
    say(policy, "group." + std::to_string(one.queue), one.said);
  }
}

void JunosPolicies::read_classifier(std::string_view kind, JunosNode name, QosPolicy& policy) const {
  const JunosNode classifier = tree_.find(cos_, {"classifiers", kind, tree_.word(name)});
  if (classifier == kNoNode) return;  // "default", or one that is not there
  const bool dscp = kind == "dscp";
  const std::uint8_t rest = classes_.find("best-effort")->second.queue;
  if (tree_.find(classifier, "import") == kNoNode) dscp ? policy.class_of_dscp.fill(rest) : policy.class_of_pcp.fill(rest);
  const JunosNode classes = tree_.find(classifier, "forwarding-class");
  if (classes == kNoNode) return;
  for (const JunosNode one : tree_.below(classes)) {
    const auto found = classes_.find(tree_.word(one));
    const JunosNode priorities = tree_.find(one, "loss-priority");
    if (found == classes_.end() || priorities == kNoNode) continue;
    for (const JunosNode priority : tree_.below(priorities)) {
      const JunosNode points = tree_.find(priority, "code-points");
      if (points == kNoNode) continue;
      for (const JunosNode point : tree_.below(points)) {
        const auto value = junos_code_point(tree_.word(point), dscp ? 6 : 3);
        if (!value) continue;
        (dscp ? policy.class_of_dscp[*value] : policy.class_of_pcp[*value]) = found->second.queue;
        say(policy, (dscp ? "dscp." : "pcp.") + std::to_string(*value), point);
      }
    }
  }
}

}  // namespace railyard
