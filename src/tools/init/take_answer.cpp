#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/printable.h"
#include "sim/simulate.h"
#include "tools/init/question_parts.h"
#include "tools/init/questions.h"
#include "tools/init/read_answer.h"

namespace railyard {

namespace {

using Wrong = std::optional<std::string>;    // what is wrong, and what to do
using Refusal = std::optional<InitRefusal>;  // the same, and of what

constexpr std::uint32_t kMostGpus = 1U << 20;

/// "did you mean …?", or all there is.
std::string instead(const std::string& word, const std::vector<std::string>& there) {
  const std::string guess = nearest(word, there);
  return guess.empty() ? fmt::format("choose one of {}", fmt::join(there, ", ")) : fmt::format("did you mean '{}'?", guess);
}

/// Of a list by its name, whatever its case, or by the beginning of one name alone.
Wrong take_name(std::string_view what, std::string_view text, const std::vector<std::string>& there,
                std::optional<std::string>& out) {
  const std::string word(text);
  if (const std::optional<std::string> name = name_in(word, there)) return out = *name, std::nullopt;
  return fmt::format("there is no {} '{}'; {}", what, printable(word), instead(word, there));
}

/// The same where some of `all` do not go with what was answered before, `others`.
Refusal take_fitting(InitPart part, std::string_view what, std::string_view text, const std::vector<std::string>& there,
                     const std::vector<std::string>& all, std::initializer_list<InitPart> others, const InitAnswers& a,
                     std::optional<std::string>& out) {
  const std::optional<std::string> known = name_in(text, all);
  if (!known || name_in(text, there)) {
    Wrong wrong = take_name(what, text, there, out);
    return wrong ? Refusal({{part}, *wrong}) : std::nullopt;
  }
  InitRefusal refused{{part}, {}};
  std::vector<std::string> names;
  for (const InitPart other : others)
    if (std::string name = part_text(other, a); !name.empty()) names.push_back(std::move(name)), refused.parts.push_back(other);
  refused.reason =
      fmt::format("{} does not go with {}; choose one of {}", *known, fmt::join(names, " and "), fmt::join(there, ", "));
  return refused;
}

/// "1, 2 or 4"
std::string any_of(const std::vector<std::uint32_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size(); i++)
    out += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return out;
}

/// Servers that would not be full: the nearest numbers that fill them, and servers that are filled.
Refusal refused_servers(const InitAnswers& a) {
  if (!a.gpus || !a.gpus_per_node || *a.gpus % *a.gpus_per_node == 0) return std::nullopt;
  const std::uint32_t below = *a.gpus / *a.gpus_per_node * *a.gpus_per_node;
  std::vector<std::uint32_t> near;
  if (below > 1) near.push_back(below);
  if (below + *a.gpus_per_node <= kMostGpus) near.push_back(below + *a.gpus_per_node);
  return InitRefusal{{InitPart::gpus, InitPart::servers},
                     fmt::format("{} GPUs do not fill servers of {}; use {} GPUs, or servers of {}", *a.gpus, *a.gpus_per_node,
                                 any_of(near), any_of(even_servers(*a.gpus)))};
}

std::string no_count(std::string_view text) {
  return fmt::format("'{}' is no whole number; write how many GPUs there are, 2 to {}", printable(std::string(text)),
                     kMostGpus);
}

/// "512 H100-SXM-80", one of both, or either with an ×.
Refusal take_gpus(std::string_view text, InitAnswers& a, const Catalog& catalog) {
  for (const std::string& word : words_of(text)) {
    if (word == "x" || word == "×") continue;
    if (const std::optional<std::uint32_t> count = count_in(word)) {
      a.gpus = count;
    } else if (Wrong wrong = take_name("GPU", word, catalog.speeds.names(), a.gpu)) {
      return InitRefusal{{InitPart::gpu}, *wrong};
    }
  }
  if (!a.gpu && !a.gpus)
    return InitRefusal{{InitPart::gpus}, "this names neither a number nor a GPU; write, for instance, 512 H100-SXM-80"};
  if (!a.gpu) a.gpu = first_of({"H100-SXM-80"}, catalog.speeds.names());
  if (!a.gpus) a.gpus = 512;
  if (*a.gpus < 2 || *a.gpus > kMostGpus)
    return InitRefusal{{InitPart::gpus}, fmt::format("{} GPUs are out of range; it must be 2 to {}", *a.gpus, kMostGpus)};
  return refused_servers(a);
}

Refusal take_servers(std::string_view text, InitAnswers& a) {
  const std::vector<std::string> words = words_of(text);
  const std::optional<std::uint32_t> count = words.size() == 1 ? count_in(words.front()) : std::nullopt;
  if (!count)
    return InitRefusal{
        {InitPart::servers},
        fmt::format("'{}' is no whole number; write how many GPUs a server has, 1 to 1024", printable(std::string(text)))};
  if (*count == 0 || *count > 1024)
    return InitRefusal{{InitPart::servers}, fmt::format("{} GPUs per server are out of range; it must be 1 to 1024", *count)};
  a.gpus_per_node = count;
  return refused_servers(a);
}

bool has_ratio(Topology topology) { return topology != Topology::star && topology != Topology::fat_tree; }

/// A word that should be an oversubscription.
Wrong wrong_ratio(std::string_view text) {
  const std::optional<double> ratio = ratio_in(text);
  if (!ratio)
    return fmt::format("'{}' is no ratio; write bandwidth down over bandwidth up of a leaf, as in 2:1 or 2; 1:1 is none",
                       printable(std::string(text)));
  if (*ratio < 1)
    return fmt::format(
        "{} is less than 1:1, so that leaves would have more bandwidth up than down; write 1:1 or more, as in 2:1",
        printable(std::string(text)));
  return std::nullopt;
}

Refusal take_topology(std::string_view text, InitAnswers& a) {
  std::optional<std::string> name;
  std::string ratio;
  for (const std::string& word : words_of(text)) {
    if (ratio_in(word)) {
      ratio = word.find(':') == std::string::npos ? word + ":1" : word;
    } else if (Wrong wrong = take_name("topology", word, topology_names(), name)) {
      return InitRefusal{{InitPart::topology}, *wrong + "; an oversubscription is written as in 2:1"};
    }
  }
  if (!ratio.empty())
    if (Wrong wrong = wrong_ratio(ratio)) return InitRefusal{{InitPart::oversubscription}, *wrong};
  const Topology topology = *choice_in<Topology>(name.value_or(std::string(name_of(Topology::leaf_spine))));
  if (!ratio.empty() && !has_ratio(topology) && ratio != "1:1")
    return InitRefusal{{InitPart::topology, InitPart::oversubscription},
                       fmt::format("a {} has no oversubscription; leave it out, or use leaf-spine", name_of(topology))};
  a.topology = topology;
  a.oversubscription = !has_ratio(topology) ? "" : ratio.empty() && topology != Topology::rail_only ? "1:1" : ratio;
  return std::nullopt;
}

Refusal take_parallel(std::string_view text, InitAnswers& a) {
  const std::string lower = lower_case(text);
  if (lower == "find" || lower == "find one") return a.finds_split = true, std::nullopt;
  tl::expected<SplitAnswer, std::string> split = split_in(lower);
  if (!split) return InitRefusal{{InitPart::parallel}, split.error()};
  a.split = *split;
  a.finds_split = false;
  return std::nullopt;
}

/// Degrees whose product does not divide the GPUs.
Refusal refused_split(const InitAnswers& a) {
  if (!a.gpus || a.finds_split.value_or(true)) return std::nullopt;
  const std::uint64_t pair = std::uint64_t{a.split.tensor} * a.split.context;
  const std::uint64_t replica = pair > kMostGpus ? pair : pair * a.split.pipeline;
  if (*a.gpus % replica == 0) return std::nullopt;
  return InitRefusal{{InitPart::parallel, InitPart::gpus},
                     fmt::format("tensor × context × pipeline is {}, which does not divide {} GPUs; choose degrees whose "
                                 "product divides {}, or 'find'",
                                 replica, *a.gpus, *a.gpus)};
}

Refusal take_transport(std::string_view text, InitAnswers& a, const Catalog& catalog) {
  std::vector<std::string> there, all;
  InitAnswers open = a;
  open.transport.reset();
  for (const TransportKind kind : possible_transports(open, catalog)) there.emplace_back(name_of(kind));
  for (const std::string_view name : ChoiceNames<TransportKind>::names) all.emplace_back(name);
  std::optional<std::string> name;
  if (Refusal refused = take_fitting(InitPart::transport, "transport", text, there, all,
                                     {InitPart::nic, InitPart::fabric_switch}, open, name))
    return refused;
  a.transport = *choice_in<TransportKind>(*name);
  return std::nullopt;
}

std::string sentence_of(const Diagnostics& errors) {
  return errors.front().hint.empty() ? errors.front().message : errors.front().message + "; " + errors.front().hint;
}

bool describes_network(const InitAnswers& a) { return a.gpus && a.gpus_per_node && a.nic && a.switch_model && a.topology; }

/// With what will be taken where nobody says otherwise.
InitAnswers with_defaults(InitAnswers a, const Catalog& catalog) {
  const std::vector<TransportKind> transports = possible_transports(a, catalog);
  if (!transports.empty()) a.transport = transports.front();
  if (!a.finds_split) a.finds_split = true;
  return a;
}

/// What a network that cannot be wired may be blamed on, what says most first.
const std::vector<InitPart> kNetworkParts = {InitPart::topology, InitPart::oversubscription, InitPart::gpus,
                                             InitPart::servers,  InitPart::fabric_switch,    InitPart::nic};

/// Whether the network can be wired, and whether the job fits, as soon as all that is needed is there. `before` are answers
/// that were looked at already.
Refusal refused_together(const InitAnswers& before, const InitAnswers& answers, const Catalog& catalog) {
  if (Refusal refused = refused_split(answers)) return refused;
  if (!describes_network(answers)) return std::nullopt;
  const InitAnswers a = with_defaults(answers, catalog);
  if (!a.transport)
    return InitRefusal{{InitPart::nic, InitPart::fabric_switch}, "NIC and switch have no transport in common; choose others"};
  if (a == with_defaults(before, catalog)) return std::nullopt;
  const Result<Scenario> network = read_text_of_init(network_text(a, catalog), catalog);
  const Diagnostics wrong = network ? remarks_on(*network).errors : network.error();
  if (!wrong.empty()) return InitRefusal{kNetworkParts, sentence_of(wrong)};
  if (!a.model) return std::nullopt;
  const Result<TrainingPlan> plan = plan_of(a, catalog);
  if (plan) return std::nullopt;
  if (*a.finds_split) return InitRefusal{{InitPart::model, InitPart::gpus, InitPart::gpu}, sentence_of(plan.error())};
  return InitRefusal{{InitPart::parallel, InitPart::model}, sentence_of(plan.error())};
}

}  // namespace

