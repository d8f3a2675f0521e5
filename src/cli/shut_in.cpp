#include "cli/shut_in.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "cli/options.h"
#include "cli/output.h"
#include "scenario/files_outside.h"

namespace railyard {

namespace {

constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr std::uint64_t kAll = kReading | kWriting | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                               LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/// The rules that a process is to be held to; the kernel's first version of them has all that is needed.
class Rules {
 public:
  Rules() {
    const landlock_ruleset_attr asked{.handled_access_fs = kAll};
    descriptor_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &asked, sizeof asked, 0));
  }
  ~Rules() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  bool allow(const std::filesystem::path& folder, std::uint64_t what) const {
    const int place = open(folder.empty() ? "." : folder.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return false;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = what;
    rule.parent_fd = place;
    const bool done = syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(place);
    return done;
  }

  bool hold() const {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, descriptor_, 0) == 0;
  }

 private:
  int descriptor_ = -1;  // every call refuses it
};

/// Where a run leaves what was asked for.
std::vector<std::filesystem::path> folders_written(const Options& options) {
  std::vector<std::filesystem::path> out;
  for (const std::string* const file : {&options.json, &options.page, &options.flows, &options.pcap.file,
                                        &options.exports.trace, &options.exports.metrics, &options.exports.database})
    if (!file->empty() && *file != "-") out.push_back(std::filesystem::path(*file).parent_path());
  if (!options.tables.empty()) out.emplace_back(options.tables);
  return out;
}

}  // namespace

bool shut_in(const std::vector<std::filesystem::path>& readable, const std::vector<std::filesystem::path>& writable) {
  const Rules rules;
  for (const std::filesystem::path& folder : readable)
    if (!rules.allow(folder, kReading)) return false;
  for (const std::filesystem::path& folder : writable)
    if (!rules.allow(folder, kReading | kWriting)) return false;
  return rules.hold();
}

int stay_within(const Options& options) {
  if (options.within.empty()) return kFine;
  Diagnostics found;
  std::vector<std::filesystem::path> readable{options.within};
  for (const std::string& file : options.files) {
    const Diagnostics outside = files_outside(file, options.within);
    found.insert(found.end(), outside.begin(), outside.end());
    readable.push_back(std::filesystem::path(file).parent_path());
  }
  shut_in(readable, folders_written(options));  // what is refused above holds where the kernel cannot help
  return found.empty() ? kFine : complain(found, options);
}

}  // namespace railyard
