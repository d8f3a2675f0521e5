// Delays of collectives in closed form: what shows, what is hidden, and who is hit.
#include "sim/step/jitter_run.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "scenario/testing.h"
#include "workload/testing.h"

namespace railyard {
namespace {

constexpr const char* kMoe = R"(name = "moe"
[model]
preset = "mixtral-8x7b"
layers = 8
sequence = 4096
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 32
[training]
global_batch = 64
[parallel]
)";

/// Layouts of a dense model and of one with experts that meet every way a collective can run beside something.
std::vector<std::string> layouts() {
  std::vector<std::string> all;
  for (const char* parallel :
       {"tensor = 8", "tensor = 4\ntensor_overlap = \"none\"", "tensor = 4\ntensor_overlap = \"full\"",
        "tensor = 4\nsequence = false", "tensor = 2\npipeline = 4", "pipeline = 4\nvirtual_pipeline = 2\nzero = 1",
        "tensor = 2\npipeline = 4\nschedule = \"zero-bubble\"", "tensor = 2\npipeline = 4\nschedule = \"dualpipe\"",
        "pipeline = 8\nschedule = \"gpipe\"\npipeline_overlap = false", "context = 8", "context = 4\ncontext_method = \"ring\"",
        "zero = 3", "zero = 2\ntensor = 2", "tensor = 4\ndata_overlap = false\nzero = 1"})
    all.push_back(std::string("name = \"gpt\"\n[model]\nlayers = 8\nhidden = 4096\nheads = 32\nffn = 16384\ngated = false\n"
                              "vocabulary = 51200\nsequence = 2048\n[cluster]\ngpu = \"A100-SXM-80\"\ngpus_per_node = 8\n"
                              "gpus = 16\n[training]\nglobal_batch = 64\nrecompute = \"full\"\n[parallel]\n") +
                  parallel);
  for (const char* parallel : {"expert = 8\nzero = 1", "expert = 8\nzero = 1\npipeline = 2\nschedule = \"dualpipe\"",
                               "tensor = 2\nexpert = 4\nexpert_tensor = 2\npipeline = 2"})
    all.push_back(std::string(kMoe) + parallel);
  return all;
}

struct PlayedLate {
  Picoseconds plain, without, with;
  StepRun run;
  Jitter jitter;

