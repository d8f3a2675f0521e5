#include "cli/init_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "base/printable.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "report/command_text.h"
#include "report/report.h"
#include "tools/init/questions.h"

namespace railyard {

namespace {

/// How the command line answers a question.
struct InitFlags {
  InitQuestion question;
  std::string InitRequest::*first;  // of a pair the one that stands first in an answer …
  const char* name;
  std::string InitRequest::*second = nullptr;  // … and the other
  const char* second_name = nullptr;
};
constexpr InitFlags kInitFlags[] = {
    {InitQuestion::gpus, &InitRequest::gpus, "--gpus", &InitRequest::gpu, "--gpu"},
    {InitQuestion::servers, &InitRequest::servers, "--gpus-per-server"},
    {InitQuestion::nic, &InitRequest::nic, "--nic"},
    {InitQuestion::fabric_switch, &InitRequest::switch_model, "--switch"},
    {InitQuestion::topology, &InitRequest::topology, "--topology", &InitRequest::oversubscription, "--oversubscription"},
    {InitQuestion::model, &InitRequest::model, "--model"},
    {InitQuestion::parallel, &InitRequest::parallel, "--parallel"},
    {InitQuestion::transport, &InitRequest::transport, "--transport"},
};

/// What the command line says to a question; empty if nothing.
std::string given_answer(const InitFlags& flags, const InitRequest& asked) {
  const std::string& first = asked.*flags.first;
  const std::string second = flags.second ? asked.*flags.second : std::string();
  return first.empty() || second.empty() ? first + second : first + " " + second;
}

/// "--gpus 512" as one would have written an answer of one word or of two.
std::string as_flags(const InitFlags& flags, const std::string& answer) {
  const std::size_t blank = flags.second ? answer.find(' ') : std::string::npos;
  if (blank == std::string::npos) return fmt::format("{} {}", flags.name, shell_word(answer));
  return fmt::format("{} {} {} {}", flags.name, answer.substr(0, blank), flags.second_name, answer.substr(blank + 1));
}

void show_question(std::size_t number, InitQuestion question, const std::string& otherwise, const InitAnswers& answers) {
  constexpr std::size_t kIndent = 4;
  std::cerr << fmt::format("{}/{} {} [{}]\n", number, std::size(kInitQuestions), question_text(question), otherwise);
  const std::string choices = fmt::format("{}", fmt::join(question_choices(question, answers, builtin_catalog()), ", "));
  for (const std::string& line : wrap(choices, terminal_width() - kIndent))
    std::cerr << std::string(kIndent, ' ') << line << '\n';
}

/// Asks until there is an answer that can be taken. False where answers end.
bool ask(std::size_t number, InitQuestion question, InitAnswers& answers) {
  const std::string otherwise = default_answer(question, answers, builtin_catalog());
  show_question(number, question, otherwise, answers);
  while (true) {
    std::cerr << "> " << std::flush;
    std::string line;
    if (!std::getline(std::cin, line)) return false;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    const std::optional<std::string> refused =
        take_answer(question, line.empty() ? otherwise : line, answers, builtin_catalog());
    if (!refused) return true;
    std::cerr << fmt::format("  {}\n", printable(*refused));
  }
}

/// Takes what the command line says. False (and a sentence on stderr) if some of it cannot be.
bool take_flags(const InitRequest& asked, InitAnswers& answers) {
  for (const InitFlags& flags : kInitFlags) {
    const std::string text = given_answer(flags, asked);
    if (text.empty()) continue;
    const bool is_second = flags.second && (asked.*flags.first).empty();
    if (const auto refused = take_answer(flags.question, text, answers, builtin_catalog())) {
      std::cerr << printable(fmt::format("railyard: {} {}: {}", is_second ? flags.second_name : flags.name, text, *refused))
                << '\n';
      return false;
    }
  }
  return true;
}

/// Of an answer of two parts, of which one alone was given, the other as it was taken: "--gpu H100-SXM-80".
std::optional<std::string> other_half(const InitFlags& flags, const InitRequest& asked, const InitAnswers& answers) {
  if (!flags.second || ((asked.*flags.first).empty() == (asked.*flags.second).empty())) return std::nullopt;
  const bool is_second = (asked.*flags.second).empty();
  std::string value;
  if (flags.question == InitQuestion::gpus) value = is_second ? *answers.gpu : std::to_string(*answers.gpus);
  if (flags.question == InitQuestion::topology)
    value = is_second ? *answers.oversubscription : std::string(name_of(*answers.topology));
  if (value.empty()) return std::nullopt;
  return fmt::format("{} {}", is_second ? flags.second_name : flags.name, value);
}

/// Takes defaults for the rest, and tells which.
bool take_defaults(const InitRequest& asked, InitAnswers& answers, std::vector<std::string>& taken) {
  for (const InitFlags& flags : kInitFlags) {
    if (is_answered(flags.question, answers)) {
      if (const auto other = other_half(flags, asked, answers)) taken.push_back(*other);
      continue;
    }
    const std::string text = default_answer(flags.question, answers, builtin_catalog());
    if (const auto refused = take_answer(flags.question, text, answers, builtin_catalog())) {
      std::cerr << printable(fmt::format("railyard: {}, which is the default: {}", as_flags(flags, text), *refused)) << '\n';
      return false;
    }
    taken.push_back(as_flags(flags, text));
  }
  return true;
}

bool answer_all(const Options& options, bool asks, InitAnswers& answers) {
  if (!take_flags(options.init, answers)) return false;
  std::vector<std::string> taken;
  if (!asks) {
    if (!take_defaults(options.init, answers, taken)) return false;
    if (!taken.empty() && !options.quiet)
      std::cerr << fmt::format("note: not given, so the default is taken: {}\n", fmt::join(taken, " "));
    return true;
  }
  for (std::size_t i = 0; i < std::size(kInitQuestions); i++)
    if (!is_answered(kInitQuestions[i], answers) && !ask(i + 1, kInitQuestions[i], answers)) {
      std::cerr << "\nrailyard: the answers end before the last question; nothing is written\n";
      return false;
    }
  return true;
}

bool is_there(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

}  // namespace

int init_command(const Options& options) {
  const InitRequest& asked = options.init;
  const bool asks = isatty(STDIN_FILENO) == 1 && !asked.defaults;
  const std::string name = !asked.file.empty() ? asked.file : asks && isatty(STDOUT_FILENO) == 1 ? "cluster.toml" : "-";
  if (name != "-" && !asked.force && is_there(name)) {
    std::cerr << fmt::format("railyard: {} exists; --force overwrites it, -o names another file\n", printable(name));
    return kBadInput;
  }
  OutputFile file("-o", name);
  if (const auto wrong = file.prepare()) {
    std::cerr << "railyard: " << *wrong << '\n';
    return kBadInput;
  }
  InitAnswers answers;
  if (!answer_all(options, asks, answers)) return kBadInput;
  const Result<std::string> text = described_scenario(answers, builtin_catalog());
  if (!text) return complain(text.error(), options);
  file.write(*text);
  if (const auto wrong = file.finish()) {
    std::cerr << "railyard: " << *wrong << '\n';
    return kFoundErrors;
  }
  if (options.quiet) return kFine;
  if (file.is_standard_output())
    std::cerr << "next: railyard run FILE, or railyard run - where this is piped to\n";
  else
    std::cout << fmt::format("wrote {}\nnext: railyard run {}\n", printable(name), printable(shell_word(name)));
  return kFine;
}

}  // namespace railyard
