// Whatever is simulated, whoever watches sees a share that starts at 0, never falls, and is 1 at the end and not before.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <thread>

#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

template<class... Words>
std::string one_of(Words... words) {
  return *rc::gen::element(std::string(words)...);
}

std::string random_step() {
  const int tensor = *rc::gen::element(1, 2, 4), pipeline = *rc::gen::element(1, 2, 4), data = *rc::gen::element(1, 2, 4);
  const bool packets = *rc::gen::inRange(0, 4) == 0;
  return fmt::format(
             "[model]\nlayers = 8\nhidden = 1024\nheads = 16\nffn = 4096\nvocabulary = 32000\nsequence = 1024\n[training]\n"
             "global_batch = {}\n[parallel]\ntensor = {}\npipeline = {}\nzero = {}\nschedule = \"{}\"\n[cluster]\ngpu = "
             "\"A100-SXM-80\"\ngpus_per_node = {}\ngpus = {}\n",
             data * 8, tensor, pipeline, *rc::gen::inRange(0, 4), one_of("1f1b", "gpipe", "zero-bubble", "dualpipe"),
             *rc::gen::element(1, 2, 4), tensor * pipeline * data) +
         (packets                       ? "[slice]\nlength = \"20 us\"\n"
          : *rc::gen::arbitrary<bool>() ? "[jitter]\ndelay = \"50 us\"\n"
                                        : "") +
         fmt::format("[engine]\nfidelity = \"{}\"\n", packets ? "packet" : one_of("flow", "flow", "analytic"));
}

std::string random_collective() {
  return fmt::format("[collective]\nkind = \"{}\"\nsizes = [\"1 KiB\", \"1 MiB\", \"16 MiB\"]\n[cluster]\ngpus = {}\n",
                     one_of("all_reduce", "all_gather", "all_to_all", "broadcast"), *rc::gen::element(8, 16)) +
         fmt::format("[engine]\nfidelity = \"{}\"\n", one_of("analytic", "flow"));
}

std::string random_traffic() {
  return fmt::format("[traffic]\npattern = \"{}\"\nsize = \"256 KiB\"\n[cluster]\ngpus = {}\n",
                     one_of("permutation", "incast", "all-to-all"), *rc::gen::element(8, 16)) +
         fmt::format("[engine]\nfidelity = \"{}\"\n", one_of("analytic", "flow", "packet"));
}

/// What a watcher saw, in order.
class Watched {
 public:
  void look(const Progress& progress) {
    const double share = progress.share();
    if (share < before_ || share < 0 || share > 1) broken_ = true;
    before_ = share;
  }
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  double before_ = 0;
  bool broken_ = false;
};

/// Runs one random scenario; says whether it was not refused.
bool ran() {
  const int kind = *rc::gen::inRange(0, 3);
  const std::string text = "name = \"random\"\n" +
                           (kind == 0   ? random_step()
                            : kind == 1 ? random_collective()
                                        : random_traffic()) +
                           "[fabric]\ntopology = \"leaf-spine\"\nhosts_per_leaf = 4\nlink_rate = \"400 Gb/s\"\nlink_delay = "
                           "\"100 ns\"\nswitch_latency = \"900 ns\"\nhost_latency = \"1 us\"\n";
  RC_LOG() << text;
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return text; };
  const Result<Scenario> scenario = load_scenario("random.toml", builtin_catalog(), {}, read);
  if (!scenario) return false;
  Progress progress;
  Watched inside, beside;
  std::size_t flows = 0, early = 0;
  std::atomic<bool> over{false};
  std::thread watcher([&] {
    while (!over) beside.look(progress), std::this_thread::yield();
  });
  const Result<Run> run = simulate(*scenario,
                                   {.threads = 1,
                                    .on_flow =
                                        [&](const FlowRecord&) {
                                          inside.look(progress);
                                          flows++;
                                          early += progress.share() >= 1 ? 1 : 0;
                                        }},
                                   progress);
  over = true;
  watcher.join();
  RC_ASSERT(!inside.is_broken());
  RC_ASSERT(!beside.is_broken());
  if (!run) return false;
  RC_ASSERT(progress.share() == 1);
  RC_ASSERT(progress.done() == progress.total());
  if (run->training) RC_ASSERT(early == 0U);  // the step is played once more, each collective alone
  return true;
}

TEST(ProgressOf, any_run_never_falls_and_ends_at_one) {
  std::size_t runs = 0, all = 0;
  EXPECT_TRUE(rc::check("any run", [&] {
    all++;
    runs += ran() ? 1 : 0;
  }));
  EXPECT_GT(runs, all / 2) << "most are not refused";
}

}  // namespace
}  // namespace railyard
