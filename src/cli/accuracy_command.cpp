#include "cli/accuracy_command.h"

#include <iostream>

#include "catalog/embedded.h"
#include "cli/output.h"
#include "tools/accuracy/accuracy.h"

namespace railyard {

int accuracy_command(const Options& options) {
  const auto tables = predict_published(embedded_catalog(), builtin_catalog(), options.table);
  if (!tables) return complain(tables.error(), options);
  if (options.csv)
    std::cout << accuracy_csv(*tables);
  else
    write_terminal(accuracy_report(*tables), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
