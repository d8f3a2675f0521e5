#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/json.h"
#include "base/read_text.h"

namespace railyard {

namespace {

constexpr std::string_view kId = "{id}", kFrontPolicy = "frame-ancestors 'none'";
/// A page of a run runs its script and reaches nothing, not even this server.
constexpr std::string_view kPagePolicy = "sandbox allow-scripts allow-modals allow-downloads; frame-ancestors 'self'";
constexpr std::size_t kLargestOutput = std::size_t{16} << 20;

/// The id that `path` has where the template has {id}, empty where that has none; nothing where they differ.
std::optional<std::string> match(std::string_view pattern, std::string_view path) {
  const std::size_t at = pattern.find(kId);
  if (at == std::string_view::npos) return pattern == path ? std::optional<std::string>("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + kId.size());
  if (path.size() < before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after)) return std::nullopt;
  const std::string_view id = path.substr(before.size(), path.size() - before.size() - after.size());
  if (id.empty() || id.find('/') != std::string_view::npos) return std::nullopt;
  return std::string(id);
}

WebAnswer no_such_run() { return refusal(404, "RY-WEB-011", "there is no such run", "GET /api/v1/runs lists them"); }
WebAnswer no_disk() {
  return refusal(500, "RY-WEB-014", "the data folder cannot be written", "make room on its disk, then try again");
}

WebAnswer json(const Document& document, int status = 200) { return {.status = status, .body = write_json(document)}; }

/// Whole characters of UTF-8, and no zero.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first == 0      ? 0
                               : first < 0x80U ? 1
                               : first < 0xC2U ? 0
                               : first < 0xE0U ? 2
                               : first < 0xF0U ? 3
                               : first < 0xF5U ? 4
                                               : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; k++)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return false;
    i += length;
  }
  return true;
}

/// What is wrong with a body, if anything.
std::optional<WebAnswer> refuse_body(const Route& route, const WebRequest& request, const ServeLimits& limits) {
  if (request.body.size() > limits.largest_body)
    return refusal(413, "RY-WEB-006", fmt::format("the body is larger than {} KiB", limits.largest_body >> 10U),
                   "send a smaller one");
  if (route.takes.empty()) return std::nullopt;
  const std::string type = request.header("content-type");
  if (type.substr(0, type.find(';')) != route.takes)
    return refusal(415, "RY-WEB-007", "the body is not declared as a scenario",
                   fmt::format("send Content-Type: {}", route.takes));
  if (request.body.empty() || !is_utf8(request.body))
    return refusal(400, "RY-WEB-008", "the body is no text", "send a scenario: TOML, in UTF-8");
  return std::nullopt;
}

/// Gives back a turn of a semaphore.
class Turn {
 public:
  Turn(std::counting_semaphore<>& turns, std::chrono::seconds longest)
      : turns_(turns), is_taken_(turns.try_acquire_for(longest)) {}
  ~Turn() {
    if (is_taken_) turns_.release();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  [[nodiscard]] bool is_taken() const { return is_taken_; }

 private:
  std::counting_semaphore<>& turns_;
  bool is_taken_;
};

}  // namespace

Service::Service(const DataFolder& data, RunQueue& runs, ServedTexts served, Gate gate, const ServeLimits& limits,
                 RunChild run_child)
    : data_(data),
      runs_(runs),
      served_(std::move(served)),
      gate_(std::move(gate)),
      limits_(limits),
      run_child_(std::move(run_child)),
      turns_(static_cast<std::ptrdiff_t>(limits.checks)) {}

