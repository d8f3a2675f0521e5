#include "scenario/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "scenario/job_transports.h"
#include "scenario/presets.h"
#include "scenario/read/keys.h"
#include "scenario/read/scenario_document.h"

namespace railyard {

namespace {

// What a job may have of its own, and of that, what a workload consists of.
constexpr std::array<std::string_view, 8> kOfJobs = {"model",      "training", "parallel",  "serving",
                                                     "collective", "traffic",  "placement", "transport"};
constexpr std::array<std::string_view, 10> kWorkload = {"model",  "training", "parallel",   "serving",     "slice",
                                                        "jitter", "traffic",  "collective", "reliability", "trace"};

// What a front end has of its own; of what the file says for all, what holds for it, too.
constexpr std::array<std::string_view, 4> kOfFrontEnd = {"cluster", "fabric", "transport", "routing"};
constexpr std::array<std::string_view, 5> kForBoth = {"name", "cluster", "placement", "engine", "origins"};

template<std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Diagnostic refusal(std::string code, SourceSpan where, std::string message, std::string hint) {
  return {Severity::error, std::move(code), std::move(message), std::move(hint), std::move(where)};
}

/// A table with one key in one table: [cluster] gpus = 64.
Document one_key(std::string_view section, std::string_view key, Document value) {
  const SourceSpan where = value.where();
  Document inner(Document::Object{}, where), outer(Document::Object{}, where);
  inner.set(key, std::move(value), where);
  outer.set(section, std::move(inner), where);
  return outer;
}

std::optional<std::int64_t> gpus_of(const Document& job) {
  const Document* const gpus = job.find("gpus");
  return gpus && gpus->integer() ? std::optional(*gpus->integer()) : std::nullopt;
}

std::string text_of(const Document& table, std::string_view key) {
  const Document* const value = table.find(key);
  return value && value->text() ? *value->text() : std::string();
}

/// Whether an override is of that job: job.llama.start=…, job."my job".start=….
bool is_for(const std::string& text, const std::string& name) {
  return text.starts_with("job." + name + ".") || text.starts_with("job.\"" + name + "\".");
}

/// Makes a scenario's document of each [[job]] of a file.
class JobReader {
 public:
  JobReader(const Document& document, std::filesystem::path path) : path_(std::move(path)), cluster_(shared_part(document)) {
    const Document::Array& items = *document.find("job")->items();
    for (std::size_t i = 0; i < items.size(); i++) {
      Document job = items[i];
      if (!job.members()) {
        found_.push_back(refusal("RY-SCN-011", job.where(), "a job is a table", "write [[job]], and its keys below it"));
        continue;
      }
      if (!job.find("name")) job.set("name", Document(fmt::format("job {}", i), job.where()), job.where());
      jobs_.push_back(std::move(job));
    }
  }

  void apply(std::span<const std::string> overrides) {
    for (const std::string& text : overrides) {
      const auto job =
          std::find_if(jobs_.begin(), jobs_.end(), [&](const Document& one) { return is_for(text, text_of(one, "name")); });
      if (job != jobs_.end())
        apply_to(*job, text);
      else if (text.starts_with("job"))
        found_.push_back(refusal("RY-SCN-004", {"--set " + text, 0, 0}, "no job is called that",
                                 fmt::format("write job.NAME.key=value; the jobs are {}", names())));
      else
        take(overridden(cluster_, text, found_), cluster_);
    }
  }

  Result<ClusterJobs> read(const Catalog& catalog, const ReadFile& read_file) {
    check();
    ClusterJobs out{.name = text_of(cluster_, "name"), .jobs = {}};
    if (has_errors(found_)) return found_;
    for (const Document& job : jobs_) {
      Result<Scenario> scenario = read_scenario(document_of(job), path_, catalog, read_file, {.is_job = true});
      if (!scenario) {
        Diagnostics mistakes = scenario.error();
        if (is_in_front(job)) std::transform(mistakes.begin(), mistakes.end(), mistakes.begin(), told_of_front_end);
        add(mistakes);
        continue;
      }
      scenario->job->has_own_transport = job.find("transport") != nullptr;
      out.jobs.push_back(std::move(*scenario));
    }
    sort_by_location(found_);
    if (has_errors(found_)) return found_;
    if (!found_.empty()) out.jobs.front().warnings.insert(out.jobs.front().warnings.begin(), found_.begin(), found_.end());
    return out;
  }

