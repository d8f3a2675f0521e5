// Every key of the table, at every fidelity, over every transport, under every workload: who changes nothing says so, and who
// says so changes nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "analysis/results.h"
#include "base/json.h"
#include "base/parallel.h"
#include "effects/cases.h"
#include "report/results_report.h"
#include "scenario/keys.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard::effects {
namespace {

using Settings = std::vector<std::string>;

/// What a run says, without what only repeats its input.
struct Outcome {
  std::string refusal;  // empty: it ran
  std::string fingerprint, results;
  std::set<std::string> idle, without_effect;  // keys that RY-RUN-021 and RY-RUN-020 name
};

Document without_echoes(const Document& document) {
  static const std::set<std::string, std::less<>> kEchoes = {"name",     "wall_s",  "inputs", "diagnostics", "quantum_s",
                                                             "priority", "carries", "paths",  "memory_bytes"};
  if (const auto* items = document.items()) {
    Document out = Document::array();
    for (const Document& item : *items) out.push(without_echoes(item));
    return out;
  }
  if (!document.members()) return document;
  Document out = Document::object();
  for (const Document::Member& member : *document.members())
    if (!kEchoes.contains(member.key) || (member.key == "name" && member.value.members()))
      out.set(member.key, without_echoes(member.value));
  return out;
}

void hear_warnings(const Diagnostics& diagnostics, Outcome& outcome) {
  for (const Diagnostic& d : diagnostics) {
    if (d.code == "RY-RUN-020") outcome.without_effect.insert(d.message.substr(0, d.message.find(" has no effect")));
    if (d.code != "RY-RUN-021") continue;
    std::size_t at = d.message.find(": ") + 2;
    while (at < d.message.size()) {
      const std::size_t end = std::min(d.message.find_first_of(", ", at), d.message.size());
      if (end > at) outcome.idle.insert(d.message.substr(at, end - at));
      at = end + 1;
    }
  }
}

Outcome play(std::string_view workload, const Settings& settings) {
  Outcome outcome;
  const auto read = [&](const std::filesystem::path& path) -> Result<std::string> {
    return path == "base.toml" ? base_of(workload) : file_named(path.string());
  };
  const Result<Scenario> scenario = load_scenario("base.toml", builtin_catalog(), settings, read);
  Progress progress;
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(scenario.error());
  if (!run) {
    outcome.refusal = to_text(run.error().front());
    return outcome;
  }
  outcome.fingerprint = run->fingerprint;
  outcome.results = write_compact_json(without_echoes(results_document(analyse(*scenario, *run), 0)));
  hear_warnings(run->diagnostics, outcome);
  return outcome;
}

struct KeyCase {
  std::string path;
  const KeyInfo* key;
  const Case* at;
  const char* transport;
};

struct Verdict {
  std::size_t runs = 0, refused = 0, warned = 0, changed = 0;
  std::vector<std::string> silent;  // runs that changed nothing and said nothing
  std::vector<std::string> wrong;   // runs that changed something and said that they would not
  std::set<std::string> shows, quiet, warns;
};

Settings settings_of(const Case& at, const char* transport, const Variant* variant) {
  Settings all = {std::string("engine.fidelity=") + at.fidelity, std::string("transport.kind=") + transport};
  if (variant) all.insert(all.end(), variant->set.begin(), variant->set.end());
  return all;
}

/// Scenarios without the key, played once.
class Bases {
 public:
  /// Without `key` where the scenario has it and can do without; else as it is.
  const Outcome& of(const Case& at, const char* transport, const Variant* variant, const std::string& key) {
    Settings without = settings_of(at, transport, variant);
    without.push_back(key + "=");
    const Outcome& bare = played(at, transport, variant, without, key);
    return bare.refusal.empty() ? bare : played(at, transport, variant, settings_of(at, transport, variant), "");
  }

 private:
  const Outcome& played(const Case& at, const char* transport, const Variant* variant, const Settings& settings,
                        const std::string& key) {
    const std::string name = std::string(at.workload) + at.fidelity + transport + (variant ? variant->name : "") + key;
    const std::lock_guard lock(mutex_);
    auto [found, fresh] = outcomes_.try_emplace(name);
    if (fresh) found->second = play(at.workload, settings);
    return found->second;
  }

