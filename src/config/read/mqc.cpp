#include "config/read/mqc.h"

#include <algorithm>

#include "config/read/cli_values.h"

namespace railyard {

namespace {

std::string mqc_type(std::string_view word) {
  if (word == "quality-of-service" || word.empty()) return "qos";
  return std::string(word);
}

/// Type and name of "class-map type qos match-any NAME", "policy-map NAME", "class type queuing NAME".
std::pair<std::string, std::string> mqc_type_and_name(const CliStatement& statement) {
  const std::string type = mqc_type(statement.after("type"));
  for (std::size_t i = 1; i < statement.words.size(); i++) {
    const std::string_view word = statement.words[i];
    if (word == "type")
      i++;
    else if (word != "match-any" && word != "match-all")
      return {type, std::string(word)};
  }
  return {type, {}};
}

/// DSCPs that an access list permits from everyone to everyone, by its name.
std::map<std::string, std::vector<std::uint8_t>, std::less<>> listed_dscps(const CliTree& tree) {
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> lists;
  tree.each_top([&](const CliStatement& list) {
    if (!list.starts({"ip", "access-list"}) && !list.starts({"ipv6", "access-list"})) return;
    tree.each_below(list, [&](const CliStatement& entry) {
      if (!entry.has("permit") || entry.after("any") != "any") return;
      if (const auto dscp = cli_dscp(entry.after("dscp"))) lists[std::string(list.word(2))].push_back(*dscp);
    });
  });
  return lists;
}

void read_match(const CliStatement& match, const std::map<std::string, std::vector<std::uint8_t>, std::less<>>& lists,
                MqcClass& into) {
  std::size_t at = 1;
  if (match.word(at) == "ip" || match.word(at) == "ipv6" || match.word(at) == "ip-any") at++;
  const std::string_view what = match.word(at);
  const auto add = [](std::vector<std::uint8_t>& to, const std::vector<std::uint8_t>& some) {
    to.insert(to.end(), some.begin(), some.end());
  };
  if (what == "dscp") {
    add(into.dscps, cli_dscps(match, at + 1));
    for (const std::uint8_t dscp : cli_dscps(match, at + 1)) into.said_dscps.emplace(dscp, &match);
  }
  if (what == "precedence")
    for (const std::uint8_t value : cli_numbers_below(match, at + 1, kPriorities))
      for (std::uint8_t low = 0; low < 8; low++) into.dscps.push_back(static_cast<std::uint8_t>(value * 8 + low));
  if (what == "cos" || what == "dot1p") {
    add(into.pcps, cli_numbers_below(match, at + 1, kPriorities));
    for (const std::uint8_t pcp : cli_numbers_below(match, at + 1, kPriorities)) into.said_pcps.emplace(pcp, &match);
  }
  if (what == "qos-group" || what == "queue" || what == "traffic-class")
    add(into.numbers, cli_numbers_below(match, at + 1, kPriorities));
  if (what == "access-group" && match.words.size() > at + 1)
    if (const auto list = lists.find(match.words.back()); list != lists.end()) add(into.dscps, list->second);
}

}  // namespace

const MqcClass* Mqc::class_map(std::string_view type, std::string_view name) const {
  const auto found = classes.find({std::string(type), std::string(name)});
  return found == classes.end() ? nullptr : &found->second;
}

const std::vector<MqcAction>* Mqc::policy_map(std::string_view type, std::string_view name) const {
  const auto found = policies.find({std::string(type), std::string(name)});
  return found == policies.end() ? nullptr : &found->second;
}

Mqc read_mqc(const CliTree& tree) {
  Mqc out;
  const auto lists = listed_dscps(tree);
  tree.each_top([&](const CliStatement& top) {
    if (top.no) return;
    if (top.word(0) == "class-map") {
      MqcClass& into = out.classes[mqc_type_and_name(top)];
      tree.each_below(top, [&](const CliStatement& match) {
        if (match.word(0) == "match" && !match.no) read_match(match, lists, into);
      });
    }
    if (top.word(0) == "policy-map") {
      std::vector<MqcAction>& into = out.policies[mqc_type_and_name(top)];
      tree.each_below(top, [&](const CliStatement& one) {
        if (one.word(0) == "class") into.push_back({mqc_type_and_name(one).second, &one});
      });
    }
  });
  return out;
}

void note_unread_mqc(const CliTree& tree, UnreadStatements& unread) {
  static constexpr std::string_view matches[] = {"ip",  "ipv6",  "ip-any",    "dscp",  "precedence",
                                                 "cos", "dot1p", "qos-group", "queue", "access-group"};
  static constexpr std::string_view actions[] = {"set",       "pause",    "pfc-cos",       "mtu",
                                                 "bandwidth", "priority", "random-detect", "queue-limit"};
  const auto known = [](const auto& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  tree.each_top([&](const CliStatement& top) {
    if (top.word(0) == "class-map")
      tree.each_below(top, [&](const CliStatement& line) {
        if (line.word(0) != "match" || !known(matches, line.word(1))) unread.add("class-map", line);
      });
    if (top.word(0) == "policy-map")
      tree.each_below(top, [&](const CliStatement& one) {
        if (one.word(0) != "class") return unread.add("policy-map", one);
        tree.each_below(one, [&](const CliStatement& line) {
          const bool class_set = line.has("traffic-class") || line.has("qos-group");
          if (!known(actions, line.word(0)) || (line.word(0) == "set" && !class_set)) unread.add("policy-map", line);
        });
      });
  });
}

MqcClassification classify_marks(const CliTree& tree, const Mqc& mqc, std::string_view policy_map, std::string_view key) {
  MqcClassification out;
  const auto* actions = mqc.policy_map("qos", policy_map);
  if (actions == nullptr) return out;
  for (const MqcAction& action : *actions) {
    MqcClassification::Answer answer;
    tree.each_below(*action.block, [&](const CliStatement& line) {
      const auto value = cli_number_below(line.after(key), kPriorities);
      if (line.word(0) == "set" && !line.no && value) answer = {*value, &line};
    });
    if (answer.said == nullptr) continue;
    if (action.class_name == "class-default") out.rest = answer;
    const MqcClass* matched = mqc.class_map("qos", action.class_name);
    if (matched == nullptr) continue;
    out.by_dscp = out.by_dscp || !matched->dscps.empty();
    out.by_pcp = out.by_pcp || !matched->pcps.empty();
    const auto take = [&](MqcClassification::Answer& into, const auto& places, std::uint8_t mark) {
      const auto place = places.find(mark);
      if (into.said == nullptr) into = {answer.value, place == places.end() ? answer.said : place->second};
    };
    for (const std::uint8_t dscp : matched->dscps) take(out.of_dscp[dscp], matched->said_dscps, dscp);
    for (const std::uint8_t pcp : matched->pcps) take(out.of_pcp[pcp], matched->said_pcps, pcp);
  }
  return out;
}

MqcBinding mqc_binding(const CliStatement& statement) {
  MqcBinding out;
  if (statement.word(0) != "service-policy" || statement.no) return out;
  out.type = mqc_type(statement.after("type"));
  for (std::size_t i = 1; i < statement.words.size(); i++) {
    const std::string_view word = statement.words[i];
    if (word == "type")
      i++;
    else if (word == "input" || word == "output")
      out.direction = word;
    else if (out.name.empty())
      out.name = word;
  }
  return out;
}

}  // namespace railyard
