// What tests of the server share: a child that does what it is told, and a service on top of it.
#pragma once

#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "serve/service.h"

namespace railyard {

/// Stands for the program: `run` waits until it is let go, then leaves what a run would.
class FakeChild {
 public:
  ChildEnd operator()(const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
                      const std::atomic<bool>& stop) {
    if (request.arguments.front() != "run") {
      std::ofstream(request.folder / (request.arguments.front() == "check" ? "findings.json" : "differences.json")) << "{}\n";
      return {};
    }
    on_line(R"({"share":0.5,"now":"half of it"})");
    on_line("no JSON");
    while (holds && !stop) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop) return {.signal = 15, .was_stopped = true};
    if (leaves_results) {
      std::ofstream(request.folder / "results.json") << results;
      std::ofstream(request.folder / "page.html") << "<p>page</p>";
    }
    std::ofstream(request.folder / "log.txt") << log;
    return end;
  }

  std::atomic<bool> holds = false;
  bool leaves_results = true;
  std::string results = "{\"schema\": \"results\"}\n", log;
  ChildEnd end;
};

/// A data folder, a queue and a service.
struct ServeBench {
  explicit ServeBench(ServeLimits limits = {}, Gate gate = {}) : limits_(limits), gate_(std::move(gate)) {}
  ~ServeBench() { child.holds = false; }

  RunChild run_child() {
    return [this](const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
                  const std::atomic<bool>& stop) { return child(request, on_line, stop); };
  }

  WebAnswer ask(std::string method, std::string path, std::string body = {}, std::map<std::string, std::string> more = {}) {
    WebRequest request{
        .method = std::move(method), .path = std::move(path), .query = {}, .headers = std::move(more), .body = std::move(body)};
    request.headers.emplace("host", "127.0.0.1:8421");
    if (request.path.find('?') != std::string::npos) {
      const std::string query = request.path.substr(request.path.find('?') + 1);
      request.query.emplace(query.substr(0, query.find('=')), query.substr(query.find('=') + 1));
      request.path.erase(request.path.find('?'));
    }
    return service.answer(request);
  }

  WebAnswer submit(const std::string& text = "name = \"one\"\n") {
    return ask("POST", "/api/v1/runs", text, {{"content-type", "application/toml"}});
  }

  /// The id of the newest run, once it has ended.
  std::string ended_run() {
    std::optional<RunRecord> run = runs.list().front();
    while (run && !has_ended(run->state)) run = runs.wait_for_change(run->id, run->version, std::chrono::seconds(10));
    return run ? run->id : std::string();
  }

  TemporaryFolder folder;
  FakeChild child;
  ServeLimits limits_;
  Gate gate_;
  Result<DataFolder> data = DataFolder::open(folder.path() / "data");
  RunQueue runs{*data, limits_, run_child()};
  Service service{*data,
                  runs,
                  {.version = "1",
                   .front_page = "<p>front</p>",
                   .keys = Document::object(),
                   .presets = {{"first", "First", "name = \"first\"\n"}}},
                  gate_,
                  limits_,
                  run_child()};
};

/// The code of the first finding of a refusal.
inline std::string code_of(const WebAnswer& answer) {
  const std::size_t at = answer.body.find("RY-");
  return at == std::string::npos ? std::string() : answer.body.substr(at, 10);
}

}  // namespace railyard
