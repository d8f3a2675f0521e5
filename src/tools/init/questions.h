// The eight questions: what they are, what they take, what is taken where nobody answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/init/answers.h"

namespace railyard {

enum class InitQuestion : std::uint8_t { gpus, servers, nic, fabric_switch, topology, model, parallel, transport };
inline constexpr InitQuestion kInitQuestions[] = {InitQuestion::gpus,          InitQuestion::servers,  InitQuestion::nic,
                                                  InitQuestion::fabric_switch, InitQuestion::topology, InitQuestion::model,
                                                  InitQuestion::parallel,      InitQuestion::transport};

/// What answers are made of: two of the questions have two parts.
enum class InitPart : std::uint8_t {
  gpus,
  gpu,
  servers,
  nic,
  fabric_switch,
  topology,
  oversubscription,
  model,
  parallel,
  transport
};

/// Why an answer cannot be taken, and what to do.
struct InitRefusal {
  std::vector<InitPart> parts;  // that do not go together, or the one that is wrong
  std::string reason;
};

/// "Number and kind of GPUs".
std::string_view question_text(InitQuestion question);

/// Names that are taken, of those that go with what was answered already.
std::vector<std::string> question_choices(InitQuestion question, const InitAnswers& answers, const Catalog& catalog);

/// What is taken where nobody answers: it goes with what was answered already.
std::string default_answer(InitQuestion question, const InitAnswers& answers, const Catalog& catalog);

/// Reads an answer. Returns why it is refused and what to do, and leaves `answers` alone; nothing if it is taken. An answer is
/// held against those that are there already; the network is wired and a plan is looked for as soon as all they need is there.
std::optional<InitRefusal> take_answer(InitQuestion question, std::string_view text, InitAnswers& answers,
                                       const Catalog& catalog);

/// What is wrong with one part of a question of two, by itself: a count that is none, a GPU or a shape that nobody knows, a
/// ratio that is none. Nothing for parts that are all of their question.
std::optional<std::string> wrong_part(InitPart part, std::string_view text, const Catalog& catalog);

/// What was taken for a part, as one would write it; empty if nothing was.
std::string part_text(InitPart part, const InitAnswers& answers);

/// Whether it was answered.
bool is_answered(InitQuestion question, const InitAnswers& answers);

/// The scenario that was described, or why it cannot be. REQUIRES: every question is answered.
Result<std::string> described_scenario(const InitAnswers& answers, const Catalog& catalog);

}  // namespace railyard
