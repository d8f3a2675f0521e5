#include <gtest/gtest.h>

#include "sim/simulate.h"
#include "tools/init/find_plan.h"
#include "tools/init/questions.h"
#include "tools/init/read_answer.h"

namespace railyard {
namespace {

/// Takes `text` for a question; why it is refused, else empty.
std::string take(InitQuestion question, std::string_view text, InitAnswers& answers) {
  const std::optional<InitRefusal> refused = take_answer(question, text, answers, builtin_catalog());
  return refused ? refused->reason : "";
}

/// Everything answered: what is not in `given` takes its default.
InitAnswers answered(std::initializer_list<std::pair<InitQuestion, std::string_view>> given) {
  InitAnswers answers;
  for (const auto& [question, text] : given) EXPECT_EQ(take(question, text, answers), "");
  for (const InitQuestion question : kInitQuestions) {
    if (is_answered(question, answers)) continue;
    EXPECT_EQ(take(question, default_answer(question, answers, builtin_catalog()), answers), "");
  }
  return answers;
}

TEST(Init, defaults_give_a_clean_scenario) {
  const Result<std::string> text = described_scenario(answered({}), builtin_catalog());
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("preset = \"llama3-70b\""), std::string::npos);
  EXPECT_NE(text->find("oversubscription = \"1:1\""), std::string::npos);
  const Result<Scenario> scenario = read_text_of_init(*text, builtin_catalog());
  ASSERT_TRUE(scenario);
  const Remarks remarks = remarks_on(*scenario);
  EXPECT_TRUE(remarks.errors.empty());
  EXPECT_TRUE(remarks.warnings.empty());
}

TEST(Init, defaults_go_with_what_was_said) {
  const InitAnswers infiniband = answered({{InitQuestion::transport, "infiniband"}});
  EXPECT_EQ(infiniband.switch_model, "Quantum-2");
  const InitAnswers by_switch = answered({{InitQuestion::fabric_switch, "quantum-2"}});
  EXPECT_EQ(by_switch.transport, TransportKind::infiniband);
  const InitAnswers uec = answered({{InitQuestion::transport, "uec"}});
  EXPECT_EQ(uec.nic, "Pollara-400");
  EXPECT_EQ(uec.switch_model, "Tomahawk-Ultra");
  const InitAnswers srd = answered({{InitQuestion::transport, "srd"}});
  EXPECT_EQ(srd.switch_model, kOtherSwitch);
  EXPECT_EQ(answered({{InitQuestion::gpus, "288 GB200"}}).gpus_per_node, 4U);
  EXPECT_EQ(answered({{InitQuestion::gpus, "4"}, {InitQuestion::model, "llama3-8b"}}).gpus_per_node, 4U);
}

TEST(Init, gpus_are_named_in_any_order_and_by_their_beginning) {
  for (const std::string_view text : {"64 H200-SXM-141", "h200 64", "64 x H200", "64 × h200-sxm-141"}) {
    InitAnswers answers;
    EXPECT_EQ(take(InitQuestion::gpus, text, answers), "") << text;
    EXPECT_EQ(answers.gpu, "H200-SXM-141");
    EXPECT_EQ(answers.gpus, 64U);
  }
}

TEST(Init, wrong_answers_are_refused_with_a_reason_and_change_nothing) {
  InitAnswers answers;
  EXPECT_EQ(take(InitQuestion::gpus, "64 H100", answers), "");
  const InitAnswers before = answers;
  const std::pair<InitQuestion, std::pair<std::string_view, std::string_view>> wrong[] = {
      {InitQuestion::gpus, {"64 H10O-SXM-80", "did you mean 'H100-SXM-80'?"}},
      {InitQuestion::gpus, {"1", "must be 2 to"}},
      {InitQuestion::gpus, {"A100", "did you mean 'A100-SXM-40'?"}},  // two begin so
      {InitQuestion::servers, {"7", "64 GPUs do not fill servers of 7"}},
      {InitQuestion::servers, {"eight", "no whole number"}},
      {InitQuestion::servers, {"0", "out of range"}},
      {InitQuestion::nic, {"ConectX-7", "did you mean 'ConnectX-7'?"}},
      {InitQuestion::fabric_switch, {"Tomahwk-5", "did you mean 'Tomahawk-5'?"}},
      {InitQuestion::topology, {"leafspine 2to1", "oversubscription is written as in 2:1"}},
      {InitQuestion::topology, {"star 2:1", "no oversubscription"}},
      {InitQuestion::model, {"lama3-70b", "did you mean 'llama3-70b'?"}},
      {InitQuestion::parallel, {"tensr=8", "did you mean 'tensor'?"}},
      {InitQuestion::parallel, {"tensor=x", "no whole number"}},
      {InitQuestion::parallel, {"", "nothing is said"}},
      {InitQuestion::transport, {"rdma", "choose one of"}},
  };
  for (const auto& [question, answer] : wrong) {
    EXPECT_NE(take(question, answer.first, answers).find(answer.second), std::string::npos)
        << answer.first << ": " << take(question, answer.first, answers);
    EXPECT_EQ(answers, before) << answer.first;
  }
}

TEST(Init, answers_that_do_not_go_together_are_refused) {
  InitAnswers answers;
  EXPECT_EQ(take(InitQuestion::transport, "infiniband", answers), "");
  EXPECT_NE(take(InitQuestion::fabric_switch, "Tomahawk-5", answers).find("does not go with"), std::string::npos);
  InitAnswers large = answered({{InitQuestion::gpus, "1024"}});
  EXPECT_NE(take(InitQuestion::topology, "star", large).find("ports"), std::string::npos)
      << take(InitQuestion::topology, "star", large);
  InitAnswers small = answered({{InitQuestion::gpus, "8"}, {InitQuestion::model, "llama3-8b"}});
  const std::string refused = take(InitQuestion::model, "llama3-405b", small);
  EXPECT_NE(refused.find("no plan for llama3-405b fits into 8 GPUs"), std::string::npos) << refused;
  EXPECT_NE(take(InitQuestion::parallel, "tensor=3", small), "");
}

TEST(Init, servers_that_would_not_be_full_are_refused_with_the_nearest_numbers) {
  InitAnswers answers;
  EXPECT_EQ(take(InitQuestion::gpus, "500 H100", answers), "");
  EXPECT_EQ(default_answer(InitQuestion::servers, answers, builtin_catalog()), "8");
  EXPECT_EQ(take(InitQuestion::servers, "8", answers),
            "500 GPUs do not fill servers of 8; use 496 or 504 GPUs, or servers of 1, 2, 4, 5 or 10");
  EXPECT_EQ(take(InitQuestion::servers, "10", answers), "");
  EXPECT_EQ(take(InitQuestion::gpus, "7", answers), "7 GPUs do not fill servers of 10; use 10 GPUs, or servers of 1 or 7");
}

TEST(Init, refusals_name_what_is_wrong) {
  const auto parts = [](InitQuestion question, std::string_view text, InitAnswers answers) {
    const auto refused = take_answer(question, text, answers, builtin_catalog());
    return refused ? refused->parts : std::vector<InitPart>{};
  };
  using Parts = std::vector<InitPart>;
  const InitAnswers all = answered({});
  EXPECT_EQ(parts(InitQuestion::gpus, "64 H10O-SXM-80", {}), Parts{InitPart::gpu});
  EXPECT_EQ(parts(InitQuestion::gpus, "1", {}), Parts{InitPart::gpus});
  EXPECT_EQ(parts(InitQuestion::topology, "leaf-spine 1:2", {}), Parts{InitPart::oversubscription});
  EXPECT_EQ(parts(InitQuestion::topology, "leafspline 2:1", {}), Parts{InitPart::topology});
  EXPECT_EQ(parts(InitQuestion::parallel, "tensor=3", all), (Parts{InitPart::parallel, InitPart::gpus}));
  EXPECT_EQ(parts(InitQuestion::parallel, "tensor=1 pipeline=128", all), (Parts{InitPart::parallel, InitPart::model}));
  EXPECT_EQ(parts(InitQuestion::transport, "infiniband", all),
            (Parts{InitPart::transport, InitPart::nic, InitPart::fabric_switch}));
  EXPECT_EQ(wrong_part(InitPart::gpus, "abc", builtin_catalog()),
            "'abc' is no whole number; write how many GPUs there are, 2 to 1048576");
  EXPECT_NE(wrong_part(InitPart::oversubscription, "2to1", builtin_catalog()).value_or("").find("as in 2:1"),
            std::string::npos);
  EXPECT_EQ(wrong_part(InitPart::oversubscription, "2", builtin_catalog()), std::nullopt);
  EXPECT_NE(wrong_part(InitPart::oversubscription, "0:0", builtin_catalog()), std::nullopt);
  EXPECT_EQ(wrong_part(InitPart::oversubscription, "1.5:1", builtin_catalog()), std::nullopt);
}

TEST(Init, nothing_that_fits_has_a_code) {
  InitAnswers answers = answered({{InitQuestion::gpus, "8"}, {InitQuestion::model, "llama3-8b"}});
  answers.model = "llama3-405b";
  const Result<TrainingPlan> plan = find_plan(answers, builtin_catalog());
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().front().code, "RY-INI-001");
}

