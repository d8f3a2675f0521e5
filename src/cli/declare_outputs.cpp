#include "cli/declare_outputs.h"
#include "cli/number_checks.h"

#include <CLI/CLI.hpp>

namespace railyard {

namespace {

void declare_exports(CLI::App& app, Options& options) {
  app.add_option(
      "--trace", options.exports.trace,
      "write what happened when as a timeline for Perfetto (Trace Event JSON; compressed if it ends in .gz) to a file, "
      "or to stdout with -");
  app.add_option("--db", options.exports.database, "add the run to a store of runs (SQLite), which railyard runs reads")
      ->type_name("STORE");
}

void declare_metrics(CLI::App& app, Options& options) {
  CLI::Option* const metrics = app.add_option(
      "--metrics", options.exports.metrics,
      "write counters over time as OpenMetrics, under the names that exporters of NICs and switches use, to a file, or "
      "to stdout with -; their last values, as an exporter shows them, if it ends in .prom");
  app.add_option("--metrics-run", options.exports.metrics_run, "the label run of these series, instead of the fingerprint")
      ->needs(metrics);
  app.add_option("--metrics-dilation", options.exports.metrics_dilation,
                 "seconds of their timestamps for one of the run; 1000000 with packets, else 1000, unless given")
      ->check(number_from(1e-3, 1e12))
      ->needs(metrics);
  app.add_option("--metrics-start", options.exports.metrics_start_s,
                 "when the run begins, in seconds since 1970; 2025-01-01 unless given")
      ->check(number_from(0, 4e9))
      ->needs(metrics);
}

void declare_store(CLI::App& app, Options& options) {
  StoreRequest& asked = options.store;
  app.add_option("ACTION", asked.action, "list, show, diff or rm")
      ->required()
      ->check(CLI::IsMember({"list", "show", "diff", "rm"}));
  app.add_option("STORE", asked.file, "the file that run --db named")->required();
  app.add_option("RUN", asked.runs, "numbers of runs: one to show, two to diff, any to remove");
  app.add_flag("--all", options.all, "diff: every number and every input that differs, not the key figures alone");
}

void declare_nodes(CLI::App& app, Options& options) {
  PlaceRequest& asked = options.place;
  app.add_option("--nodes", asked.nodes, "a file that tells which nodes are free, or which switches are above them")
      ->required()
      ->expected(1)
      ->take_all();
  app.add_option("--seats", asked.seats,
                 "write the GPU of every rank, as placement.file takes it, to a file, or to stdout with -");
  app.add_option("--hostfile", asked.hostfile, "write nodes with their slots in the order of ranks (mpirun --hostfile)");
  app.add_option("--rankfile", asked.rankfile, "write Open MPI's rankfile (mpirun --rankfile)");
  app.add_option("--slurm", asked.slurm, "write a node per task (SLURM_HOSTFILE, srun --distribution=arbitrary)");
}

void declare_pcap(CLI::App& app, Options& options) {
  PcapRequest& asked = options.pcap;
  CLI::Option* const file = app.add_option("--pcap", asked.file,
                                           "write frames of a packet run, as Wireshark reads them (pcapng, packed if it ends "
                                           "in .gz), to a file, or to stdout with -");
  app.add_option("--ports", asked.ports,
                 "frames that leave these ports: 'leaf 0 to GPU 3', 'GPU 3' (its links, both ways), nics (every port that "
                 "leads to a host; if not given) or all")
      ->needs(file);
  app.add_option("--pcap-snaplen", asked.snap_length,
                 "bytes of a frame that are kept; 96 has all headers; 0, if not given, keeps whole frames")
      ->needs(file)
      ->check(CLI::Range(0U, 65535U));
}

}  // namespace

/// Where results go.
void declare_outputs(CLI::App& app, Takes takes, Options& options) {
  if (has(takes, Takes::json)) app.add_option("--json", options.json, "write results as JSON to a file, or to stdout with -");
  if (has(takes, Takes::json) && !has(takes, Takes::money))
    app.add_option("--csv", options.tables, "write every table of the results as CSV into a folder");
  if (has(takes, Takes::page))
    app.add_option("-o,--output", options.page, "write a page (HTML, one file) that shows the results");
  if (has(takes, Takes::flows))
    app.add_option("--flows", options.flows, "write every transfer of the flow engine as CSV to a file, or to stdout with -");
  if (has(takes, Takes::exports)) declare_exports(app, options);
  if (has(takes, Takes::exports)) declare_metrics(app, options);
  if (has(takes, Takes::store)) declare_store(app, options);
  if (has(takes, Takes::flows)) declare_pcap(app, options);
  if (has(takes, Takes::pictures)) {
    app.add_option("--svg", options.svg, "draw it as SVG into a file, or to stdout with -");
    app.add_option("--dot", options.dot, "write it as Graphviz into a file, or to stdout with -");
    app.add_option("--slurm-topology", options.slurm_topology,
                   "write it as Slurm's topology.conf into a file, or to stdout with -");
    app.add_option("--nccl-topology", options.nccl_topology,
                   "write a server as the XML that NCCL_TOPO_FILE names into a file, or to stdout with -");
  }
  if (has(takes, Takes::nodes)) declare_nodes(app, options);
  if (has(takes, Takes::capture))
    app.add_option("--traffic", options.traffic,
                   "write its messages as a file that traffic.file takes, to be played again, or to stdout with -");
  if (has(takes, Takes::within))
    app.add_option("--within", options.within, "refuse files outside this folder that a scenario names; for what others wrote")
        ->type_name("FOLDER");
  if (has(takes, Takes::flows))
    app.add_option("--progress-fd", options.progress_fd, "write lines of JSON that tell how far it is to this open descriptor")
        ->check(CLI::Range(0, 1023));
  if (has(takes, Takes::advice)) app.add_flag("--no-advice", options.no_advice, "do not try what would help");
  if (has(takes, Takes::quiet)) app.add_flag("--quiet", options.quiet, "print errors only");
}

}  // namespace railyard
