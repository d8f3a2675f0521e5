#include "scenario/resolve/resolve_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr double kLeastPower = 0.4;  // of a GPU's own: below, nobody measured

double watts(Milliwatts power) { return static_cast<double>(power.count()) / 1000; }

/// Clock over the usual one at `share` of a GPU's power: what is not static grows with its third power. Rounded, so that every
/// machine has the same.
double clock_under(double share, double still) { return std::round(std::cbrt((share - still) / (1 - still)) * 1e6) / 1e6; }

/// Memory and scale-up links are known by bytes per second.
std::string bytes_rate(BitsPerSecond rate) {
  const double gigabytes = static_cast<double>(rate.count()) / 8e9;
  return gigabytes < 1000 ? fmt::format("{:.4g} GB/s", gigabytes) : fmt::format("{:.4g} TB/s", gigabytes / 1000);
}

class GpuResolver {
 public:
  GpuResolver(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints)
      : s_(spec),
        out_(out),
        plan_(out.fabric),
        complaints_(complaints),
        gpu_(catalog.gpus.find(spec.cluster.gpu)),
        speed_(catalog.speeds.find(spec.cluster.gpu)),
        step_(catalog.steps.find("training-step")),
        comm_(catalog.communication.find(spec.cluster.gpu)),
        nccl_(catalog.libraries.find("NCCL")),
        rccl_(catalog.libraries.find("RCCL")),
        efa_(catalog.libraries.find("NCCL-EFA")),
        nic_(catalog.nics.find(spec.cluster.nic)),
        model_(spec.model ? catalog.models.find(spec.model->preset) : nullptr) {}

  /// What a model's scenario computes with and how fast a GPU reaches others.
  void gpu() {
    if (s_.cluster.gpu.empty() && !s_.given("cluster.gpu"))
      complaints_.error("RY-SCN-015", s_.where("cluster"), "the key 'gpu' is missing",
                        "add gpu = \"H100-SXM-80\" or the like to [cluster] (railyard catalog gpus)");
    if (!gpu_ || !speed_) return;
    RY_CHECK(step_, "the catalog tells what is lost where the parts of a step meet");
    GpuPlan& plan = out_.workload.gpu.emplace();
    plan.gpu = gpu_->fact;
    if (s_.cluster.scale_up_rate) plan.gpu.scale_up_rate = *s_.cluster.scale_up_rate;
    plan.speed = speed_->fact;
    plan.step = step_->fact;
    if (s_.cluster.gpu_power) limit_power(plan);
    preset();
    const std::uint32_t per_node = plan_.per_node;
    constexpr std::uint32_t kLargestBoard = 16;
    const std::uint32_t known = gpu_->fact.scale_up_domain;
    resolve_count("cluster.scale_up_domain", plan.scale_up_domain, s_.cluster.scale_up_domain,
                  known <= kLargestBoard ? std::min(known, per_node) : known);
    const bool linked = gpu_->fact.scale_up == "xGMI";
    if (s_.cluster.scale_up.value_or(linked ? ScaleUpWiring::mesh : ScaleUpWiring::switched) == ScaleUpWiring::mesh)
      plan.scale_up_mesh = linked ? known : plan.scale_up_domain;
    const std::uint32_t nics = s_.cluster.nics_per_node.value_or(per_node);
    plan.scale_out_rate = BitsPerSecond(plan_.link_rate.count() * plan_.planes * nics / per_node);
    plan.scale_out_latency =  // host, leaf, spine, leaf, host
        plan_.host_latency * 2 + (plan_.link_delay + plan_.delay_above_leaves()) * 2 + plan_.switch_latency * 3;
    const auto know = [&](const auto* entry, const char* key, std::string value) {
      const Origin& origin = entry->origin_of(key);
      note(fmt::format("{} {}", gpu_->name, key), std::move(value), {origin.status, origin.source});
    };
    know(gpu_, "bf16_dense", format(plan.gpu.bf16_dense));
    know(gpu_, "memory", format(plan.gpu.memory));
    know(gpu_, "memory_rate", bytes_rate(plan.gpu.memory_rate));
    if (!s_.cluster.scale_up_rate) know(gpu_, "scale_up_rate", bytes_rate(plan.gpu.scale_up_rate));
    know(speed_, "gemm_bf16", format(plan.speed.gemm_bf16));
    if (s_.training.precision == Precision::fp8 && plan.speed.gemm_fp8) know(speed_, "gemm_fp8", format(*plan.speed.gemm_fp8));
    if (s_.training.precision == Precision::fp4 && plan.speed.gemm_fp4) know(speed_, "gemm_fp4", format(*plan.speed.gemm_fp4));
    know(speed_, "attention_forward", format(plan.speed.attention_forward));
    know(speed_, "attention_backward", format(plan.speed.attention_backward));
    what_steps_lose(plan.step);
    if ((s_.training.precision == Precision::fp8 && !plan.speed.gemm_fp8) ||
        (s_.training.precision == Precision::fp4 && !plan.speed.gemm_fp4))
      complaints_.error("RY-SCN-053", s_.where("training.precision"),
                        fmt::format("the catalog has no {} matrix rate for {}", name_of(s_.training.precision), gpu_->name),
                        "use precision = \"bf16\" or another GPU");
  }

