// Where results and findings go.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string_view>

#include "base/document.h"
#include "cli/options.h"
#include "scenario/jobs.h"
#include "scenario/presets.h"

namespace railyard {

/// Columns of the terminal on stdout; COLUMNS if set; 100 where there is no terminal.
std::size_t terminal_width();

/// Columns for help and messages, which nobody reads across a wide screen: 100 at most. 80 where there is no terminal.
std::size_t message_width(int descriptor);

/// Findings alone, as a JSON document: { schema, diagnostics }.
Document findings_document(const Diagnostics& diagnostics);

/// Makes sure that everything that was asked for can be written, before a command begins. What leads to standard output is "-"
/// from here on. False (and a sentence on stderr) if something cannot be written, or would be written over.
bool prepare_outputs(Options& options);

/// Writes to --json and, table by table, to --csv, where they are given. False (and a sentence on stderr) if it cannot.
bool write_results(const Document& document, const Options& options);

/// Writes to what `option` names, which must be given. False (and a sentence on stderr) if it cannot.
bool write_output(const std::string& text, std::string_view option, const Options& options);

/// Loads a scenario for a command. Nothing it was read from is written over. `text` remembers what was read, if given.
Result<Scenario> load_input(const std::string& name, std::span<const std::string> overrides, const Options& options,
                            const LoadOptions& load = {}, const ScenarioText* text = nullptr);

/// The same for a command that plays several jobs, too.
Result<Loaded> load_input_or_jobs(const std::string& name, std::span<const std::string> overrides, const Options& options,
                                  const ScenarioText* text = nullptr);

/// --set in the order given, then --seed.
std::vector<std::string> overrides_of(const Options& options);

/// One line each; of many the first 50, and how many more there are. Lines are broken at `width` unless it is 0.
void show_findings(const Diagnostics& findings, std::ostream& out, std::size_t width = 0);

/// Prints findings on stderr, to --json too, and returns kBadInput.
int complain(const Diagnostics& errors, const Options& options);

}  // namespace railyard
