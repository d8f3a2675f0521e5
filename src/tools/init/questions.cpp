#include "tools/init/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/simulate.h"
#include "tools/init/find_plan.h"
#include "tools/init/question_parts.h"

namespace railyard {

namespace {

bool carries(const std::vector<TransportKind>& kinds, TransportKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

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

std::vector<std::string> topology_names() {
  std::vector<std::string> out;
  for (const std::string_view name : ChoiceNames<Topology>::names)
    if (name != name_of(Topology::file)) out.emplace_back(name);
  return out;
}

std::vector<std::uint32_t> even_servers(std::uint32_t gpus) {
  constexpr std::uint32_t kMost = 16;
  std::vector<std::uint32_t> out;
  for (std::uint32_t count = 1; count <= std::min(gpus, kMost); count++)
    if (gpus % count == 0) out.push_back(count);
  return out;
}

Result<TrainingPlan> plan_of(const InitAnswers& a, const Catalog& catalog) {
  return *a.finds_split ? find_plan(a, catalog) : plan_of_split(a, catalog);
}

std::string first_of(std::initializer_list<std::string_view> wished, const std::vector<std::string>& there) {
  for (const std::string_view name : wished)
    if (std::find(there.begin(), there.end(), name) != there.end()) return std::string(name);
  return there.empty() ? std::string() : there.front();
}

namespace {

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

/// Where all hosts fit under one leaf.
bool ratio_has_no_effect(const Diagnostics& warnings) {
  return std::any_of(warnings.begin(), warnings.end(), [](const Diagnostic& warning) {
    return warning.code == "RY-RUN-020" && warning.message.starts_with("fabric.oversubscription ");
  });
}

/// GPUs of a usual server: eight, or four where a rack is one scale-up domain; fewer where there are no more.
std::string usual_server(const InitAnswers& a, const Catalog& catalog) {
  const Entry<GpuFact>* const gpu = a.gpu ? catalog.gpus.find(*a.gpu) : nullptr;
  const std::uint32_t domain = gpu ? gpu->fact.scale_up_domain : 8;
  const std::uint32_t usual = domain > 8 ? 4 : std::max(domain, 1U);
  return std::to_string(std::min(usual, a.gpus.value_or(usual)));
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
      return catalog.speeds.names();  // a model is to be trained on them
    case InitQuestion::servers:
      for (const std::uint32_t count : even_servers(a.gpus.value_or(0))) out.push_back(std::to_string(count));
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

std::string part_text(InitPart part, const InitAnswers& a) {
  const auto count = [](const std::optional<std::uint32_t>& value) { return value ? std::to_string(*value) : std::string(); };
  switch (part) {
    case InitPart::gpus:
      return count(a.gpus);
    case InitPart::gpu:
      return a.gpu.value_or("");
    case InitPart::servers:
      return count(a.gpus_per_node);
    case InitPart::nic:
      return a.nic.value_or("");
    case InitPart::fabric_switch:
      return a.switch_model.value_or("");
    case InitPart::topology:
      return a.topology ? std::string(name_of(*a.topology)) : std::string();
    case InitPart::oversubscription:
      return a.oversubscription.value_or("");
    case InitPart::model:
      return a.model.value_or("");
    case InitPart::parallel:
      return a.finds_split ? (*a.finds_split ? "find" : "as asked for") : "";
    case InitPart::transport:
      return a.transport ? std::string(name_of(*a.transport)) : std::string();
  }
  return {};
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
