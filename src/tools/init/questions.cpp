#include "tools/init/questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "base/printable.h"
#include "sim/simulate.h"
#include "tools/init/find_plan.h"
#include "tools/init/read_answer.h"

namespace railyard {

namespace {

using Refusal = std::optional<std::string>;

bool carries(const std::vector<TransportKind>& kinds, TransportKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Transports that the NIC and the switch carry, as far as they are known, and the one that was asked for if any.
std::vector<TransportKind> possible_transports(const InitAnswers& a, const Catalog& catalog) {
  std::vector<TransportKind> out;
  for (std::size_t i = 0; i < std::size(ChoiceNames<TransportKind>::names); i++) {
    const auto kind = static_cast<TransportKind>(i);
    const Entry<NicFact>* const nic = a.nic ? catalog.nics.find(*a.nic) : nullptr;
    const Entry<SwitchFact>* const box = a.switch_model ? catalog.switches.find(*a.switch_model) : nullptr;
    if ((!nic || carries(nic->fact.transports, kind)) && (!box || carries(box->fact.transports, kind)) &&
        (!a.transport || *a.transport == kind))
      out.push_back(kind);
  }
  return out;
}

/// Entries of a shelf that leave a transport to choose once they are in the answers.
template<class Fact>
std::vector<std::string> fitting(const Shelf<Fact>& shelf, const InitAnswers& a, const Catalog& catalog,
                                 std::optional<std::string> InitAnswers::*member) {
  std::vector<std::string> out;
  for (const std::string& name : shelf.names()) {
    InitAnswers with = a;
    with.*member = name;
    if (!possible_transports(with, catalog).empty()) out.push_back(name);
  }
  return out;
}

std::vector<std::string> topology_names() {
  std::vector<std::string> out;
  for (const std::string_view name : ChoiceNames<Topology>::names)
    if (name != name_of(Topology::file)) out.emplace_back(name);
  return out;
}

/// The first of `wished` that is there, else the first that is.
std::string first_of(std::initializer_list<std::string_view> wished, const std::vector<std::string>& there) {
  for (const std::string_view name : wished)
    if (std::find(there.begin(), there.end(), name) != there.end()) return std::string(name);
  return there.empty() ? std::string() : there.front();
}

/// "did you mean …?", or all there is.
std::string instead(const std::string& word, const std::vector<std::string>& there) {
  const std::string guess = nearest(word, there);
  return guess.empty() ? fmt::format("choose one of {}", fmt::join(there, ", ")) : fmt::format("did you mean '{}'?", guess);
}

/// Of a list by its name, whatever its case, or by the beginning of one name alone.
Refusal take_name(std::string_view what, std::string_view text, const std::vector<std::string>& there,
                  const std::vector<std::string>& all, std::optional<std::string>& out) {
  const std::string word(text);
  if (const std::optional<std::string> name = name_in(word, there)) return out = *name, std::nullopt;
  if (const std::optional<std::string> name = name_in(word, all))
    return fmt::format("{} does not go with what was answered before; choose one of {}", *name, fmt::join(there, ", "));
  return fmt::format("there is no {} '{}'; {}", what, printable(word), instead(word, there));
}

/// "512 H100-SXM-80", one of both, or either with an ×.
Refusal take_gpus(std::string_view text, InitAnswers& a, const Catalog& catalog) {
  InitAnswers taken = a;
  for (const std::string& word : words_of(text)) {
    if (word == "x" || word == "×") continue;
    if (const std::optional<std::uint32_t> count = count_in(word)) {
      taken.gpus = count;
    } else if (Refusal refused = take_name("GPU", word, catalog.gpus.names(), catalog.gpus.names(), taken.gpu)) {
      return refused;
    }
  }
  if (!taken.gpu && !taken.gpus) return "this names neither a number nor a GPU; write, for instance, 512 H100-SXM-80";
  if (!taken.gpu) taken.gpu = first_of({"H100-SXM-80"}, catalog.gpus.names());
  if (!taken.gpus) taken.gpus = 512;
  constexpr std::uint32_t kMost = 1U << 20;
  if (*taken.gpus < 2 || *taken.gpus > kMost)
    return fmt::format("{} GPUs are out of range; it must be 2 to {}", *taken.gpus, kMost);
  if (taken.gpus_per_node && *taken.gpus % *taken.gpus_per_node != 0)
    return fmt::format("{} GPUs do not fill servers of {}; use a multiple", *taken.gpus, *taken.gpus_per_node);
  a = std::move(taken);
  return std::nullopt;
}

Refusal take_servers(std::string_view text, InitAnswers& a) {
  const std::vector<std::string> words = words_of(text);
  const std::optional<std::uint32_t> count = words.size() == 1 ? count_in(words.front()) : std::nullopt;
  if (!count) return fmt::format("'{}' is no whole number; write how many GPUs a server has", printable(std::string(text)));
  if (*count == 0 || *count > 1024) return fmt::format("{} GPUs per server are out of range; it must be 1 to 1024", *count);
  if (a.gpus && *a.gpus % *count != 0)
    return fmt::format("{} GPUs do not fill servers of {}; use a divisor of {}", *a.gpus, *count, *a.gpus);
  a.gpus_per_node = count;
  return std::nullopt;
}

bool has_ratio(Topology topology) { return topology != Topology::star && topology != Topology::fat_tree; }

Refusal take_topology(std::string_view text, InitAnswers& a) {
  std::optional<std::string> name;
  std::string ratio;
  for (const std::string& word : words_of(text)) {
    if (is_ratio(word)) {
      ratio = word;
    } else if (Refusal refused = take_name("topology", word, topology_names(), topology_names(), name)) {
      return *refused + "; an oversubscription is written as in 2:1";
    }
  }
  const Topology topology = *choice_in<Topology>(name.value_or(std::string(name_of(Topology::leaf_spine))));
  if (!ratio.empty() && !has_ratio(topology) && ratio != "1:1")
    return fmt::format("a {} has no oversubscription; leave it out, or use leaf-spine", name_of(topology));
  a.topology = topology;
  a.oversubscription = !has_ratio(topology) ? "" : ratio.empty() && topology != Topology::rail_only ? "1:1" : ratio;
  return std::nullopt;
}

Refusal take_parallel(std::string_view text, InitAnswers& a) {
  const std::string lower = lower_case(text);
  if (lower == "find" || lower == "find one") return a.finds_split = true, std::nullopt;
  tl::expected<SplitAnswer, std::string> split = split_in(lower);
  if (!split) return split.error();
  a.split = *split;
  a.finds_split = false;
  return std::nullopt;
}

Refusal take_transport(std::string_view text, InitAnswers& a, const Catalog& catalog) {
  std::vector<std::string> there, all;
  InitAnswers open = a;
  open.transport.reset();
  for (const TransportKind kind : possible_transports(open, catalog)) there.emplace_back(name_of(kind));
  for (const std::string_view name : ChoiceNames<TransportKind>::names) all.emplace_back(name);
  std::optional<std::string> name;
  if (Refusal refused = take_name("transport", text, there, all, name)) return refused;
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

Result<TrainingPlan> plan_of(const InitAnswers& a, const Catalog& catalog) {
  return *a.finds_split ? find_plan(a, catalog) : plan_of_split(a, catalog);
}

/// Where all hosts fit under one leaf.
bool ratio_has_no_effect(const Diagnostics& warnings) {
  return std::any_of(warnings.begin(), warnings.end(), [](const Diagnostic& warning) {
    return warning.code == "RY-RUN-020" && warning.message.starts_with("fabric.oversubscription ");
  });
}

/// Whether the network can be wired, and whether the job fits, as soon as all that is needed is there. `before` are answers
/// that were looked at already.
Refusal refused_together(const InitAnswers& before, const InitAnswers& answers, const Catalog& catalog) {
  if (!describes_network(answers)) return std::nullopt;
  const InitAnswers a = with_defaults(answers, catalog);
  if (!a.transport) return "NIC and switch have no transport in common; choose others";
  if (a == with_defaults(before, catalog)) return std::nullopt;
  const Result<Scenario> network = read_text_of_init(network_text(a, catalog), catalog);
  if (!network) return sentence_of(network.error());
  if (const Diagnostics errors = remarks_on(*network).errors; !errors.empty()) return sentence_of(errors);
  if (!a.model) return std::nullopt;
  const Result<TrainingPlan> plan = plan_of(a, catalog);
  return plan ? std::nullopt : Refusal(sentence_of(plan.error()));
}

/// GPUs of a usual server: eight, or four where a rack is one scale-up domain.
std::string usual_server(const InitAnswers& a, const Catalog& catalog) {
  const Entry<GpuFact>* const gpu = a.gpu ? catalog.gpus.find(*a.gpu) : nullptr;
  const std::uint32_t domain = gpu ? gpu->fact.scale_up_domain : 8;
  std::uint32_t most = domain > 8 ? 4 : std::max(domain, 1U);
  while (a.gpus && *a.gpus % most != 0) most--;
  return std::to_string(most);
}

std::string usual_nic(const InitAnswers& a, const Catalog& catalog) {
  const std::vector<std::string> there = fitting(catalog.nics, a, catalog, &InitAnswers::nic);
  const Entry<GpuFact>* const gpu = a.gpu ? catalog.gpus.find(*a.gpu) : nullptr;
  const BitsPerSecond rate = gpu ? gpu->fact.nic_rate.value_or(400_Gbps) : 400_Gbps;
  if (a.transport == TransportKind::uec) return first_of({"Pollara-400"}, there);
  if (a.transport == TransportKind::srd) return first_of({"EFA-p5"}, there);
  if (rate >= 800_Gbps) return first_of({"ConnectX-8", "ConnectX-7"}, there);
  return rate >= 400_Gbps ? first_of({"ConnectX-7"}, there) : first_of({"ConnectX-6", "ConnectX-7"}, there);
}

std::string usual_switch(const InitAnswers& a, const Catalog& catalog) {
  const std::vector<std::string> there = fitting(catalog.switches, a, catalog, &InitAnswers::switch_model);
  if (there.empty()) return std::string(kOtherSwitch);
  if (a.transport == TransportKind::uec) return first_of({"Tomahawk-Ultra"}, there);
  return first_of({"Tomahawk-5", "Quantum-2"}, there);
}

/// One kind only that both carry, else RoCE.
std::string usual_transport(const InitAnswers& a, const Catalog& catalog) {
  std::vector<std::string> there;
  for (const TransportKind kind : possible_transports(a, catalog)) there.emplace_back(name_of(kind));
  return first_of({"roce", "infiniband"}, there);
}

}  // namespace

std::string_view question_text(InitQuestion question) {
  switch (question) {
    case InitQuestion::gpus:
      return "Number and kind of GPUs";
    case InitQuestion::servers:
      return "GPUs per server";
    case InitQuestion::nic:
      return "NIC, one per GPU";
    case InitQuestion::fabric_switch:
      return "Switch";
    case InitQuestion::topology:
      return "Topology and oversubscription";
    case InitQuestion::model:
      return "Model to train";
    case InitQuestion::parallel:
      return "Parallelism, or 'find one'";
    case InitQuestion::transport:
      return "Transport";
  }
  return {};
}

std::vector<std::string> question_choices(InitQuestion question, const InitAnswers& a, const Catalog& catalog) {
  std::vector<std::string> out;
  switch (question) {
    case InitQuestion::gpus:
      return catalog.gpus.names();
    case InitQuestion::servers:
      for (std::uint32_t count = 1; a.gpus && count <= std::min(*a.gpus, 16U); count++)
        if (*a.gpus % count == 0) out.push_back(std::to_string(count));
      return out;
    case InitQuestion::nic:
      return fitting(catalog.nics, a, catalog, &InitAnswers::nic);
    case InitQuestion::fabric_switch:
      out = fitting(catalog.switches, a, catalog, &InitAnswers::switch_model);
      out.emplace_back(kOtherSwitch);
      return out;
    case InitQuestion::topology:
      return topology_names();
    case InitQuestion::model:
      return catalog.models.names();
    case InitQuestion::parallel:
      return {"find one", "tensor=8 pipeline=4", "tensor=1 expert=8", "tensor=8 context=2"};
    case InitQuestion::transport:
      for (const TransportKind kind : possible_transports(a, catalog)) out.emplace_back(name_of(kind));
      return out;
  }
  return out;
}

std::string default_answer(InitQuestion question, const InitAnswers& a, const Catalog& catalog) {
  switch (question) {
    case InitQuestion::gpus:
      return "512 H100-SXM-80";
    case InitQuestion::servers:
      return usual_server(a, catalog);
    case InitQuestion::nic:
      return usual_nic(a, catalog);
    case InitQuestion::fabric_switch:
      return usual_switch(a, catalog);
    case InitQuestion::topology:
      return "leaf-spine 1:1";
    case InitQuestion::model:
      return "llama3-70b";
    case InitQuestion::parallel:
      return "find one";
    case InitQuestion::transport:
      return usual_transport(a, catalog);
  }
  return {};
}

std::optional<std::string> take_answer(InitQuestion question, std::string_view text, InitAnswers& answers,
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
      refused = take_name("NIC", text, there, catalog.nics.names(), taken.nic);
      break;
    case InitQuestion::fabric_switch:
      refused = take_name("switch", text, there, catalog.switches.names(), taken.switch_model);
      break;
    case InitQuestion::topology:
      refused = take_topology(text, taken);
      break;
    case InitQuestion::model:
      refused = take_name("model", text, there, there, taken.model);
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

bool is_answered(InitQuestion question, const InitAnswers& a) {
  switch (question) {
    case InitQuestion::gpus:
      return a.gpus && a.gpu;
    case InitQuestion::servers:
      return a.gpus_per_node.has_value();
    case InitQuestion::nic:
      return a.nic.has_value();
    case InitQuestion::fabric_switch:
      return a.switch_model.has_value();
    case InitQuestion::topology:
      return a.topology.has_value();
    case InitQuestion::model:
      return a.model.has_value();
    case InitQuestion::parallel:
      return a.finds_split.has_value();
    case InitQuestion::transport:
      return a.transport.has_value();
  }
  return false;
}

Result<std::string> described_scenario(const InitAnswers& answers, const Catalog& catalog) {
  const Result<TrainingPlan> plan = plan_of(answers, catalog);
  if (!plan) return plan.error();
  std::string text = scenario_text(answers, *plan, catalog);
  const Result<Scenario> scenario = read_text_of_init(text, catalog);
  if (!scenario) return scenario.error();
  const Remarks remarks = remarks_on(*scenario);
  if (!remarks.errors.empty()) return remarks.errors;
  if (!ratio_has_no_effect(remarks.warnings)) return text;
  InitAnswers under_one_leaf = answers;
  under_one_leaf.oversubscription = "";
  return scenario_text(under_one_leaf, *plan, catalog);
}

}  // namespace railyard
