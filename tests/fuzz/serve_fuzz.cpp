// Any bytes as they might come over a socket: each is answered, nothing outside the data folder is read, and no run begins that
// was not asked for.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/check.h"
#include "serve/http_server.h"

namespace {

using namespace railyard;

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "railyard_fuzz_XXXXXX").string();
  RY_CHECK(mkdtemp(name.data()) != nullptr, "a folder can be made");
  return name;
}

/// Stands for the program.
ChildEnd do_nothing(const ChildRequest&, const std::function<void(std::string_view)>&, const std::atomic<bool>&) {
  return {.code = 2};
}

struct Fuzzed {
  std::filesystem::path folder = new_folder();
  ServeLimits limits{.queue = 4, .keep = 4, .largest_body = 4096};
  Result<DataFolder> data = DataFolder::open(folder);
  RunQueue runs{*data, limits, do_nothing};
  Service service{*data, runs, {.version = "1", .front_page = "<p>", .keys = Document::object()}, {}, limits, do_nothing};
  HttpServer server{service, runs, limits};

  ~Fuzzed() {
    runs.close();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Fuzzed fuzzed;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string answer = fuzzed.server.exchange(bytes);
  RY_CHECK(answer.empty() || answer.starts_with("HTTP/1."), "what goes back is HTTP");
  RY_CHECK(answer.find("Access-Control-Allow") == std::string::npos, "no other site may read it");
  RY_CHECK(answer.find(fuzzed.folder.string()) == std::string::npos, "nobody is told where the data is");

  WebRequest request{.method = "GET",
                     .path = std::string(bytes.substr(0, 200)),
                     .query = {},
                     .headers = {{"host", "localhost"}},
                     .body = std::string(bytes)};
  const WebAnswer direct = fuzzed.service.answer(request);
  RY_CHECK(direct.file.empty() || direct.file.string().starts_with(fuzzed.folder.string()), "files are those of runs");
  title_of_scenario(bytes);
  host_name_of(bytes);
  return 0;
}
