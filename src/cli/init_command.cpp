#include "cli/init_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
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

/// How the command line says a part of an answer. In the order of the questions.
struct InitFlag {
  InitQuestion question;
  InitPart part;
  std::string InitRequest::*text;
  const char* name;
};
constexpr InitFlag kInitFlags[] = {
    {InitQuestion::gpus, InitPart::gpus, &InitRequest::gpus, "--gpus"},
    {InitQuestion::gpus, InitPart::gpu, &InitRequest::gpu, "--gpu"},
    {InitQuestion::servers, InitPart::servers, &InitRequest::servers, "--gpus-per-server"},
    {InitQuestion::nic, InitPart::nic, &InitRequest::nic, "--nic"},
    {InitQuestion::fabric_switch, InitPart::fabric_switch, &InitRequest::switch_model, "--switch"},
    {InitQuestion::topology, InitPart::topology, &InitRequest::topology, "--topology"},
    {InitQuestion::topology, InitPart::oversubscription, &InitRequest::oversubscription, "--oversubscription"},
    {InitQuestion::model, InitPart::model, &InitRequest::model, "--model"},
    {InitQuestion::parallel, InitPart::parallel, &InitRequest::parallel, "--parallel"},
    {InitQuestion::transport, InitPart::transport, &InitRequest::transport, "--transport"},
};

/// "--gpus 512"
std::string as_flag(const InitFlag& flag, const std::string& text) { return fmt::format("{} {}", flag.name, shell_word(text)); }

/// What the command line says to a question; empty if nothing.
std::string given_answer(InitQuestion question, const InitRequest& asked) {
  std::string text;
  for (const InitFlag& flag : kInitFlags)
    if (flag.question == question && !(asked.*flag.text).empty()) text += (text.empty() ? "" : " ") + asked.*flag.text;
  return text;
}

/// Blames flags that were typed; what they do not go with was taken by default and is in `answers`.
void show_refusal(const InitRefusal& refused, const InitRequest& asked, const InitAnswers& answers) {
  std::vector<std::string> typed, defaults;
  for (const InitPart part : refused.parts)
    for (const InitFlag& flag : kInitFlags) {
      if (flag.part != part) continue;
      const std::string& text = asked.*flag.text;
      const std::string taken = part_text(part, answers);
      if (!text.empty())
        typed.push_back(as_flag(flag, text));
      else if (!taken.empty())
        defaults.push_back(as_flag(flag, taken));
    }
  const std::string_view with = typed.empty() ? "" : " with ";
  const std::string rest =
      defaults.empty() ? std::string()
                       : fmt::format("{}{} (the default{})", with, fmt::join(defaults, " "), defaults.size() == 1 ? "" : "s");
  std::cerr << printable(fmt::format("railyard: {}{}: {}", fmt::join(typed, " "), rest, refused.reason)) << '\n';
}

void show_question(std::size_t number, InitQuestion question, const std::string& otherwise, const InitAnswers& answers) {
  constexpr std::size_t kIndent = 4;
  std::cerr << fmt::format("{}/{} {} [{}]\n", number, std::size(kInitQuestions), question_text(question), otherwise);
  const std::string choices = fmt::format("{}", fmt::join(question_choices(question, answers, builtin_catalog()), ", "));
  for (const std::string& line : wrap(choices, terminal_width() - kIndent))
    std::cerr << std::string(kIndent, ' ') << line << '\n';
}

/// The next line without blanks at its end. False where there is none.
bool read_line(std::string& line) {
  if (!std::getline(std::cin, line)) return false;
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
  return true;
}

/// Asks on a terminal until there is an answer that can be taken. False where answers end.
bool ask(std::size_t number, InitQuestion question, InitAnswers& answers) {
  const std::string otherwise = default_answer(question, answers, builtin_catalog());
  show_question(number, question, otherwise, answers);
  while (true) {
    std::cerr << "> " << std::flush;
    std::string line;
    if (!read_line(line)) return false;
    const std::optional<InitRefusal> refused =
        take_answer(question, line.empty() ? otherwise : line, answers, builtin_catalog());
    if (!refused) return true;
    std::cerr << fmt::format("  {}\n", printable(refused->reason));
  }
}

bool ask_all(InitAnswers& answers) {
  for (std::size_t i = 0; i < std::size(kInitQuestions); i++)
    if (!is_answered(kInitQuestions[i], answers) && !ask(i + 1, kInitQuestions[i], answers)) {
      std::cerr << "\nrailyard: the answers end before the last question; nothing is written\n";
      return false;
    }
  return true;
}

/// Tells whoever forgot that answers may come from a pipe, if none comes for a while.
void say_what_is_waited_for() {
  constexpr int kPatience = 2000;  // ms
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (std::cin.rdbuf()->in_avail() > 0 || poll(&input, 1, kPatience) != 0) return;
  std::cerr << "railyard: waiting for answers from standard input, one a line; --defaults reads none\n" << std::flush;
}