std::optional<InitRefusal> take_answer(InitQuestion question, std::string_view text, InitAnswers& answers,
                                       const Catalog& catalog) {
  InitAnswers taken = answers;
  const std::vector<std::string> there = question_choices(question, answers, catalog);
  Refusal refused;
  switch (question) {
    case InitQuestion::gpus:
      refused = take_gpus(text, taken, catalog);
      break;
    case InitQuestion::servers:
      refused = take_servers(text, taken);
      break;
    case InitQuestion::nic:
      refused = take_fitting(InitPart::nic, "NIC", text, there, catalog.nics.names(),
                             {InitPart::fabric_switch, InitPart::transport}, answers, taken.nic);
      break;
    case InitQuestion::fabric_switch:
      refused = take_fitting(InitPart::fabric_switch, "switch", text, there, catalog.switches.names(),
                             {InitPart::nic, InitPart::transport}, answers, taken.switch_model);
      break;
    case InitQuestion::topology:
      refused = take_topology(text, taken);
      break;
    case InitQuestion::model:
      refused = take_fitting(InitPart::model, "model", text, there, there, {}, answers, taken.model);
      break;
    case InitQuestion::parallel:
      refused = take_parallel(text, taken);
      break;
    case InitQuestion::transport:
      refused = take_transport(text, taken, catalog);
      break;
  }
  if (!refused) refused = refused_together(answers, taken, catalog);
  if (!refused) answers = std::move(taken);
  return refused;
}

std::optional<std::string> wrong_part(InitPart part, std::string_view text, const Catalog& catalog) {
  std::optional<std::string> ignored;
  if (part == InitPart::gpus && !count_in(text)) return no_count(text);
  if (part == InitPart::gpu) return take_name("GPU", text, catalog.speeds.names(), ignored);
  if (part == InitPart::topology) return take_name("topology", text, topology_names(), ignored);
  if (part == InitPart::oversubscription) return wrong_ratio(text);
  return std::nullopt;
}

}  // namespace railyard