TEST(Init, a_plan_splits_as_little_as_fits) {
  const auto split = [](std::string_view gpus, std::string_view model) {
    const Result<TrainingPlan> plan =
        find_plan(answered({{InitQuestion::gpus, gpus}, {InitQuestion::model, model}}), builtin_catalog());
    return plan ? plan->split : SplitAnswer{0, 0, 0, 0, 0};
  };
  EXPECT_EQ(split("512 H100", "mpt-1b"), (SplitAnswer{1, 1, 1, 1, 1}));
  const SplitAnswer dense = split("512 H100", "llama3-70b"), larger = split("512 H100", "llama3-405b");
  EXPECT_EQ(dense.pipeline, 1U);
  EXPECT_GT(dense.tensor, 1U);
  EXPECT_LE(larger.tensor, 8U);
  EXPECT_GT(larger.pipeline, 1U);
  const SplitAnswer experts = split("512 H100", "mixtral-8x7b");
  EXPECT_LE(experts.expert, 8U);  // inside a domain
  const SplitAnswer rack = split("2304 GB200", "deepseek-v3");
  EXPECT_GT(rack.expert, 1U);
  EXPECT_EQ(72 % rack.expert, 0U);  // none straddles two racks
  EXPECT_EQ(72 % rack.tensor, 0U);
}

TEST(Init, a_split_is_read_in_words_and_letters) {
  const SplitAnswer wanted{8, 2, 4, 1, 1};
  for (const std::string_view text : {"tensor=8 pipeline=4 context=2", "tp8, pp4, cp2", "tensor 8 pipeline 4 context 2"}) {
    const auto split = split_in(text);
    ASSERT_TRUE(split) << text;
    EXPECT_EQ(*split, wanted) << text;
  }
  EXPECT_EQ(split_in("zero=3")->zero, 3U);
  EXPECT_FALSE(split_in("zero=4"));
  EXPECT_FALSE(split_in("tp"));
  EXPECT_FALSE(split_in("8"));
}

TEST(Init, the_same_answers_give_the_same_bytes) {
  const InitAnswers answers = answered({{InitQuestion::topology, "rail-optimized 2:1"}});
  EXPECT_EQ(*described_scenario(answers, builtin_catalog()), *described_scenario(answers, builtin_catalog()));
}

}  // namespace
}  // namespace railyard
