#include "sim/serving/serving_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "plan/serving_parts.h"
#include "sim/supported.h"
#include "workload/cache.h"

namespace railyard {

namespace {

Result<ServedPass> play_pass(const Scenario& scenario, PassSide side, std::uint32_t requests) {
  ServedPass out{.scenario = pass_of(scenario, side, requests), .run = {}, .requests = requests, .groups = 0};
  out.groups = groups_of(*scenario.workload.serving, side);
  const Result<Step> step = build_step(out.scenario.workload, out.scenario.keys);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(out.scenario, *step); !refused.empty()) return refused;
  out.run = run_step(out.scenario, *step);
  out.run.free = run_without_links(out.scenario, *step);
  return out;
}

double tokens_per_second(const ServedPass& decode) {
  return static_cast<double>(decode.requests) * decode.groups / seconds(decode.time());
}

/// The least batch that writes as many tokens as are asked for: batches grow until one does, then the gap is halved.
class BatchSearch {
 public:
  explicit BatchSearch(const Scenario& scenario)
      : scenario_(scenario), serving_(*scenario.workload.serving), needed_(*serving_.requests_per_second * *serving_.output) {}

  Result<ServedPass> run() {
    std::uint32_t fails = 0, works = 0;
    for (std::uint32_t batch = 1; works == 0; batch *= 2) {
      Result<ServedPass> tried = attempt(batch);
      if (!tried && (batch == 1 || !is_full(tried.error()))) return tried.error();
      if (!tried || batch >= kMostBatch) {
        if (Result<ServedPass> last = largest(fails, batch); last && tokens_per_second(*last) >= needed_)
          works = batch_of(*last);
        else
          return too_many(*attempt(fails));
        break;
      }
      (tokens_per_second(*tried) >= needed_ ? works : fails) = batch;
    }
    while (works - fails > 1) {
      const std::uint32_t middle = fails + (works - fails) / 2;
      (tokens_per_second(*attempt(middle)) >= needed_ ? works : fails) = middle;
    }
    return attempt(works);
  }

 private:
  static constexpr std::uint32_t kMostBatch = 1U << 14;

  [[nodiscard]] Result<ServedPass> attempt(std::uint32_t batch) const {
    return play_pass(scenario_, PassSide::decode, batch * serving_.decode_tensor);
  }
  static bool is_full(const Diagnostics& found) { return found.front().code == "RY-SRV-006"; }
  [[nodiscard]] std::uint32_t batch_of(const ServedPass& pass) const { return pass.requests / serving_.decode_tensor; }

  /// The largest batch that fits, between one that does and one that does not.
  [[nodiscard]] Result<ServedPass> largest(std::uint32_t fits, std::uint32_t bursts) const {
    while (bursts - fits > 1) {
      const std::uint32_t middle = fits + (bursts - fits) / 2;
      (attempt(middle) ? fits : bursts) = middle;
    }
    return attempt(fits);
  }

  [[nodiscard]] Diagnostics too_many(const ServedPass& most) const {
    return {
        {Severity::error, "RY-SRV-007",
         fmt::format("{} requests per second of {} tokens are {:.0f} tokens per second, and {} GPUs of decode write {:.0f} "
                     "at most",
                     *serving_.requests_per_second, *serving_.output, needed_, *serving_.decode_gpus, tokens_per_second(most)),
         "use more decode_gpus, or fewer requests", scenario_.keys.where("serving.requests_per_second")}};
  }

  const Scenario& scenario_;
  const ServingSpec& serving_;
  const double needed_;
};

Result<ServedPass> decode_of(const Scenario& scenario) {
  const ServingSpec& serving = *scenario.workload.serving;
  if (serving.batch) return play_pass(scenario, PassSide::decode, *serving.batch * serving.decode_tensor);
  return BatchSearch(scenario).run();
}

/// As many GPUs send or take in a cache as the smaller of both groups has.
Picoseconds transfer_of(const ServingSpec& serving, Bytes cache, const ClusterLinks& links) {
  const double senders = std::min(serving.prefill_tensor, serving.decode_tensor);
  return from_seconds(static_cast<double>(cache.count()) / senders / links.out_rate) + links.out_latency;
}

}  // namespace

Result<ServingRun> run_serving(const Scenario& scenario) {
  const ServingSpec& serving = *scenario.workload.serving;
  Result<ServedPass> prefill = play_pass(scenario, PassSide::prefill, serving.prefill_batch);
  Result<ServedPass> decode = decode_of(scenario);
  Diagnostics refused;
  for (const Result<ServedPass>* side : {&prefill, &decode})
    if (!*side) refused.insert(refused.end(), side->error().begin(), side->error().end());
  if (!refused.empty()) return refused;
  ServingRun out{.prefill = std::move(*prefill), .decode = std::move(*decode), .cache = {}, .transfer = {}};
  out.cache_token = cache_per_token(*scenario.workload.model, serving.cache);
  out.cache = Bytes(static_cast<std::int64_t>(std::ceil(out.cache_token * *serving.prompt)));
  out.transfer = transfer_of(serving, out.cache, links_of(*scenario.workload.gpu));
  out.prefill_rate = static_cast<double>(out.prefill.requests) * out.prefill.groups / seconds(out.prefill.time());
  out.decode_rate = tokens_per_second(out.decode) / *serving.output;
  out.rate = serving.requests_per_second.value_or(std::min(out.prefill_rate, out.decode_rate));
  if (out.rate > out.prefill_rate)
    return Diagnostics{{Severity::error, "RY-SRV-008",
                        fmt::format("{} requests per second come, and {} GPUs of prefill read {:.1f} at most", out.rate,
                                    *serving.prefill_gpus, out.prefill_rate),
                        "use more prefill_gpus, or fewer requests", scenario.keys.where("serving.requests_per_second")}};
  return out;
}

}  // namespace railyard