WebAnswer Service::answer(const WebRequest& request) {
  if (std::optional<WebAnswer> refused = turn_away(request)) return *refused;
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (const Route& route : routes()) {
    const std::optional<std::string> id = match(route.path, request.path);
    if (!id) continue;
    if (route.method != method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    if (std::optional<WebAnswer> refused = refuse_body(route, request, limits_)) return *refused;
    if (!id->empty() && !is_run_id(*id)) return no_such_run();
    return (this->*route.answer)(request, *id);
  }
  if (allowed.empty())
    return refusal(404, "RY-WEB-001", "there is nothing of this name", "GET /api/v1/openapi.json lists what there is");
  WebAnswer wrong = refusal(405, "RY-WEB-002", "this cannot be done here", "use " + allowed);
  wrong.headers.emplace_back("Allow", allowed);
  return wrong;
}

WebAnswer Service::front_page(const WebRequest&, const std::string&) {
  return {.type = "text/html; charset=utf-8",
          .body = served_.front_page,
          .headers = {{"Content-Security-Policy", std::string(kFrontPolicy)}}};
}

WebAnswer Service::status(const WebRequest&, const std::string&) {
  Document out = Document::object();
  out.set("railyard", Document(served_.version));
  const std::vector<RunRecord> runs = runs_.list();
  for (const ServedState state : {ServedState::queued, ServedState::running})
    out.set(name_of(state), Document(std::int64_t{std::count_if(runs.begin(), runs.end(),
                                                                [&](const RunRecord& run) { return run.state == state; })}));
  out.set("runs", Document(static_cast<std::int64_t>(runs.size())));
  out.set("parallel", Document(static_cast<std::int64_t>(limits_.parallel)));
  out.set("queue", Document(static_cast<std::int64_t>(limits_.queue)));
  out.set("memory_bytes", Document(static_cast<std::int64_t>(limits_.memory)));
  out.set("time_limit_s", Document(std::int64_t{limits_.longest.count()}));
  return json(out);
}

WebAnswer Service::session(const WebRequest&, const std::string&) {
  WebAnswer out{.status = 204, .type = {}};
  if (!gate_.token.empty()) out.headers.emplace_back("Set-Cookie", session_cookie(gate_));
  return out;
}

WebAnswer Service::openapi(const WebRequest&, const std::string&) { return json(openapi_document(routes(), served_.version)); }

WebAnswer Service::keys(const WebRequest&, const std::string&) { return json(served_.keys); }

WebAnswer Service::presets(const WebRequest&, const std::string&) {
  Document out = Document::object();
  Document& list = out.set("presets", Document::array());
  for (const ServedTexts::Preset& preset : served_.presets) {
    Document& item = list.push(Document::object());
    item.set("name", Document(preset.name));
    item.set("title", Document(preset.title));
  }
  return json(out);
}

WebAnswer Service::preset_text(const WebRequest& request, const std::string&) {
  const std::string name = request.asked("name");
  for (const ServedTexts::Preset& preset : served_.presets)
    if (preset.name == name) return {.type = "application/toml", .body = preset.text};
  return refusal(404, "RY-WEB-015", "there is no such preset", "GET /api/v1/presets lists them");
}

/// Lets a child write `output` into the bench, and answers with that.
WebAnswer Service::ask_child(const DataFolder::Bench& bench, std::vector<std::string> arguments, std::string_view output) {
  if (!bench.is_there()) return no_disk();
  const Turn turn(turns_, limits_.longest_check);
  if (!turn.is_taken()) return refusal(429, "RY-WEB-013", "too many ask for this at a time", "ask again in a few seconds");
  const std::atomic<bool> never = false;
  const ChildEnd end = run_child_(
      {.arguments = std::move(arguments), .folder = bench.path(), .memory = limits_.memory, .longest = limits_.longest_check},
      [](std::string_view) {}, never);
  const auto text = read_text(bench.path() / output, kLargestOutput);
  if (text) return {.body = *text};
  if (end.took_too_long) return refusal(429, "RY-WEB-013", "this took too long", "ask again in a few seconds, or for less");
  return no_disk();
}

WebAnswer Service::check(const WebRequest& request, const std::string&) {
  const DataFolder::Bench bench(data_, request.body);
  return ask_child(bench, {"check", "scenario.toml", "--json", "findings.json", "--within", "files", "--quiet"},
                   "findings.json");
}

WebAnswer Service::compare(const WebRequest& request, const std::string& id) {
  const std::string other = request.asked("with");
  std::vector<std::string> arguments{"diff"};
  for (const std::string& one : {other, id}) {
    if (!is_run_id(one)) return no_such_run();
    const WebAnswer found = file_of(one, "results.json", {});
    if (found.status != 200) return found;
    arguments.push_back(found.file.string());
  }
  for (const char* const word : {"--json", "differences.json", "--quiet"}) arguments.emplace_back(word);
  const DataFolder::Bench bench(data_, {});
  return ask_child(bench, std::move(arguments), "differences.json");
}

WebAnswer Service::submit(const WebRequest& request, const std::string&) {
  const auto run = runs_.submit(request.body);
  if (!run && run.error() == RunQueue::Refused::disk) return no_disk();
  if (!run) {
    WebAnswer full =
        refusal(429, "RY-WEB-010", fmt::format("{} runs wait already", limits_.queue), "wait until one of them has begun");
    full.headers.emplace_back("Retry-After", "5");
    return full;
  }
  WebAnswer out = json(run_document(*run), 202);
  out.headers.emplace_back("Location", "/api/v1/runs/" + run->id);
  return out;
}

WebAnswer Service::list(const WebRequest&, const std::string&) {
  Document out = Document::object();
  Document& list = out.set("runs", Document::array());
  for (const RunRecord& run : runs_.list()) list.push(run_document(run));
  return json(out);
}

WebAnswer Service::show(const WebRequest&, const std::string& id) {
  const std::optional<RunRecord> run = runs_.find(id);
  return run ? json(run_document(*run)) : no_such_run();
}

WebAnswer Service::events(const WebRequest&, const std::string& id) {
  if (!runs_.find(id)) return no_such_run();
  return {.type = "text/event-stream", .events_of = id};
}

WebAnswer Service::scenario(const WebRequest&, const std::string& id) {
  if (!runs_.find(id)) return no_such_run();
  return {.type = "application/toml", .file = data_.run(id) / "scenario.toml"};
}

/// What a run that has finished left behind.
WebAnswer Service::file_of(const std::string& id, std::string_view name, std::string_view type) {
  const std::optional<RunRecord> run = runs_.find(id);
  if (!run) return no_such_run();
  if (run->state != ServedState::finished)
    return refusal(409, "RY-WEB-012", fmt::format("this run is {}", name_of(run->state)),
                   "wait until it is finished, or look at its diagnostics");
  return {.type = std::string(type), .file = data_.run(id) / name};
}

WebAnswer Service::results(const WebRequest&, const std::string& id) { return file_of(id, "results.json", "application/json"); }

WebAnswer Service::page(const WebRequest&, const std::string& id) {
  WebAnswer out = file_of(id, "page.html", "text/html; charset=utf-8");
  if (out.status != 200) out.type = "application/json";
  out.headers.emplace_back("Content-Security-Policy", std::string(kPagePolicy));
  return out;
}

WebAnswer Service::cancel(const WebRequest&, const std::string& id) {
  const std::optional<RunRecord> run = runs_.cancel(id);
  return run ? json(run_document(*run)) : no_such_run();
}

WebAnswer Service::remove(const WebRequest&, const std::string& id) {
  return runs_.remove(id) ? WebAnswer{.status = 204, .type = {}} : no_such_run();
}

}  // namespace railyard