  /// What of a step's constants moves its time most.
  void what_steps_lose(const StepFact& step) {
    const Origin &spread = step_->origin_of("gpu_spread"), &contention = step_->origin_of("contention");
    note("training.gpu_spread", fmt::format("{}", s_.training.gpu_spread.value_or(step.gpu_spread)),
         s_.training.gpu_spread ? Origin{Status::given, "scenario"} : Origin{spread.status, spread.source});
    note("contention", fmt::format("{}", step.contention), {contention.status, contention.source});
  }

  /// Products at the clocks that a lower limit of power leaves.
  void limit_power(GpuPlan& plan) {
    const Milliwatts limit = *s_.cluster.gpu_power, full = gpu_->fact.power.value_or(Milliwatts::zero());
    if (full == Milliwatts::zero() || limit > full || watts(limit) < kLeastPower * watts(full))
      return complaints_.error("RY-SCN-136", s_.where("cluster.gpu_power"),
                               full == Milliwatts::zero() ? fmt::format("the catalog does not know the power of {}", gpu_->name)
                                                          : fmt::format("{} is no limit for {}, which takes {}", format(limit),
                                                                        gpu_->name, format(full)),
                               full == Milliwatts::zero()
                                   ? "remove it, or choose another GPU"
                                   : fmt::format("use {:.0f} to {:.0f} W", std::ceil(kLeastPower * watts(full)), watts(full)));
    const double clock = clock_under(watts(limit) / watts(full), plan.step.static_power);
    const auto slow = [&](FlopsPerSecond& rate) {
      rate = FlopsPerSecond(static_cast<std::int64_t>(static_cast<double>(rate.count()) * clock));
    };
    for (FlopsPerSecond SpeedFact::*rate :
         {&SpeedFact::gemm_bf16, &SpeedFact::attention_forward, &SpeedFact::attention_backward})
      slow(plan.speed.*rate);
    for (std::optional<FlopsPerSecond> SpeedFact::*rate : {&SpeedFact::gemm_fp8, &SpeedFact::gemm_fp4})
      if (plan.speed.*rate) slow(*(plan.speed.*rate));
    note("clock under gpu_power", fmt::format("{:.3f} of the usual", clock),
         {step_->origin_of("static_power").status, step_->origin_of("static_power").source});
  }

  /// Rates that were measured on the GPU's own links, on links that many times as fast. What a protocol limits does not grow.
  static void fit_to_links(CommFact& gpu, double factor) {
    const auto times = [](BitsPerSecond rate, double by) {
      return BitsPerSecond(static_cast<std::int64_t>(static_cast<double>(rate.count()) * by));
    };
    for (BitsPerSecond CommFact::*rate : {&CommFact::ring_rate, &CommFact::all_to_all_rate})
      gpu.*rate = times(gpu.*rate, factor);
    for (BitsPerSecond CommFact::*rate : {&CommFact::ll_rate, &CommFact::ll128_rate})
      gpu.*rate = times(gpu.*rate, std::min(factor, 1.0));
    if (gpu.nvls_rate) gpu.nvls_rate = times(*gpu.nvls_rate, factor);
  }

