// The table of routes: what answers, and how openapi.json describes it.
#include "serve/service.h"

namespace railyard {

namespace {

constexpr std::string_view kJson = "application/json", kToml = "application/toml";
constexpr Reply kNoRun{404, kJson, "Findings", "there is no such run (RY-WEB-011)"};
constexpr Reply kNotYet{409, kJson, "Findings", "it has not finished (RY-WEB-012)"};
constexpr Reply kBadText{400, kJson, "Findings", "the body is no text (RY-WEB-008)"};
constexpr Reply kBadType{415, kJson, "Findings", "the body is of another kind (RY-WEB-007)"};
constexpr Reply kTooLarge{413, kJson, "Findings", "the body is too large (RY-WEB-006)"};
constexpr Reply kBusy{429, kJson, "Findings", "too much at a time (RY-WEB-010, RY-WEB-013): ask again later"};
constexpr Reply kNoDisk{500, kJson, "Findings", "the data folder cannot be written (RY-WEB-014)"};

}  // namespace

/// What the server is, and what it knows of scenarios.
std::vector<Route> RouteTable::of_the_program() {
  using S = Service;
  return {
      {"GET", "/", "frontPage", "the front page", &S::front_page, {}, {}, {{200, "text/html", "", "the page"}}},
      {"GET",
       "/api/v1/status",
       "status",
       "the version, and how much is going on",
       &S::status,
       {},
       {},
       {{200, kJson, "Status", "how it is"}}},
      {"POST",
       "/api/v1/session",
       "beginSession",
       "let a browser remember the token that came in Authorization",
       &S::session,
       {},
       {},
       {{204, "", "", "a cookie"}}},
      {"GET", "/api/v1/openapi.json", "describe", "this description", &S::openapi, {}, {}, {{200, kJson, "", "OpenAPI 3.1"}}},
      {"GET",
       "/api/v1/keys",
       "keys",
       "every key of a scenario: what it takes, its default, what it means",
       &S::keys,
       {},
       {},
       {{200, kJson, "Keys", "all sections"}}},
      {"GET",
       "/api/v1/presets",
       "presets",
       "scenarios to start from",
       &S::presets,
       {},
       {},
       {{200, kJson, "Presets", "names and titles"}}},
      {"GET",
       "/api/v1/presets/text",
       "presetText",
       "the text of one",
       &S::preset_text,
       {},
       {"name"},
       {{200, kToml, "", "a scenario"}, {404, kJson, "Findings", "there is no such preset (RY-WEB-015)"}}},
  };
}

/// What is done with scenarios and runs.
std::vector<Route> RouteTable::of_runs() {
  using S = Service;
  return {
      {"POST",
       "/api/v1/check",
       "check",
       "what is wrong with a scenario, with lines and columns",
       &S::check,
       kToml,
       {},
       {{200, kJson, "Findings", "errors and warnings; none where it is fine"}, kBadText, kBadType, kTooLarge, kBusy, kNoDisk}},
      {"POST",
       "/api/v1/runs",
       "submit",
       "queue a scenario",
       &S::submit,
       kToml,
       {},
       {{202, kJson, "Run", "the run"}, kBadText, kBadType, kTooLarge, kBusy, kNoDisk}},
      {"GET", "/api/v1/runs", "list", "all runs, the newest first", &S::list, {}, {}, {{200, kJson, "Runs", "the runs"}}},
      {"GET", "/api/v1/runs/{id}", "show", "how a run is", &S::show, {}, {}, {{200, kJson, "Run", "the run"}, kNoRun}},
      {"DELETE",
       "/api/v1/runs/{id}",
       "remove",
       "end a run, and remove all of it",
       &S::remove,
       {},
       {},
       {{204, "", "", "it is gone"}, kNoRun}},
      {"POST", "/api/v1/runs/{id}/cancel", "cancel", "end a run", &S::cancel, {}, {}, {{200, kJson, "Run", "the run"}, kNoRun}},
  };
}

/// What there is of one run.
std::vector<Route> RouteTable::of_what_runs_left() {
  using S = Service;
  return {
      {"GET",
       "/api/v1/runs/{id}/events",
       "events",
       "how a run is, whenever that changes, until it has ended",
       &S::events,
       {},
       {},
       {{200, "text/event-stream", "", "events called state; data is a Run"}, kNoRun, kBusy}},
      {"GET",
       "/api/v1/runs/{id}/scenario",
       "scenario",
       "what was run",
       &S::scenario,
       {},
       {},
       {{200, kToml, "", "a scenario"}, kNoRun}},
      {"GET",
       "/api/v1/runs/{id}/results",
       "results",
       "its results, as --json writes them",
       &S::results,
       {},
       {},
       {{200, kJson, "Results", "docs/results.md"}, kNoRun, kNotYet}},
      {"GET",
       "/api/v1/runs/{id}/page",
       "page",
       "its page, as -o writes it",
       &S::page,
       {},
       {},
       {{200, "text/html", "", "the page"}, kNoRun, kNotYet}},
      {"GET",
       "/api/v1/runs/{id}/compare",
       "compare",
       "what differs from another run, as railyard diff --json writes it",
       &S::compare,
       {},
       {"with"},
       {{200, kJson, "Differences", "figures, numbers and inputs"}, kNoRun, kNotYet, kBusy, kNoDisk}},
  };
}

const std::vector<Route>& Service::routes() {
  static const std::vector<Route> all = [] {
    std::vector<Route> list = RouteTable::of_the_program();
    for (const Route& route : RouteTable::of_runs()) list.push_back(route);
    for (const Route& route : RouteTable::of_what_runs_left()) list.push_back(route);
    return list;
  }();
  return all;
}

}  // namespace railyard