  std::mutex mutex_;
  std::map<std::string, Outcome> outcomes_;
};

void judge(const KeyCase& k, const Variant* variant, Bases& bases, Verdict& verdict) {
  const Outcome& base = bases.of(*k.at, k.transport, variant, k.path);
  if (!base.refusal.empty()) return;
  const std::string where = variant ? variant->name : "base";
  for (const std::string& value : values_of(k.path, *k.key)) {
    Settings settings = settings_of(*k.at, k.transport, variant);
    settings.push_back(k.path + "=" + value);
    const Outcome outcome = play(k.at->workload, settings);
    verdict.runs++;
    if (!outcome.refusal.empty()) {
      verdict.refused++;
      continue;
    }
    const std::string section = k.path.substr(0, std::max(k.path.rfind('.'), std::size_t{0}));
    const bool idle = outcome.idle.contains(k.path) || outcome.idle.contains(section);
    const bool warned = idle || outcome.without_effect.contains(k.path) || outcome.without_effect.contains(section);
    const bool changed = idle ? outcome.fingerprint != base.fingerprint : outcome.results != base.results;
    verdict.warned += warned ? 1 : 0;
    verdict.changed += changed ? 1 : 0;
    const std::string what = where + ", " + value;
    if (changed && warned) verdict.wrong.push_back(what);
    if (!changed && !warned) verdict.silent.push_back(what);
    if (changed) verdict.shows.insert(where);
    if (warned) verdict.warns.insert(where);
    if (!changed && !warned) verdict.quiet.insert(where);
  }
}

std::vector<KeyCase> all_cases() {
  std::vector<KeyCase> all;
  for (const Section& section : scenario_sections())
    for (const KeyInfo& key : section.keys) {
      const std::string path = section.path.empty() ? key.name : section.path + "." + key.name;
      for (const Case& at : cases())
        for (const char* transport : transports()) all.push_back({path, &key, &at, transport});
    }
  return all;
}

std::string line(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

TEST(KeyEffects, bases) {
  if (!std::getenv("EFFECTS_BASES")) GTEST_SKIP();
  for (const Case& at : cases())
    for (const char* transport : transports()) {
      const auto look = [&](const Variant* v) {
        const auto start = std::chrono::steady_clock::now();
        const Outcome o = play(at.workload, settings_of(at, transport, v));
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        std::cout << at.workload << ' ' << at.fidelity << ' ' << transport << ' ' << (v ? v->name : "base") << ' '
                  << wall.count() * 1e3 << " ms " << o.refusal << '\n';
      };
      look(nullptr);
      for (const Variant& v : variants_of(at.workload)) look(&v);
    }
}

TEST(KeyEffects, explore) {
  const char* to = std::getenv("EFFECTS_EXPLORE");
  if (!to) GTEST_SKIP();
  const char* only = std::getenv("EFFECTS_KEY");
  const bool full = std::getenv("EFFECTS_FULL");
  const char* over = std::getenv("EFFECTS_TRANSPORT");
  std::vector<KeyCase> all;
  for (const KeyCase& k : all_cases())
    if (over && std::string_view(over) != k.transport)
      continue;
    else if (!only || k.path.find(only) != std::string::npos)
      all.push_back(k);
  std::vector<Verdict> verdicts(all.size());
  Bases bases;
  for_each_index(all.size(), 0, [&](std::size_t i) {
    judge(all[i], nullptr, bases, verdicts[i]);
    for (const Variant& variant : variants_of(all[i].at->workload))
      if (verdicts[i].changed == 0 || full) judge(all[i], &variant, bases, verdicts[i]);
  });
  std::ofstream out(to);
  for (std::size_t i = 0; i < all.size(); i++) {
    const Verdict& v = verdicts[i];
    out << all[i].path << '\t' << all[i].at->workload << '\t' << all[i].at->fidelity << '\t' << all[i].transport << '\t'
        << v.runs << '\t' << v.refused << '\t' << v.warned << '\t' << v.changed << '\t' << line(v.shows) << '\t'
        << line(v.quiet) << '\t' << line(v.warns) << '\t';
    for (const std::string& w : v.wrong) out << w << "; ";
    out << '\n';
  }
}

}  // namespace
}  // namespace railyard::effects
