#include "python/scenario_session.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "catalog/catalog.h"
#include "report/results_report.h"
#include "scenario/presets.h"

namespace railyard {

namespace {

constexpr const char* kFromPython = "scenario.toml";  // what messages call a text

Result<std::shared_ptr<LoadedScenario>> loaded(Result<Scenario> scenario, std::string text) {
  if (!scenario) return scenario.error();
  return std::make_shared<LoadedScenario>(LoadedScenario{std::move(*scenario), std::move(text)});
}

/// A simulation on a thread of its own, so that whoever waits can do something else meanwhile.
class BackgroundRun {
 public:
  BackgroundRun(const Scenario& scenario, RunOptions options)
      : thread_([this, &scenario, choices = std::move(options)] { work(scenario, choices); }) {}

  /// Waits a while. True when it is over.
  bool wait_a_while() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, std::chrono::milliseconds(100), [&] { return is_over_; });
  }

  [[nodiscard]] Progress& progress() { return progress_; }

  /// REQUIRES: it is over. Nothing where it was given up.
  std::optional<Result<Run>> take() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
  }

 private:
  void work(const Scenario& scenario, const RunOptions& options) {
    try {
      result_.emplace(simulate(scenario, options, progress_));
    } catch (const Cancelled&) {
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    ended_.notify_all();
  }

  Progress progress_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::optional<Result<Run>> result_;
  std::exception_ptr failure_;
  std::jthread thread_;  // the last, so that it finds the others
};

}  // namespace

Result<std::shared_ptr<LoadedScenario>> load_for_python(const std::string& name, const std::vector<std::string>& overrides) {
  const ScenarioText text;
  Result<Scenario> scenario = load_named_scenario(name, builtin_catalog(), overrides, {}, &text);
  return loaded(std::move(scenario), text.text());
}

Result<std::shared_ptr<LoadedScenario>> parse_for_python(const std::string& toml, const std::vector<std::string>& overrides) {
  const auto read = [&](const std::filesystem::path& path, std::size_t largest) -> Result<std::string> {
    if (path == kFromPython) return toml;
    return read_file_from_disk(path, largest);
  };
  return loaded(load_scenario(kFromPython, builtin_catalog(), overrides, ReadFile(read)), toml);
}

const PacketRecord* FinishedSession::packets() const {
  const std::optional<PacketRecord>* record = nullptr;
  if (!run.collectives.empty()) record = &run.collectives.back().telemetry.packets;
  if (run.traffic) record = &run.traffic->telemetry.packets;
  if (run.packets) record = &run.network->packets;
  if (run.slice) record = &run.slice->traffic.telemetry.packets;
  return record && *record ? &**record : nullptr;
}

Result<std::shared_ptr<FinishedSession>> run_for_python(const Scenario& scenario, unsigned threads, bool keeps_flows,
                                                        const SessionWatch& watch) {
  TransferLog transfers;
  RunOptions options{.threads = threads};
  if (keeps_flows) options.on_flow = [&](const FlowRecord& flow) { transfers.add(flow); };
  BackgroundRun background(scenario, options);
  bool given_up = false;
  while (!background.wait_a_while())
    if (!given_up && !watch(background.progress().share(), background.progress().now())) {
      background.progress().cancel();
      given_up = true;
    }
  std::optional<Result<Run>> run = background.take();
  if (!run || given_up) return std::shared_ptr<FinishedSession>();
  if (!*run) return run->error();
  auto session = std::make_shared<FinishedSession>(
      FinishedSession{.run = std::move(**run), .results = {}, .document = {}, .transfers = std::move(transfers)});
  session->results = analyse(scenario, session->run);
  session->document = results_document(session->results, 0);
  return session;
}

}  // namespace railyard
