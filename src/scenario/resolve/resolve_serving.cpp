#include "scenario/resolve/resolve_serving.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/quantity_text.h"

namespace railyard {

void resolve_serving(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out) {
  ServingSpec& serving = out.workload.serving.emplace(*spec.serving);
  const Entry<ExchangeFact>* const kernels = catalog.exchanges.find("DeepEP");
  RY_CHECK(kernels, "the catalog knows the kernels of DeepEP");
  serving.exchange_share = kernels->fact.nic_share;
  out.workload.parallel.tensor = serving.decode_tensor;
  out.workload.parallel.expert_dispatch = Dispatch::deduplicated;  // as prefill does
  out.workload.parallel.expert = std::max(serving.prefill_expert, serving.decode_expert);
  const auto note = [&](const char* key, std::string value, Status status, std::string source) {
    out.inputs.push_back({key, std::move(value), {status, std::move(source)}});
  };
  if (out.workload.parallel.expert > 1) {
    const Origin& origin = kernels->origin_of("nic_share");
    note("DeepEP nic_share", fmt::format("{}", serving.exchange_share), origin.status, origin.source);
  }
  if (!spec.given("serving.all_reduce_latency") && (serving.prefill_tensor > 1 || serving.decode_tensor > 1))
    note("serving.all_reduce_latency", format(serving.all_reduce_latency), Status::assumed,
         "one-shot kernels of serving software; those of training take longer");
  if (!spec.given("serving.context"))
    note("serving.context", fmt::format("{}", serving.seen()), Status::assumed, "the prompt and half of the output");
}

}  // namespace railyard
