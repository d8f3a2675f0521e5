// The processes that mpirun started, for a program of bench/, and what passing bytes between them costs.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/team_post.h"

namespace railyard::bench {

/// A link that counts what goes over it. Time from what is sent to the last that is received is waiting and passing.
class CountingTeam {
 public:
  /// None where mpirun did not start this. Ends the program where the module beside the build cannot be loaded.
  static std::unique_ptr<CountingTeam> join() {
    if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return nullptr;
    const auto module = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "railyard_mpi.so";
    void* const loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const start = loaded ? dlsym(loaded, "railyard_team_link") : nullptr;
    if (start == nullptr) std::fprintf(stderr, "packets: %s\n", dlerror()), std::exit(2);
    return std::unique_ptr<CountingTeam>(new CountingTeam(*reinterpret_cast<RailyardTeamStart>(start)()));
  }

  [[nodiscard]] TeamPost& post() { return post_; }
  [[nodiscard]] int rank() const { return below_.rank; }
  void leave() { below_.finish(below_.self); }

  std::uint64_t bytes = 0, messages = 0;  // sent
  double seconds = 0;

 private:
  using Clock = std::chrono::steady_clock;

  explicit CountingTeam(const RailyardTeamLink& below)
      : below_(below), link_{below.version, this, below.rank, below.size, send, receive, nullptr}, post_(link_) {}

  static void send(void* self, int to, const char* data, std::size_t size) {
    CountingTeam& team = *static_cast<CountingTeam*>(self);
    if (!team.passing_) team.begun_ = Clock::now();
    team.passing_ = true;
    team.bytes += size;
    team.messages++;
    team.below_.send(team.below_.self, to, data, size);
  }
  static int receive(void* self, const char** data, std::size_t* size) {
    CountingTeam& team = *static_cast<CountingTeam*>(self);
    const int from = team.below_.receive(team.below_.self, data, size);
    if (from < 0) return from;
    const Clock::time_point now = Clock::now();
    team.seconds += std::chrono::duration<double>(now - team.begun_).count();
    team.begun_ = now;
    team.passing_ = false;
    return from;
  }

  const RailyardTeamLink& below_;
  const RailyardTeamLink link_;
  TeamPost post_;
  Clock::time_point begun_;
  bool passing_ = false;
};

}  // namespace railyard::bench
