// A store of runs with any bytes in it: it is read or refused. The input is a list of places (three bytes) and what is there
// instead (one byte), so that most of the store stays whole.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/check.h"
#include "base/json.h"
#include "export/run_store.h"

namespace {

using namespace railyard;

/// A folder that goes with the program.
struct Place {
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "railyard_fuzz_XXXXXX").string();
    RY_CHECK(mkdtemp(name.data()) != nullptr, "a folder can be made");
    folder = name;
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::filesystem::path folder;
};

std::string whole_store(const std::filesystem::path& file) {
  const Fabric fabric;
  Run run;
  Results results;
  const TransferLog transfers;
  const StoredRun about{0,       "a", "a.toml", "flow", "0", "1", "2026-11-18 12:00:00", "railyard run a.toml", "name = \"a\"",
                        "It is."};
  Document document = Document::object();
  document.set("step_time_s", Document(1.5));
  const Result<std::int64_t> id = add_run(file, about, document, {run, results, transfers});
  RY_CHECK(id.has_value(), "a store can be made");
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template<class Value>
void look_at(const Result<Value>& result) {
  if (result) return;
  RY_CHECK(!result.error().empty(), "a refusal has a reason");
  for (const Diagnostic& one : result.error()) (void)to_text(one);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Place place;
  static const std::filesystem::path file = place.folder / "runs.sqlite";
  static const std::string whole = whole_store(file);
  std::string bytes = whole;
  for (std::size_t i = 0; i + 4 <= size; i += 4)
    bytes[(std::size_t{data[i]} << 16 | std::size_t{data[i + 1]} << 8 | data[i + 2]) % bytes.size()] =
        static_cast<char>(data[i + 3]);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  for (const Diagnostic& one : refused_store(file)) (void)to_text(one);
  look_at(list_runs(file));
  const Result<KeptRun> kept = load_run(file, 1);
  look_at(kept);
  if (kept) (void)write_json(kept->results);
  look_at(remove_runs(file, {1}));
  std::error_code ignored;
  std::filesystem::remove(file.string() + "-journal", ignored);
  return 0;
}
