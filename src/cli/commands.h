// The table of commands. Each is a line: name, help, what it takes, what it does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/options.h"

namespace railyard {

/// What a command takes from the command line; main.cpp turns these into options of the parser.
enum class Takes : std::uint64_t {
  file = 1,       // exactly one scenario
  files = 2,      // one or more
  overrides = 4,  // --set, --seed
  threads = 8,
  json = 16,  // and --csv
  quiet = 32,
  kind_and_name = 64,
  section = 128,  // and --markdown
  shell = 256,
  table = 512,  // --engine, --table, --csv
  rank = 1024,
  pictures = 2048,         // --svg, --dot, --nccl-topology, --slurm-topology
  sweep = 4096,            // a collective, --scenario, -b, -e, -f, -i
  experts = 8192,          // --scenario, and what is exchanged among how many
  flows = 16384,           // --flows, --pcap
  transport = 32768,       // a kind of transport, --write
  comparison = 65536,      // some scenarios or none, --engine, --explain
  page = 131072,           // -o
  two_results = 262144,    // two JSON files
  advice = 524288,         // --no-advice
  claims = 1048576,        // ids, --recorded, --verdict, --topic, --write, --markdown
  settings = 67108864,     // --for, -o
  headroom = 8388608,      // --speed, --cable, --mtu, --switch, --priorities, --ports
  cluster = 2097152,       // answers to the questions of init, -o, --force, --defaults
  command = 4194304,       // the name of a command, or none
  singles = 16777216,      // --singles
  configs = 33554432,      // files and folders, --sarif, --fix, --fail-on, --rules, --explain, --markdown
  weeks = 134217728,       // --runs, --days, --svg
  measured = 268435456,    // --scenario, files and folders of measurements
  validation = 536870912,  // plan or judge, a scenario, logs, -o, --junit, --phase
  search = 1ULL << 32,     // --vary, --only, --journal
  plans = 1ULL << 33,      // --keep, --memory, --exhaustive
  tuning = 1ULL << 34,     // --keep, --generations, --for, --to
  money = 1ULL << 35,      // --prices, --csv, --cables, --links, --no-links
  capture = 1ULL << 40,    // a capture, --traffic
  nodes = 1ULL << 36,      // --nodes, --seats, --hostfile, --rankfile, --slurm
  exports = 1ULL << 37,    // --trace, --db, --metrics and what belongs to it
  store = 1ULL << 38,      // list, show, diff or rm, a store of runs, --all
  serve = 1ULL << 44,      // --listen, --data and what bounds a server
  within = 1ULL << 45,     // --within
  sweeps = 1ULL << 46,     // a scenario with a [sweep], --csv, --db, --journal, --dry-run and what shares it out
  trace = 1ULL << 39,      // a trace, --scenario, --topology, --format, --groups, --ranks, --compute-scale
};
constexpr Takes operator|(Takes a, Takes b) {
  return static_cast<Takes>(static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b));
}
constexpr bool has(Takes set, Takes one) { return (static_cast<std::uint64_t>(set) & static_cast<std::uint64_t>(one)) != 0; }

/// What a command is for; help lists commands by it.
enum class CommandGroup { answer, design, operate, connect, trust };

struct Command {
  std::string_view name;
  CommandGroup group;
  std::string_view help;
  Takes takes;
  int (*run)(const Options&);  // returns an ExitCode; null for help, which the parser gives
  std::string_view more = {};  // what help says below the options
  int trouble = kFoundErrors;  // the ExitCode where it cannot do what it should
};

std::span<const Command> commands();

}  // namespace railyard
