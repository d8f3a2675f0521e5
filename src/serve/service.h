// Answers requests: every route of the server, from a value to a value.
#pragma once

#include <optional>
#include <semaphore>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "serve/gate.h"
#include "serve/run_queue.h"

namespace railyard {

/// What is shown of the program, which the server itself knows nothing of.
struct ServedTexts {
  struct Preset {
    std::string name, title, text;
  };
  std::string version;
  std::string front_page;  // HTML
  Document keys;           // of a scenario: docs/serve.md
  std::vector<Preset> presets = {};
};

class Service;

/// What a route may answer, for openapi.json.
struct Reply {
  int status;
  std::string_view type, schema, what;  // of `schema`: components, or empty
};

struct Route {
  std::string_view method, path;  // "{id}" stands for the id of a run
  std::string_view name, summary;
  WebAnswer (Service::*answer)(const WebRequest& request, const std::string& id);
  std::string_view takes;              // the kind of body, if any
  std::vector<std::string_view> asks;  // names after the "?"
  std::vector<Reply> replies;
};

/// The routes by what they are about.
struct RouteTable {
  static std::vector<Route> of_the_program(), of_runs(), of_what_runs_left();
};

/// Thread-safe.
class Service {
 public:
  /// All of these outlive it.
  Service(const DataFolder& data, RunQueue& runs, ServedTexts served, Gate gate, const ServeLimits& limits, RunChild run_child);

  /// For any request whatever.
  WebAnswer answer(const WebRequest& request);

  /// Why a request would not be answered whatever its body is, if so.
  [[nodiscard]] std::optional<WebAnswer> turn_away(const WebRequest& request) const {
    return railyard::turn_away(request, gate_);
  }

  static const std::vector<Route>& routes();

 private:
  friend struct RouteTable;

  WebAnswer front_page(const WebRequest& request, const std::string& id);
  WebAnswer status(const WebRequest& request, const std::string& id);
  WebAnswer session(const WebRequest& request, const std::string& id);
  WebAnswer openapi(const WebRequest& request, const std::string& id);
  WebAnswer keys(const WebRequest& request, const std::string& id);
  WebAnswer presets(const WebRequest& request, const std::string& id);
  WebAnswer preset_text(const WebRequest& request, const std::string& id);
  WebAnswer check(const WebRequest& request, const std::string& id);
  WebAnswer submit(const WebRequest& request, const std::string& id);
  WebAnswer list(const WebRequest& request, const std::string& id);
  WebAnswer show(const WebRequest& request, const std::string& id);
  WebAnswer events(const WebRequest& request, const std::string& id);
  WebAnswer scenario(const WebRequest& request, const std::string& id);
  WebAnswer results(const WebRequest& request, const std::string& id);
  WebAnswer page(const WebRequest& request, const std::string& id);
  WebAnswer compare(const WebRequest& request, const std::string& id);
  WebAnswer cancel(const WebRequest& request, const std::string& id);
  WebAnswer remove(const WebRequest& request, const std::string& id);

  WebAnswer file_of(const std::string& id, std::string_view name, std::string_view type);
  WebAnswer ask_child(const DataFolder::Bench& bench, std::vector<std::string> arguments, std::string_view output);

  const DataFolder& data_;
  RunQueue& runs_;
  const ServedTexts served_;
  const Gate gate_;
  const ServeLimits limits_;
  const RunChild run_child_;
  std::counting_semaphore<> turns_;  // of children that are no runs
};

/// The description of every route, as OpenAPI 3.1 has it.
Document openapi_document(std::span<const Route> routes, const std::string& version);

}  // namespace railyard
