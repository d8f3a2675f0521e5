// All calls that logs of NCCL's Inspector have, by the processes that made them. Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace/readers.h"

namespace railyard::inspector {

/// One call; of a billion of them every byte counts.
struct Call {
  std::int64_t start = -1, length = 0;  // ps; start: since the first call of its process, and -1 where no log has times
  std::int64_t bytes = 0;               // as nccl-tests count
  std::uint64_t number = 0;             // as the log counts: by kind and communicator
  std::uint32_t communicator = 0;
  std::uint32_t line = 0;
  std::uint32_t peer = 0;   // of a message: rank in the communicator
  std::uint32_t order = 0;  // among the calls of its process; later among those of its communicator
  TraceOp op = TraceOp::collective;
  TraceCollective kind = TraceCollective::all_reduce;
};

struct Communicator {
  std::uint32_t ranks = 0, nodes = 0;
  std::map<std::uint32_t, std::uint32_t> processes;  // by rank in it
};

struct Process {
  std::uint32_t file = 0;
  std::vector<Call> calls;                       // in the order of the file
  std::map<std::uint32_t, std::uint32_t> ranks;  // its rank in each communicator
};

struct Log {
  std::vector<std::string> files;
  std::vector<Process> processes;  // in the order of files and lines
  std::vector<Communicator> communicators;
  bool timed = true;          // every call says when it began
  std::uint64_t unknown = 0;  // calls that nobody plays, which take the time that was recorded
};

/// Reads line by line. Broken lines, communicators that change and processes with several ranks of one are mistakes.
Result<Log> read_log(std::span<const TraceInput> inputs);

}  // namespace railyard::inspector
