// How processes that were started together pass bytes: a table of plain C functions, so that a module that was compiled with
// some MPI can fill it, and threads of a test can, too.
#pragma once

#include <cstddef>

extern "C" {

/// All functions are called from one thread.
struct RailyardTeamLink {
  int version;  // kTeamLinkVersion
  void* self;
  int rank, size;
  /// Returns at once; `data` was copied.
  void (*send)(void* self, int to, const char* data, std::size_t size);
  /// Who sent the next message, or -1 if none has come. `data` is there until the next call.
  int (*receive)(void* self, const char** data, std::size_t* size);
  /// Everything was sent and nothing is waited for; all processes call it.
  void (*finish)(void* self);
};

/// What the module exports as railyard_team_link: joins the processes. Null where that fails.
using RailyardTeamStart = const RailyardTeamLink* (*)();
}

namespace railyard {

inline constexpr int kTeamLinkVersion = 1;

}  // namespace railyard
