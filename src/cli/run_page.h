// The page of one run (-o), and what a page says of any run: its scenario and the command that repeats it.
#pragma once

#include <string>
#include <vector>

#include "answer/advice.h"
#include "base/document.h"
#include "cli/options.h"

namespace railyard {

/// One entry of `runs[]` (docs/results.md, the page).
Document run_entry(const std::string& id, const std::string& label, const std::string& file, const std::string& scenario,
                   const std::string& command, Document results);

/// What a run is called among others: the file's name without its ending.
std::string id_of_run(const std::string& file);

/// Writes -o, if given. False (and a sentence on stderr) if it cannot.
bool write_run_page(const Document& results, const std::vector<Advice>& advice, const std::string& scenario,
                    const Options& options);

}  // namespace railyard
