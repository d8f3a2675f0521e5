#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

using namespace conditions;

Section serving_section() {
  using Serving = ServingSpec;
  const KeyEffect serving{kAnyServing};
  const Limits<std::uint32_t> tokens{.min = 1, .max = 1U << 24};
  return section(
      "serving",
      "the model of [model] answers requests: some GPUs read prompts (prefill), others get their caches of keys and values and "
      "write tokens (decode)",
      serving, [](ScenarioSpec& s) -> Serving& { return present(s.serving); },
      {key("prefill_gpus", &Serving::prefill_gpus, "GPUs that read prompts", kRanks),
       key("decode_gpus", &Serving::decode_gpus, "GPUs that write tokens", kRanks),
       key("prompt", &Serving::prompt, "tokens of a prompt", tokens),
       key("output", &Serving::output, "tokens that are written to answer it", tokens),
       key("batch", &Serving::batch, "requests that a GPU of decode has at a time", {.min = 1, .max = 1U << 16}),
       key("requests_per_second", &Serving::requests_per_second,
           "requests of all GPUs together, instead of batch: the batch is then the least that keeps up",
           {.min = 1e-6, .max = 1e9}),
       key("prefill_batch", &Serving::prefill_batch, "prompts that a tensor group reads at a time",
           {.min = 1, .max = 1U << 16}),
       key("prefill_tensor", &Serving::prefill_tensor, "tensor-parallel degree of prefill", kCount),
       key("decode_tensor", &Serving::decode_tensor, "tensor-parallel degree of decode", kCount),
       only(serving.when(kExperts),
            key("prefill_expert", &Serving::prefill_expert, "expert-parallel degree of prefill", kCount)),
       only(serving.when(kExperts), key("decode_expert", &Serving::decode_expert, "expert-parallel degree of decode", kCount)),
       only(serving.when(kExperts), key("redundant_experts", &Serving::redundant_experts,
                                        "copies of experts beside the model's own, on either side", {.max = 1U << 16})),
       key("context", &Serving::context,
           "tokens that are there while one is written, on average; prompt and half of output if not given", tokens),
       key("prefix_cached", &Serving::prefix_cached, "share of a prompt whose keys and values are there already",
           {.min = 0.0, .max = 0.999}),
       key("precision", &Serving::precision, "number format of the matrix products, and of weights"),
       key("cache", &Serving::cache, "number format of keys and values that are kept"),
       only(serving.when(kSpreadExperts),
            key("dispatch", &Serving::dispatch, "number format of tokens in dispatch; fp8 where precision is, if not given")),
       only(serving.when(kSpreadExperts), key("combine", &Serving::combine, "number format of tokens in combine")),
       only(
           serving.when(kSpreadExperts),
           key("overlap", &Serving::overlap, "a batch is cut in two: what one half sends runs beside what the other computes")),
       only(serving.when(kExperts), key("routing_skew", &Serving::routing_skew,
                                        "Zipf exponent of the experts' popularity; 0 is even", {.min = 0.0, .max = 4.0})),
       only(serving.when(kTensorAlone),
            key("all_reduce_latency", &Serving::all_reduce_latency,
                "of a small all-reduce inside a scale-up domain, by kernels made for serving", kDelay))});
}

}  // namespace railyard
