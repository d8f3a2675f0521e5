#include "scenario/check/check_serving.h"

#include <fmt/format.h>

#include "scenario/check/suggest.h"
#include "scenario/resolve/resolve_model.h"

namespace railyard {

namespace {

class ServingChecker {
 public:
  ServingChecker(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints)
      : s_(scenario), v_(*scenario.serving), complaints_(complaints) {
    if (scenario.model) m_ = dimensions_of(scenario, catalog);
  }

  void run() {
    if (!s_.model && !s_.given("model"))
      error("RY-SRV-001", "serving", "[serving] needs a [model]: what is served",
            "add [model] with preset = \"…\" (railyard catalog models)");
    for (const char* section : {"training", "parallel", "slice", "jitter", "reliability"})
      if (s_.given(section))
        error("RY-SRV-001", section, fmt::format("[{}] does not apply to [serving]: the model is not trained", section),
              "remove it; degrees, precision and batches of serving are keys of [serving]");
    sides();
    requests();
    s_.training.precision = v_.precision;  // what the GPU is asked for
    if (s_.engine.fidelity == Fidelity::packet)
      error("RY-SRV-009", "engine.fidelity", "serving at fidelity \"packet\" is not supported",
            "use fidelity = \"flow\" or \"analytic\"");
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void sides() {
    const std::size_t before = complaints_.found().size();
    for (const auto& [key, gpus, what] :
         {std::tuple{"prefill_gpus", v_.prefill_gpus, "read prompts"}, {"decode_gpus", v_.decode_gpus, "write tokens"}})
      if (!gpus && !s_.given(std::string("serving.") + key))
        error("RY-SRV-002", "serving", fmt::format("no GPUs {}: {} is missing", what, key),
              fmt::format("add {} = … to [serving]", key));
    if (!v_.prefill_gpus || !v_.decode_gpus) return;
    degrees("prefill", *v_.prefill_gpus, v_.prefill_tensor, v_.prefill_expert);
    degrees("decode", *v_.decode_gpus, v_.decode_tensor, v_.decode_expert);
    if (complaints_.found().size() == before) cluster();
  }

  /// Servers are given to one side as a whole.
  void cluster() {
    const std::uint64_t per_node = s_.cluster.gpus_per_node.value_or(1);
    const auto whole = [&](std::uint64_t gpus) { return (gpus + per_node - 1) / per_node * per_node; };
    const std::uint64_t needed = whole(*v_.prefill_gpus) + whole(*v_.decode_gpus);
    if (!s_.cluster.gpus && needed <= 1U << 24) s_.cluster.gpus = static_cast<std::uint32_t>(needed);
    if (s_.cluster.gpus.value_or(0) < needed)
      error("RY-SRV-003", s_.first_given({"cluster.gpus", "serving"}),
            fmt::format("prefill and decode need {} GPUs in whole servers of {}, and there are {}", needed, per_node,
                        s_.cluster.gpus.value_or(0)),
            "use more GPUs, or fewer of either side");
  }

  void degrees(const std::string& side, std::uint32_t gpus, std::uint32_t tensor, std::uint32_t expert) {
    const std::string of_tensor = "serving." + side + "_tensor", of_expert = "serving." + side + "_expert";
    const auto divides = [&](const std::string& key, std::uint32_t degree, std::uint32_t what, const char* name) {
      if (what % degree == 0) return true;
      error("RY-SRV-004", key, fmt::format("{} = {} does not divide {} = {}", key.substr(8), degree, name, what),
            fmt::format("use {}", divisors_near(what, degree)));
      return false;
    };
    const std::string gpus_key = side + "_gpus";
    if (divides(of_tensor, tensor, gpus, gpus_key.c_str()) && divides(of_tensor, tensor, m_.heads.value_or(tensor), "heads"))
      divides(of_tensor, tensor, m_.ffn.value_or(tensor), "ffn");
    if (expert == 1) return;
    if (!m_.experts && s_.model)
      return error("RY-SRV-004", of_expert, fmt::format("{}_expert = {}, but the model has no experts", side, expert),
                   "leave it out");
    if (divides(of_expert, expert, gpus, gpus_key.c_str()))
      divides(of_expert, expert, m_.experts.value_or(0) + v_.redundant_experts, "experts and redundant_experts together");
  }

  void requests() {
    for (const auto& [key, there] : {std::pair{"prompt", v_.prompt.has_value()}, {"output", v_.output.has_value()}})
      if (!there && !s_.given(std::string("serving.") + key))
        error("RY-SCN-015", "serving", fmt::format("the key '{}' is missing", key),
              fmt::format("add {} = … to [serving]", key));
    const bool batch = s_.given("serving.batch"), rate = s_.given("serving.requests_per_second");
    if (batch && rate)
      error("RY-SRV-005", "serving.requests_per_second", "both batch and requests_per_second are given",
            "keep one: the other follows from it");
    else if (!batch && !rate)
      error("RY-SRV-005", "serving", "[serving] does not say how much there is to do",
            "add batch = … (requests of a GPU of decode) or requests_per_second = … to [serving]");
    if (v_.prompt && v_.prefix() >= *v_.prompt)
      error("RY-SRV-005", "serving.prefix_cached", fmt::format("nothing of a prompt of {} tokens is left to read", *v_.prompt),
            "use a smaller share");
  }

  ScenarioSpec& s_;
  const ServingSpec& v_;
  ModelFact m_;
  Complaints& complaints_;
};

}  // namespace

void check_serving(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints) {
  ServingChecker(scenario, catalog, complaints).run();
}

}  // namespace railyard