/// Takes what is piped in, a line for every question that is open; an empty one takes the default. False (and a sentence on
/// stderr) if one cannot be taken. Where lines end, questions stay open.
bool read_answers(const Options& options, InitAnswers& answers) {
  say_what_is_waited_for();
  for (std::size_t i = 0; i < std::size(kInitQuestions); i++) {
    const InitQuestion question = kInitQuestions[i];
    if (is_answered(question, answers)) continue;
    std::string line;
    if (!read_line(line)) return true;
    const std::string text = line.empty() ? default_answer(question, answers, builtin_catalog()) : line;
    const std::string asked = fmt::format("{}/{} {}", i + 1, std::size(kInitQuestions), question_text(question));
    if (const auto refused = take_answer(question, text, answers, builtin_catalog())) {
      std::cerr << printable(fmt::format("railyard: standard input answers \"{}\" with '{}': {}", asked, text, refused->reason))
                << "\nnothing is written; railyard help init says which lines are read\n";
      return false;
    }
    if (!options.quiet) std::cerr << printable(fmt::format("{}: {}", asked, text)) << '\n';
  }
  return true;
}

/// Takes what the command line says. False (and a sentence on stderr) if some of it cannot be.
bool take_flags(const InitRequest& asked, InitAnswers& answers) {
  for (const InitFlag& flag : kInitFlags) {
    const std::string& text = asked.*flag.text;
    const std::optional<std::string> wrong = text.empty() ? std::nullopt : wrong_part(flag.part, text, builtin_catalog());
    if (!wrong) continue;
    show_refusal({{flag.part}, *wrong}, asked, answers);
    return false;
  }
  for (const InitQuestion question : kInitQuestions) {
    const std::string text = given_answer(question, asked);
    if (text.empty()) continue;
    if (const auto refused = take_answer(question, text, answers, builtin_catalog())) {
      show_refusal(*refused, asked, answers);
      return false;
    }
  }
  return true;
}

/// Takes defaults for what nobody said.
bool take_defaults(const InitRequest& asked, InitAnswers& answers) {
  for (const InitQuestion question : kInitQuestions) {
    if (is_answered(question, answers)) continue;
    const std::string text = default_answer(question, answers, builtin_catalog());
    InitAnswers with = answers;
    if (question == InitQuestion::servers) with.gpus_per_node = static_cast<std::uint32_t>(std::stoul(text));
    if (const auto refused = take_answer(question, text, answers, builtin_catalog())) {
      show_refusal(*refused, asked, with);
      return false;
    }
  }
  return true;
}

/// Flags that would have said what is in `answers` and was neither typed nor in `told` already.
std::vector<std::string> untold(const InitRequest& asked, const InitAnswers& told, const InitAnswers& answers) {
  std::vector<std::string> out;
  for (const InitFlag& flag : kInitFlags) {
    const std::string text = part_text(flag.part, answers);
    const bool is_typed =
        !(asked.*flag.text).empty() || (is_answered(flag.question, told) && given_answer(flag.question, asked).empty());
    if (!is_typed && !text.empty()) out.push_back(as_flag(flag, text));
  }
  return out;
}

enum class AnswersFrom { terminal, pipe, nowhere };

bool answer_all(const Options& options, AnswersFrom from, InitAnswers& answers) {
  if (!take_flags(options.init, answers)) return false;
  if (from == AnswersFrom::terminal) return ask_all(answers);
  const auto is_open = [&](InitQuestion question) { return !is_answered(question, answers); };
  if (from == AnswersFrom::pipe && std::any_of(std::begin(kInitQuestions), std::end(kInitQuestions), is_open) &&
      !read_answers(options, answers))
    return false;
  const InitAnswers told = answers;
  if (!take_defaults(options.init, answers)) return false;
  const std::vector<std::string> taken = untold(options.init, told, answers);
  if (!taken.empty() && !options.quiet)
    std::cerr << fmt::format("note: not given, so the default is taken: {}\n", fmt::join(taken, " "));
  return true;
}

bool is_there(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

}  // namespace

int init_command(const Options& options) {
  const InitRequest& asked = options.init;
  const AnswersFrom from = asked.defaults              ? AnswersFrom::nowhere
                           : isatty(STDIN_FILENO) == 1 ? AnswersFrom::terminal
                                                       : AnswersFrom::pipe;
  const bool is_dialogue = from == AnswersFrom::terminal && isatty(STDOUT_FILENO) == 1;
  const std::string name = !asked.file.empty() ? asked.file : is_dialogue ? "cluster.toml" : "-";
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
  if (!answer_all(options, from, answers)) return kBadInput;
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
