#include "cli/headroom_command.h"

#include <iostream>

#include "cli/output.h"
#include "tools/headroom/headroom.h"

namespace railyard {

int headroom_command(const Options& options) {
  const Result<HeadroomSheet> sheet = headroom_sheet(options.headroom, builtin_catalog());
  if (!sheet) return complain(sheet.error(), options);
  if (!write_results(headroom_document(*sheet), options)) return kFoundErrors;
  if (!options.quiet && options.json != "-") write_terminal(headroom_report(*sheet), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