  /// Who carries a collective out.
  void library() {
    const LibraryChoice choice = s_.collective->library;
    if (choice == LibraryChoice::none || (choice == LibraryChoice::automatic && s_.cluster.gpu.empty())) return;
    if (s_.cluster.gpu.empty() && !s_.given("cluster.gpu"))
      return complaints_.error("RY-SCN-015", s_.where("collective.library"), "library needs a GPU model",
                               "add gpu = \"H100-SXM-80\" or the like to [cluster]");
    if (!gpu_ || !comm_) return;
    RY_CHECK(nccl_ && rccl_ && efa_, "the catalog knows both libraries, and one over EFA");
    const bool amd = gpu_->fact.vendor == "AMD";
    if ((choice == LibraryChoice::nccl && amd) || (choice == LibraryChoice::rccl && !amd))
      return complaints_.error("RY-SCN-078", s_.where("collective.library"),
                               fmt::format("{} does not run on {}", name_of(choice), gpu_->name),
                               "use \"auto\", or another GPU");
    const Entry<LibraryFact>& constants = amd ? *rccl_ : s_.transport.kind == TransportKind::srd ? *efa_ : *nccl_;
    out_.workload.library = LibraryPlan{amd, comm_->fact, constants.fact, plan_.scale_up.rate, !nic_ || nic_->fact.in_order};
    if (out_.workload.library->link == BitsPerSecond::zero())
      out_.workload.library->link = gpu_->fact.scale_up_rate;  // a domain of one
    fit_to_links(out_.workload.library->gpu, static_cast<double>(out_.workload.library->link.count()) /
                                                 static_cast<double>(gpu_->fact.scale_up_rate.count()));
    const auto know = [&](const char* key, std::string value) {
      const Origin& origin = comm_->origin_of(key);
      note(fmt::format("{} {}", gpu_->name, key), std::move(value), {origin.status, origin.source});
    };
    know("launch", format(comm_->fact.launch));
    know("simple_step", format(comm_->fact.simple_step));
    know("ring_rate", bytes_rate(comm_->fact.ring_rate));
    if (comm_->fact.nvls_rate) know("nvls_rate", bytes_rate(*comm_->fact.nvls_rate));
    if (plan_.endpoints > plan_.scale_up.domain) know("net_share", fmt::format("{}", comm_->fact.net_share));
  }

 private:
  void note(const std::string& key, std::string value, Origin origin) {
    out_.inputs.push_back({key, std::move(value), std::move(origin)});
  }

  /// The model's own origin, and that of single dimensions that are less certain.
  void preset() {
    if (!model_) return;
    note("model.preset", model_->name, model_->origin);
    for (const auto& [key, origin] : model_->values)
      if (!s_.given("model." + key) && key != "parameters" && key != "active_parameters") {
        const auto written = std::find_if(model_->written.begin(), model_->written.end(),
                                          [&name = key](const auto& w) { return w.first == name; });
        note("model." + key, written->second, origin);
      }
  }

  void resolve_count(const std::string& key, std::uint32_t& out, const std::optional<std::uint32_t>& given,
                     std::uint32_t known) {
    out = given.value_or(known);
    const Origin& origin = gpu_->origin_of("scale_up_domain");
    note(key, std::to_string(out), given ? Origin{Status::given, "scenario"} : Origin{origin.status, origin.source});
  }

  const ScenarioSpec& s_;
  Scenario& out_;
  const FabricPlan& plan_;
  Complaints& complaints_;
  const Entry<GpuFact>* gpu_;
  const Entry<SpeedFact>* speed_;
  const Entry<StepFact>* step_;
  const Entry<CommFact>* comm_;
  const Entry<LibraryFact>*nccl_, *rccl_, *efa_;
  const Entry<NicFact>* nic_;
  const Entry<ModelFact>* model_;
};

}  // namespace

void resolve_gpu(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints) {
  GpuResolver(spec, catalog, out, complaints).gpu();
}

void resolve_library(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints) {
  GpuResolver(spec, catalog, out, complaints).library();
}

}  // namespace railyard
