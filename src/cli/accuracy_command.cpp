#include "cli/accuracy_command.h"

#include <iostream>

#include "catalog/embedded.h"
#include "cli/output.h"
#include "tools/accuracy/accuracy.h"

namespace railyard {

int accuracy_command(const Options& options) {
  const Result<Comparison> comparison =
      predict_published(embedded_catalog(), builtin_catalog(),
                        {.table = options.table,
                         .engine = options.engine == name_of(Fidelity::flow) ? Fidelity::flow : Fidelity::analytic,
                         .threads = options.threads});
  if (!comparison) return complain(comparison.error(), options);
  if (options.csv)
    std::cout << accuracy_csv(*comparison);
  else
    write_terminal(accuracy_report(*comparison), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