  [[nodiscard]] Picoseconds change() const { return with - without; }
};

/// A step with `jitter` as keys of [jitter], beside the same without any.
PlayedLate play(const std::string& text, const std::string& keys) {
  const Scenario scenario = testing::scenario_of(text + "\n[jitter]\n" + keys + "\n");
  const Result<Step> step = testing::build_step(scenario);
  if (!step) throw std::runtime_error(to_text(step.error().front()));
  Result<Jitter> jitter = Jitter::make(scenario, *step);
  if (!jitter) throw std::runtime_error(to_text(jitter.error().front()));
  Result<JitterRun> compared = compare_jitter(
      scenario, *jitter, [&](const Jitter& some) -> Result<StepRun> { return run_step(scenario, *step, &some); });
  if (!compared) throw std::runtime_error(to_text(compared.error().front()));
  StepRun run = run_step(scenario, *step, &*jitter);
  adopt_jitter(std::move(*compared), run);
  return {run_step(scenario, *step).time, run.jitter->without, run.time, std::move(run), std::move(*jitter)};
}

/// Four layers on A100s in servers of eight, with gradients in several buckets.
std::string small_step(const std::string& parallel, std::uint32_t gpus = 16) {
  return "name = \"gpt\"\n[model]\nlayers = 4\nhidden = 4096\nheads = 32\nffn = 16384\ngated = false\nvocabulary = 51200\n"
         "sequence = 2048\n[cluster]\ngpu = \"A100-SXM-80\"\ngpus_per_node = 8\ngpus = " +
         std::to_string(gpus) + "\n[training]\nglobal_batch = 64\n[parallel]\n" + parallel;
}

TEST(Jitter, a_step_whose_calls_are_watched_takes_as_long_as_one_that_is_summed_up) {
  for (const std::string& text : layouts()) {
    const PlayedLate played = play(text, "delay = \"0 us\"");
    EXPECT_EQ(played.without, played.plain) << text;
    EXPECT_EQ(played.with, played.plain) << text;
  }
}

TEST(Jitter, a_delay_adds_between_nothing_and_itself) {
  for (const std::string& text : layouts()) {
    const PlayedLate all = play(text, "least = \"50 us\"\nmost = \"100 us\"");
    Picoseconds sum;
    for (const JitterRun::Row& row : all.run.jitter->rows) {
      const Picoseconds change = row.time - all.without;
      EXPECT_GE(change, 0_ps) << row.what.name << " in " << text;
      EXPECT_LE(change, row.calls.sum) << row.what.name << " in " << text;
      EXPECT_GT(row.calls.delayed, 0U) << row.what.name << " in " << text;
      sum += row.calls.sum;
    }
    EXPECT_GT(all.change(), 0_ps) << text;
    EXPECT_LE(all.change(), sum) << text;
  }
}

TEST(Jitter, stages_add_up_to_the_step_with_delays_too) {
  for (const std::string& text : layouts()) {
    const PlayedLate played = play(text, "delay = \"80 us\"");
    for (const StageTime& time : played.run.stages)
      EXPECT_EQ(time.compute + time.contention + time.optimizer + time.host + time.bubble + sum_of(time.exposed), played.with)
          << text;
  }
}

TEST(Jitter, the_last_gradients_have_nothing_to_hide_behind) {
  for (const char* parallel : {"", "data_overlap = false", "zero = 1"}) {
    const PlayedLate played = play(small_step(parallel), "collective = \"gradients\"\nwhich = \"last\"\ndelay = \"75 us\"");
    EXPECT_EQ(played.run.jitter->rows.front().calls.delayed, 1U) << parallel;
    EXPECT_EQ(played.change(), 75_us) << parallel;
  }
}

TEST(Jitter, the_first_gradients_hide_a_delay_that_is_shorter_than_their_slack) {
  const std::string inside = small_step("", 8), first = "collective = \"gradients\"\nwhich = \"first\"\ndelay = ";
  const PlayedLate small = play(inside, first + "\"75 us\"");
  EXPECT_GT(small.run.jitter->rows.front().calls.calls, 4U);
  EXPECT_EQ(small.change(), 0_ps);
  const PlayedLate large = play(inside, first + "\"500 ms\"");
  EXPECT_GT(large.change(), 0_ps);
  EXPECT_LT(large.change(), 500'000_us);
}

TEST(Jitter, a_delay_that_pushes_transfers_out_from_beside_compute_spares_it_their_contention) {
  // Between servers gradients are never done in time: all that follow the first are late.
  const PlayedLate played = play(small_step(""), "collective = \"gradients\"\nwhich = \"first\"\ndelay = \"75 us\"");
  EXPECT_EQ(played.change(), 75_us - slowed_by(75_us, 0.3));
}

TEST(Jitter, collectives_that_nothing_runs_beside_show_every_delay) {
  const PlayedLate played = play(small_step("tensor = 8\ntensor_overlap = \"none\"\ndata_overlap = false"),
                                 "collective = \"tensor\"\ndelay = \"7 us\"");
  std::uint64_t delayed = 0;
  for (const JitterRun::Row& row : played.run.jitter->rows) delayed += row.calls.delayed;
  EXPECT_GT(delayed, 100U);
  EXPECT_EQ(played.change(), 7_us * static_cast<std::int64_t>(delayed));
}

TEST(Jitter, collectives_beside_products_hide_what_those_have_left) {
  const std::string text = small_step("tensor = 8\ntensor_overlap = \"backward\"");
  const PlayedLate played = play(text, "collective = \"tensor\"\ndelay = \"7 us\"");
  std::uint64_t delayed = 0;
  for (const JitterRun::Row& row : played.run.jitter->rows) delayed += row.calls.delayed;
  EXPECT_GT(played.change(), 0_ps);
  EXPECT_LT(played.change(), 7_us * static_cast<std::int64_t>(delayed));
}

TEST(Jitter, a_pipeline_waits_for_its_first_message_and_hides_others_in_its_bubbles) {
  const std::string text = small_step("pipeline = 4");
  const PlayedLate first = play(text, "collective = \"boundary\"\nwhich = \"first\"\nranks = 0\ndelay = \"75 us\"");
  EXPECT_EQ(first.run.jitter->rows.front().calls.delayed, 1U);
  EXPECT_EQ(first.change(), 75_us);
  const PlayedLate second = play(text, "collective = \"boundary\"\ncalls = 1\nranks = 0\ndelay = \"75 us\"");
  EXPECT_EQ(second.run.jitter->rows.front().calls.delayed, 1U);
  EXPECT_EQ(second.change(), 0_ps);
}

TEST(Jitter, draws_lie_in_their_range_and_depend_on_the_seed_alone) {
  const std::string text = small_step("tensor = 2\npipeline = 2"), range = "least = \"50 us\"\nmost = \"100 us\"";
  const PlayedLate all = play(text, range), one = play(text, "collective = \"gradients\"\n" + range);
  const std::uint32_t in_all = all.jitter.watched(GroupKind::data, "gradients"),
                      in_one = one.jitter.watched(GroupKind::data, "gradients");
  EXPECT_NE(in_all, 0U);
  EXPECT_EQ(in_one, 1U);
  EXPECT_EQ(one.jitter.watched(GroupKind::pipeline, "boundary"), 0U);
  const PlayedLate other = play("engine.seed = 2\n" + text, "collective = \"gradients\"\n" + range);
  bool differs = false;
  for (std::uint32_t call = 0; call < 4; call++) {
    EXPECT_EQ(all.jitter.delay(in_all, 1, call), one.jitter.delay(in_one, 1, call));
    EXPECT_GE(one.jitter.delay(in_one, 1, call), 50_us);
    EXPECT_LE(one.jitter.delay(in_one, 1, call), 100_us);
    differs |= one.jitter.delay(in_one, 1, call) != other.jitter.delay(in_one, 1, call);
  }
  EXPECT_TRUE(differs);
}

TEST(Jitter, a_share_of_calls_is_drawn) {
  const PlayedLate played = play(small_step("tensor = 8"), "collective = \"tensor\"\ndelay = \"7 us\"\nshare = 0.25");
  std::uint64_t calls = 0, delayed = 0;
  for (const JitterRun::Row& row : played.run.jitter->rows) calls += row.calls.calls, delayed += row.calls.delayed;
  EXPECT_NEAR(static_cast<double>(delayed) / static_cast<double>(calls), 0.25, 0.05);
  const PlayedLate none = play(small_step("tensor = 8"), "delay = \"7 us\"\nshare = 0");
  EXPECT_EQ(none.change(), 0_ps);
}

}  // namespace
}  // namespace railyard
