#include "serve/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "base/read_text.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestRecord = std::size_t{16} << 20;

Diagnostic unusable(const fs::path& root, const std::string& why, std::string hint) {
  return {
      Severity::error, "RY-WEB-030", "this folder cannot hold a server's data: " + why, std::move(hint), {root.string(), 0, 0}};
}

bool write_bytes(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(descriptor) == 0;
}

/// scenario.toml, and a link to what it may name.
bool lay_out(const fs::path& folder, std::string_view scenario) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem) return false;
  fs::create_directory_symlink("../../files", folder / "files", problem);
  return !problem && write_whole(folder / "scenario.toml", scenario);
}

}  // namespace

bool write_whole(const fs::path& file, std::string_view text, unsigned mode) {
  const fs::path partial = file.string() + "." + new_run_id().substr(0, 8) + ".partial";
  const int descriptor = open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) return false;
  const bool written = write_bytes(descriptor, text);
  if (close(descriptor) == 0 && written && rename(partial.c_str(), file.c_str()) == 0) return true;
  unlink(partial.c_str());
  return false;
}

Result<DataFolder> DataFolder::open(const fs::path& root) {
  std::error_code problem;
  const bool is_new = !fs::exists(root, problem);
  for (const char* const name : {"", "files", "runs", "checks"}) {
    fs::create_directories(root / name, problem);
    if (problem) return unusable(root, problem.message(), "name another with --data");
  }
  if (is_new) fs::permissions(root, fs::perms::owner_all, problem);  // nobody else's scenarios
  const fs::path whole = fs::canonical(root, problem);
  if (problem) return unusable(root, problem.message(), "name another with --data");
  const int lock = ::open((whole / "lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock < 0) return unusable(root, "it cannot be written", "name another with --data");
  DataFolder out(whole, lock);
  if (flock(lock, LOCK_EX | LOCK_NB) != 0)
    return unusable(root, "another server uses it", "stop that one, or name another with --data");
  for (const fs::directory_entry& left : fs::directory_iterator(whole / "checks", problem))
    fs::remove_all(left.path(), problem);
  return out;
}

DataFolder::DataFolder(DataFolder&& other) noexcept : root_(std::move(other.root_)), lock_(std::exchange(other.lock_, -1)) {}

DataFolder::~DataFolder() {
  if (lock_ >= 0) close(lock_);
}

fs::path DataFolder::run(const std::string& id) const {
  RY_CHECK(is_run_id(id), "a path is made of an id alone");
  return root_ / "runs" / id;
}

bool DataFolder::create(const RunRecord& record, std::string_view scenario) const {
  if (lay_out(run(record.id), scenario) && save(record)) return true;
  remove(record.id);
  return false;
}

bool DataFolder::save(const RunRecord& record) const {
  return write_whole(run(record.id) / "state.json", write_json(run_document(record)));
}

void DataFolder::remove(const std::string& id) const {
  std::error_code ignored;
  fs::remove_all(run(id), ignored);
}

std::vector<RunRecord> DataFolder::load() const {
  std::vector<RunRecord> out;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_ / "runs", problem)) {
    const std::string id = entry.path().filename().string();
    if (!is_run_id(id)) continue;  // not ours: left alone
    const auto text = read_text(entry.path() / "state.json", kLargestRecord);
    const Result<Document> document = parse_json(text ? *text : std::string(), "state.json", "RY-WEB-030");
    const std::optional<RunRecord> record = document ? read_run(*document) : std::nullopt;
    if (record && record->id == id)
      out.push_back(*record);
    else
      remove(id);  // the server ended while it was made
  }
  std::sort(out.begin(), out.end(), [](const RunRecord& a, const RunRecord& b) {
    return std::pair(a.created_ms, a.id) < std::pair(b.created_ms, b.id);
  });
  return out;
}

DataFolder::Bench::Bench(const DataFolder& data, std::string_view scenario)
    : path_(data.root() / "checks" / new_run_id()), is_there_(lay_out(path_, scenario)) {}

DataFolder::Bench::~Bench() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace railyard