 private:
  /// Without jobs and what only a single one has.
  static Document shared_part(const Document& document) {
    Document out(Document::Object{}, document.where());
    for (const Document::Member& member : *document.members())
      if (member.key != "job" && member.key != "expect" && member.key != "extends")
        out.set(member.key, member.value, member.where);
    return out;
  }

  void take(Result<Document> changed, Document& into) {
    if (changed)
      into = std::move(*changed);
    else
      add(changed.error());
  }

  /// As if the job were a table of its own in [job], so that messages have the override as it was written.
  void apply_to(Document& job, const std::string& text) {
    const std::string name = text_of(job, "name");
    Result<Document> changed = overridden(one_key("job", name, job), text, found_);
    if (changed)
      job = Document(*changed->find("job")->find(name));
    else
      add(changed.error());
  }

  /// Mistakes in what jobs share are the same in all of them.
  void add(const Diagnostics& more) {
    for (const Diagnostic& one : more)
      if (std::none_of(found_.begin(), found_.end(), [&](const Diagnostic& known) { return to_text(known) == to_text(one); }))
        found_.push_back(one);
  }

  [[nodiscard]] Document* find(std::string_view name) {
    const auto found =
        std::find_if(jobs_.begin(), jobs_.end(), [&](const Document& job) { return text_of(job, "name") == name; });
    return found == jobs_.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string names() const {
    std::string all;
    for (const Document& job : jobs_) all += (all.empty() ? "" : ", ") + text_of(job, "name");
    return all;
  }

  [[nodiscard]] std::optional<Document> cluster_size() const {
    for (const char* path : {"fabric.gpus", "cluster.gpus"})
      if (const Document* const size = cluster_.at_path(path)) return *size;
    return std::nullopt;
  }

  void check() {
    if (jobs_.empty()) return;
    const bool drawn = text_of(cluster_.find("fabric") ? *cluster_.find("fabric") : cluster_, "topology") == "file";
    if (!cluster_size() && !drawn)
      found_.push_back(refusal("RY-JOB-006", cluster_.where(), "the size of the cluster is missing",
                               "add gpus = … to [cluster]: all that the fabric joins, whoever has them"));
    check_size();
    check_front_end();
    add(refused_transports(cluster_, jobs_));
    std::map<std::string, int> seen;
    for (const Document& job : jobs_) {
      check_job(job);
      if (seen[text_of(job, "name")]++ == 1)
        found_.push_back(refusal("RY-JOB-003", job.find("name")->where(),
                                 fmt::format("two jobs are called '{}'", text_of(job, "name")), "give each a name of its own"));
    }
  }

  static bool is_in_front(const Document& job) { return text_of(job, "network") == "front-end"; }

  /// The second network, and who uses it.
  void check_front_end() {
    const auto refuse = [&](const SourceSpan& where, std::string what, std::string hint) {
      found_.push_back(refusal("RY-JOB-013", where, std::move(what), std::move(hint)));
    };
    const Document* const front = cluster_.find("frontend");
    const bool described = cluster_.at_path("frontend.fabric") != nullptr;
    for (const Document& job : jobs_) {
      if (!is_in_front(job)) continue;
      if (!described)
        refuse(job.find("network")->where(), "there is no front-end network",
               "describe it: [frontend.fabric] with its topology, [frontend.cluster] with its nic");
      if (!job.find("traffic") && !job.find("collective"))
        refuse(job.find("network")->where(), "a job that trains uses the compute network",
               "remove network, or give the job [job.traffic] or [job.collective]");
    }
    const auto users = std::count_if(jobs_.begin(), jobs_.end(), is_in_front);
    if (users > 0 && users == std::ssize(jobs_))
      refuse(jobs_.front().find("network")->where(), "all jobs use the front end, and none the compute network",
             "describe that network by [fabric], and remove network from the jobs");
    if (!front) return;
    if (users == 0)
      refuse(front->where(), "no job uses the front end", "write network = \"front-end\" in a [[job]], or remove it");
    for (const Document::Member& member : front->members() ? *front->members() : Document::Object{})
      if (!is_in(kOfFrontEnd, member.key))
        refuse(member.where, fmt::format("the front end has no [frontend.{}] of its own", member.key),
               "it has [frontend.cluster], [frontend.fabric], [frontend.transport] and [frontend.routing]");
    for (const char* path :
         {"frontend.cluster.gpu", "frontend.cluster.gpus", "frontend.cluster.gpus_per_node", "frontend.fabric.gpus"})
      if (const Document* const given = cluster_.at_path(path))
        refuse(given->where(), "the front end joins the servers of the cluster, and no others", "remove this key");
  }

  void check_size() {
    const std::optional<Document> size = cluster_size();
    std::int64_t sum = 0;
    for (const Document& job : jobs_) sum += std::clamp<std::int64_t>(gpus_of(job).value_or(0), 0, 1U << 24);
    if (size && size->integer() && sum > *size->integer())
      found_.push_back(refusal("RY-JOB-009", size->where(),
                               fmt::format("the jobs have {} GPUs together, and the cluster has {}", sum, *size->integer()),
                               "make the cluster larger, or a job smaller"));
  }

  void check_job(const Document& job) {
    for (const Document::Member& member : *job.members()) {
      const bool is_section = member.value.members() && std::any_of(scenario_sections().begin(), scenario_sections().end(),
                                                                    [&](const Section& s) { return s.path == member.key; });
      if (is_section && !is_in(kOfJobs, member.key))
        found_.push_back(refusal("RY-JOB-005", member.where, fmt::format("a job has no [{}] of its own", member.key),
                                 is_in(kWorkload, member.key)
                                     ? "jobs are training steps, serving, collectives and traffic; run this one alone"
                                     : fmt::format("write [{}]: it holds for all jobs", member.key)));
    }
    if (const Document* const of = job.find("of"); of && of->text()) check_of(job, *of);
    if (const Document* const collective = job.find("collective"); collective && collective->members())
      check_collective(job, *collective);
  }

  /// It is played message by message, one size.
  void check_collective(const Document& job, const Document& collective) {
    const auto refuse = [&](const Document& at, std::string what, std::string hint) {
      found_.push_back(refusal("RY-JOB-012", at.where(), std::move(what), std::move(hint)));
    };
    const Document* const library = collective.find("library");
    if (library && library->text() && *library->text() != "none")
      refuse(*library, "beside other jobs a collective is played message by message, and not by a library's closed form",
             "remove library, and name an algorithm");
    const Document* const sizes = collective.find("sizes");
    if (sizes && sizes->items() && sizes->items()->size() != 1)
      refuse(*sizes, fmt::format("the collective of a job has one size, and not {}", sizes->items()->size()),
             "give each size a job of its own, or run it alone");
    for (const char* other : {"model", "traffic"})
      if (const Document* const second = job.find(other))
        refuse(*second, fmt::format("[job.collective] and [job.{}] cannot be combined", other), "keep one of them");
  }

  void check_of(const Document& job, const Document& of) {
    const Document* const whose = find(*of.text());
    const auto refuse = [&](std::string what, std::string hint) {
      found_.push_back(refusal("RY-JOB-004", of.where(), std::move(what), std::move(hint)));
    };
    if (!whose)
      refuse(fmt::format("there is no job '{}'", *of.text()), "the jobs are " + names());
    else if (whose->find("of"))
      refuse(fmt::format("job '{}' has its hosts of another job", *of.text()), "name the one that has GPUs of its own");
    else if (!job.find("traffic"))
      refuse("a job that trains, or has a collective, has GPUs of its own", "remove of, or give it [job.traffic] instead");
  }

  /// The job as a scenario on the whole fabric.
  [[nodiscard]] Document document_of(const Document& job) const {
    Document out(Document::Object{}, cluster_.where()), own(Document::Object{}, job.where());
    const bool sends = job.find("traffic") || job.find("collective");  // whatever all others train
    const bool serves = job.find("serving") != nullptr, own_transport = job.find("transport") != nullptr;
    for (const Document::Member& member : *cluster_.members())
      if (!(own_transport && (member.key == "transport" || member.key == "qos")) && member.key != "frontend" &&
          (!sends || !is_in(kWorkload, member.key)) && !(serves && (member.key == "training" || member.key == "parallel")) &&
          (!is_in_front(job) || is_in(kForBoth, member.key)))
        out.set(member.key, member.value, member.where);
    if (is_in_front(job)) out = with_front_end(std::move(out));
    for (const Document::Member& member : *job.members())
      if (is_in(kOfJobs, member.key))
        out = overlay(std::move(out), [&] {
          Document one(Document::Object{}, member.where);
          return one.set(member.key, member.value, member.where), one;
        }());
      else
        own.set(member.key, member.value, member.where);
    if (const auto size = cluster_size()) out = overlay(std::move(out), one_key("fabric", "gpus", *size));
    out = with_gpus(std::move(out), job);
    if (job.find("collective")) out = overlay(std::move(out), one_key("collective", "library", Document(std::string("none"))));
    if (!out.at_path("engine.fidelity"))
      out = overlay(std::move(out), one_key("engine", "fidelity", Document(std::string("flow"))));
    out.set("name", *job.find("name"), job.find("name")->where());
    out.set("job", std::move(own), job.where());
    return out;
  }

  /// Servers have one NIC in the second network, if nothing else is said.
  [[nodiscard]] Document with_front_end(Document out) const {
    out = overlay(std::move(out), one_key("cluster", "nics_per_node", Document(std::int64_t{1})));
    return overlay(std::move(out), *cluster_.find("frontend"));
  }

  /// Ranks are the job's GPUs, after those of the job whose hosts it has.
  [[nodiscard]] Document with_gpus(Document out, const Document& job) const {
    const std::optional<std::int64_t> own = gpus_of(job);
    const Document* whose = nullptr;
    for (const Document& other : jobs_)
      if (job.find("of") && text_of(other, "name") == text_of(job, "of")) whose = &other;
    const SourceSpan where = own ? job.find("gpus")->where() : job.where();
    if (!whose) return own ? overlay(std::move(out), one_key("cluster", "gpus", Document(*own, where))) : std::move(out);
    const std::int64_t hosts = gpus_of(*whose).value_or(0);
    out = overlay(std::move(out), one_key("cluster", "gpus", Document(hosts + own.value_or(0), where)));
    out = overlay(std::move(out), one_key("traffic", "hosts", Document(hosts, where)));
    if (!out.at_path("traffic.storage") || !own) return out;
    Document storage = *out.at_path("traffic.storage");
    storage.set("servers", Document(*own, where), where);
    return overlay(std::move(out), one_key("traffic", "storage", std::move(storage)));
  }

  const std::filesystem::path path_;
  Document cluster_;
  std::vector<Document> jobs_;
  Diagnostics found_;
};

}  // namespace

bool has_jobs(const Document& document) {
  const Document* const jobs = document.find("job");
  return jobs && jobs->items();
}

Result<ClusterJobs> read_jobs(const Document& document, const std::filesystem::path& path, const Catalog& catalog,
                              std::span<const std::string> overrides, const ReadFile& read) {
  JobReader reader(document, path);
  reader.apply(overrides);
  return reader.read(catalog, read);
}

Result<Loaded> load_scenario_or_jobs(const std::string& name_or_path, const Catalog& catalog,
                                     std::span<const std::string> overrides, const ScenarioText* text) {
  const ReadFile read = reader_for(name_or_path);
  return load_scenario_or_jobs(std::filesystem::path(scenario_path(name_or_path)), catalog, overrides,
                               text ? text->reader(read) : read);
}

Result<Loaded> load_scenario_or_jobs(const std::filesystem::path& path, const Catalog& catalog,
                                     std::span<const std::string> overrides, const ReadFile& read) {
  Diagnostics found;
  Result<Document> document = load_document(path, read, found);
  if (!document) return document.error();
  if (has_jobs(*document)) {
    Result<ClusterJobs> jobs = read_jobs(*document, path, catalog, overrides, read);
    if (!jobs) return jobs.error();
    return Loaded{{}, std::move(*jobs)};
  }
  Result<Scenario> scenario = load_scenario(std::move(*document), path, catalog, overrides, read, {}, std::move(found));
  if (!scenario) return scenario.error();
  return Loaded{std::move(*scenario), {}};
}

}  // namespace railyard
