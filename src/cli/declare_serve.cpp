#include "cli/declare_serve.h"

#include <CLI/CLI.hpp>

namespace railyard {

void declare_serve(CLI::App& app, Options& options) {
  ServeRequest& asked = options.serve;
  app.add_option("--listen", asked.listen, "address and port; port 0 takes any that is free")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  app.add_option("--data", asked.data,
                 "a folder for scenarios, results and pages; scenarios may name files in its folder files")
      ->type_name("FOLDER")
      ->capture_default_str();
  app.add_option("--token-file", asked.token_file,
                 "whoever asks must send the token in this file; needed off this machine, made if not given");
  app.add_option("--name", asked.names, "a name under which the server is asked for, beside addresses and localhost")
      ->type_name("HOST");
  app.add_option("--parallel", asked.parallel, "runs at a time")->check(CLI::Range(1U, 64U))->capture_default_str();
  app.add_option("--queue", asked.queue, "runs that may wait")->check(CLI::Range(1U, 10'000U))->capture_default_str();
  app.add_option("--keep", asked.keep, "runs that are kept once they have ended")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  app.add_option("--memory", asked.memory,
                 "what one run may take: 4 GiB; three quarters of the machine, shared by --parallel, if not given")
      ->type_name("SIZE");
  app.add_option("--time-limit", asked.time_limit_s, "seconds that one run may take")
      ->check(CLI::Range(1U, 10'000'000U))
      ->capture_default_str();
}

}  // namespace railyard
