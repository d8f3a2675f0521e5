#include "sweep/mpi/load_link.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace railyard {

namespace {

constexpr const char* kModule = "railyard_mpi.so";

std::optional<int> environment_number(const char* name) {
  const char* const text = std::getenv(name);
  return text && *text ? std::optional(std::atoi(text)) : std::nullopt;
}

Diagnostic no_module(const std::string& why) {
  return {Severity::error,
          "RY-SWP-011",
          fmt::format("mpirun started this program, and {} cannot be used: {}", kModule, why),
          "build it with libopenmpi-dev installed, and keep it beside the program; or run without mpirun",
          {}};
}

}  // namespace

std::optional<TeamPlace> team_place() {
  for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}) {
    const std::optional<int> which = environment_number(rank), of = environment_number(size);
    if (which && of && *of > 0) return TeamPlace{*which, *of};
  }
  return std::nullopt;
}

Result<const RailyardTeamLink*> load_team_link() {
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  std::string why = "it is not there";
  for (const std::filesystem::path& folder : {program, program.parent_path() / "lib" / "railyard"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / kModule, ignored)) continue;
    void* const module = dlopen((folder / kModule).c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's own parts look for it
    void* const start = module ? dlsym(module, "railyard_team_link") : nullptr;
    if (!start) {
      const char* const error = dlerror();
      why = error ? error : "it has no start";
      continue;
    }
    const RailyardTeamLink* const link = reinterpret_cast<RailyardTeamStart>(start)();
    if (!link) return no_module("MPI does not start");
    if (link->version != kTeamLinkVersion) return no_module("it is of another version");
    return link;
  }
  return no_module(why);
}

}  // namespace railyard
