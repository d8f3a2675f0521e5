// The command line: turns the table of commands into a parser and runs the one that was asked for.
#include <fmt/format.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <optional>

#include "base/nearest.h"
#include "base/printable.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/declare_options.h"
#include "cli/highlight.h"
#include "cli/output.h"
#include "cli/printable_stream.h"
#include "cli/wrapped.h"
#include "engine/gpu.h"
#include "sweep/mpi/load_link.h"

namespace railyard {

namespace {

/// The members of a CLI::IsMember, which tells them in the name of the type and nowhere else: "TEXT:{a,b,c}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t first = type.find(":{");
  if (first == std::string::npos) return {};
  return CLI::detail::split(type.substr(first + 2, type.find('}', first) - first - 2), ',');
}

GrammarCommand grammar_of(const std::string& name, const CLI::App& app) {
  GrammarCommand command{.name = name, .options = {}};
  for (const CLI::Option* option : app.get_options()) {
    GrammarOption& added = command.options.emplace_back();
    for (const std::string& letter : option->get_snames()) added.names.push_back("-" + letter);
    for (const std::string& word : option->get_lnames()) added.names.push_back("--" + word);
    added.is_place = option->get_positional();
    if (added.is_place) added.names = {option->get_name(true)};
    added.takes_value = option->get_items_expected_max() > 0;
    added.takes_text = added.takes_value && option->get_type_name() == "TEXT";
    added.choices = choices_of(*option);
  }
  return command;
}

Grammar grammar_of(const CLI::App& app) {
  Grammar grammar{.program = grammar_of("", app), .commands = {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    grammar.commands.push_back(grammar_of(command->get_name(), *command));
  return grammar;
}

/// The command of this name, or null and a sentence on stderr: a wrong one deserves more than "unexpected argument".
const Command* find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
    names.emplace_back(command.name);
  }
  const std::string guess = nearest(name, names);
  std::cerr << fmt::format("railyard: unknown command '{}'; {}\n", printable(name),
                           guess.empty() ? "railyard --help lists the commands" : "did you mean '" + guess + "'?");
  return nullptr;
}

/// What the command of this name takes, or what the program does if it is empty.
int show_help(const CLI::App& app, const std::string& name) {
  if (!name.empty() && !find_command(name)) return kBadInput;
  const std::string text = name.empty() ? app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
                                        : app.get_subcommand(name)->help(app.get_name());
  std::cout << wrapped(text, message_width(STDOUT_FILENO), 0);
  return kFine;
}

/// The same for a wrong option among the arguments from `first` on; of the program itself, up to the command.
bool has_unknown_option(const CLI::App& app, int first, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (int i = first; i < argc && std::string_view(argv[i]) != "--"; i++) {
    if (first == 1 && argv[i][0] != '-') return false;
    const std::string word(std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')));
    if (!word.starts_with("--") || std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::string guess = nearest(word, known);
    std::cerr << fmt::format(
        "railyard: unknown option '{}'; {}\n", printable(word),
        guess.empty() ? fmt::format("railyard {}--help lists the options", first == 1 ? std::string() : app.get_name() + " ")
                      : fmt::format("did you mean '{}'?", guess));
    return true;
  }
  return false;
}

constexpr std::string_view kGroupTitles[] = {"Answer", "Design", "Operate", "Connect", "Trust"};  // by CommandGroup

int run_command_line(int argc, char** argv) {
  const bool has_command = argc > 1 && argv[1][0] != '-';
  if (has_command && !find_command(argv[1])) return kBadInput;
  CLI::App app("Railyard: what will this network do to this training job, and what should change?", "railyard");
  app.set_version_flag("--version", std::string("railyard ") + kVersion);
  app.require_subcommand(1);
  app.footer(
      "Start with: railyard run first. railyard help COMMAND shows what a command takes. railyard catalog lists what goes by "
      "name: presets (scenarios to run), GPUs, NICs, switches, models. Exit codes: 0 fine, 1 the run found errors, 2 bad usage "
      "or input.");
  Options options;
  const Command* chosen = nullptr;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.help));
    sub->group(std::string(kGroupTitles[static_cast<std::size_t>(command.group)]));
    sub->footer(std::string(command.more));
    declare_options(*sub, command.takes, options);
    sub->callback([&chosen, &command] { chosen = &command; });
  }
  if (has_unknown_option(has_command ? *app.get_subcommand(argv[1]) : app, has_command ? 2 : 1, argc, argv)) return kBadInput;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return show_help(app, has_command ? argv[1] : "");
  } catch (const CLI::Success& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    std::cerr << "railyard: " << error.what() << "; railyard " << (has_command ? std::string(argv[1]) + " " : "")
              << "--help shows the usage\n";
    return kBadInput;
  }
  if (!chosen->run) return show_help(app, options.name);
  options.grammar = grammar_of(app);
  const std::optional<TeamPlace> place = team_place();
  if (place && place->rank > 0 && (has(chosen->takes, Takes::sweeps) || chosen->name == "run"))
    return chosen->run(options);  // the first of several processes writes, and the others may have no such folder
  return prepare_outputs(options) ? chosen->run(options) : kBadInput;
}

/// What the shell is told where something goes wrong that has nothing to do with what was asked.
int trouble_code(int argc, char** argv) {
  for (const Command& command : commands())
    if (argc > 1 && command.name == argv[1]) return command.trouble;
  return kFoundErrors;
}

/// For a stream that leads to a terminal; none elsewhere.
std::optional<Highlighter> highlighter_of(int descriptor, Highlighter::Stream stream) {
  return shows_colour(descriptor) ? std::optional(Highlighter(stream)) : std::nullopt;
}

/// Large blocks that are freed go back to the system at once. glibc would raise this limit to 32 MB by itself, and keep them.
void return_large_blocks() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace

}  // namespace railyard

int main(int argc, char** argv) {
  using railyard::Highlighter;
  railyard::return_large_blocks();
  const railyard::PrintableStream out(std::cout, railyard::highlighter_of(STDOUT_FILENO, Highlighter::Stream::output)),
      err(std::cerr, railyard::highlighter_of(STDERR_FILENO, Highlighter::Stream::errors),
          isatty(STDERR_FILENO) == 1 ? railyard::message_width(STDERR_FILENO) : 0);
  try {
    const int code = railyard::run_command_line(argc, argv);
    if (std::cout.flush()) return code;
    std::cerr << "railyard: standard output could not be written; is the disk full?\n";
  } catch (const std::bad_alloc&) {
    std::cerr << "railyard: out of memory; use a smaller scenario or a larger machine\n";
  } catch (const railyard::GpuFailed& error) {
    std::cerr << "railyard: " << error.what() << "; use a smaller network, or --set engine.device=cpu\n";
  } catch (const std::exception& error) {
    std::cerr << "railyard: internal error: " << error.what() << "; please report it with the scenario that led here\n";
  }
  return railyard::trouble_code(argc, argv);
}
