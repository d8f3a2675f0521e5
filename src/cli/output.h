// Where results and findings go.
#pragma once

#include <cstddef>

#include "base/document.h"
#include "cli/options.h"

namespace railyard {

/// Columns of the terminal on stdout; COLUMNS if set; 100 where there is no terminal.
std::size_t terminal_width();

/// Findings alone, as a JSON document: { schema, diagnostics }.
Document findings_document(const Diagnostics& diagnostics);

/// Writes to --json, if given: "-" is stdout, a file appears whole or not at all, a device is written to. False (and a sentence
/// on stderr) if it cannot.
bool write_json_output(const Document& document, const Options& options);

/// The same for any text; nothing is written where no file is named.
bool write_output(const std::string& text, const std::string& file);

/// True (and a sentence on stderr) if a file to write is one of the scenarios.
bool overwrites_input(const Options& options);

/// True (and a sentence on stderr) if the page would go where other results go.
bool outputs_collide(const Options& options);

/// True (and a sentence on stderr) if --json or -o name a place that can hold no file: better now than after a long run.
bool cannot_write(const Options& options);

/// --set in the order given, then --seed.
std::vector<std::string> overrides_of(const Options& options);

/// Prints findings on stderr, to --json too, and returns kBadInput.
int complain(const Diagnostics& errors, const Options& options);

}  // namespace railyard
