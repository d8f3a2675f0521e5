// Every key of the table, at every fidelity, over every transport, under every workload: who changes nothing says so, and who
// says so changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <set>

#include "analysis/results.h"
#include "base/json.h"
#include "base/parallel.h"
#include "effects/cases.h"
#include "report/results_report.h"
#include "scenario/load.h"
#include "scenario/read/keys.h"
#include "sim/simulate.h"

namespace railyard::effects {
namespace {

using Settings = std::vector<std::string>;

/// What a run says, without what only repeats its input, what it cost, and what was told of the workload on paper.
struct Outcome {
  std::string refusal;  // empty: it ran
  std::string fingerprint, results;
  std::set<std::string> idle, without_effect;  // keys that RY-RUN-021 and RY-RUN-020 name
};

Document without_echoes(const Document& document) {
  static const std::set<std::string, std::less<>> kEchoes = {"name",     "wall_s",  "inputs",   "diagnostics", "quantum_s",
                                                             "priority", "carries", "patterns", "memory_bytes"};
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
  std::string silent;  // a run that changed nothing and said nothing
  std::string wrong;   // a run that changed something and said that it would not
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
  Outcome of(const KeyCase& k, const Variant* variant) {
    Settings settings = settings_of(*k.at, k.transport, variant);
    Outcome whole = played(k, variant, settings);
    settings.push_back(k.path + "=");
    Outcome bare = play(k.at->workload, settings);
    return bare.refusal.empty() ? bare : whole;
  }

 private:
  Outcome played(const KeyCase& k, const Variant* variant, const Settings& settings) {
    const std::string name = std::string(k.at->workload) + k.at->fidelity + k.transport + (variant ? variant->name : "");
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = outcomes_.find(name); found != outcomes_.end()) return found->second;
    }
    Outcome outcome = play(k.at->workload, settings);
    const std::lock_guard lock(mutex_);
    return outcomes_.try_emplace(name, std::move(outcome)).first->second;
  }

  std::mutex mutex_;
  std::map<std::string, Outcome> outcomes_;
};

bool names(const std::set<std::string>& keys, const std::string& path) {
  return keys.contains(path) || keys.contains(path.substr(0, path.find('.')));
}

/// Gives the key one value after the other until one changes the outcome.
void judge(const KeyCase& k, const Variant* variant, Bases& bases, Verdict& verdict) {
  const Outcome base = bases.of(k, variant);
  if (!base.refusal.empty()) return;
  for (const std::string& value : values_of(k.path, *k.key)) {
    Settings settings = settings_of(*k.at, k.transport, variant);
    settings.push_back(k.path + "=" + value);
    const Outcome outcome = play(k.at->workload, settings);
    verdict.runs++;
    if (!outcome.refusal.empty()) {
      verdict.refused++;
      continue;
    }
    const bool idle = names(outcome.idle, k.path), warned = idle || names(outcome.without_effect, k.path);
    const bool changed = idle ? outcome.fingerprint != base.fingerprint : outcome.results != base.results;
    verdict.warned += warned ? 1 : 0;
    verdict.changed += changed ? 1 : 0;
    const std::string what = k.path + " = " + value + " (" + k.at->workload + ", " + k.at->fidelity + ", " + k.transport +
                             ", " + (variant ? variant->name : "base") + ")";
    if (changed && warned) verdict.wrong = what;
    if (!changed && !warned && verdict.silent.empty()) verdict.silent = what;
    if (changed && !warned) return;
  }
}

Verdict judge(const KeyCase& k, Bases& bases) {
  Verdict verdict;
  judge(k, nullptr, bases, verdict);
  const std::vector<std::string> shown = shown_in(k.path);
  for (const Variant& variant : variants_of(k.at->workload))
    if (verdict.changed == 0 && std::find(shown.begin(), shown.end(), variant.name) != shown.end())
      judge(k, &variant, bases, verdict);
  return verdict;
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

/// What queues do to packets needs more of them than a slice or a ring has: it is enough that traffic shows it.
bool is_shown_by_traffic(const std::vector<KeyCase>& all, const std::vector<Verdict>& verdicts, std::size_t i) {
  if (std::string_view(all[i].at->fidelity) != "packet") return false;
  for (std::size_t other = 0; other < all.size(); other++)
    if (all[other].path == all[i].path && all[other].transport == all[i].transport && verdicts[other].changed > 0 &&
        std::string_view(all[other].at->workload) == "traffic" && std::string_view(all[other].at->fidelity) == "packet")
      return true;
  return false;
}

TEST(KeyEffects, who_changes_nothing_says_so_and_nobody_else_does) {
  const std::vector<KeyCase> all = all_cases();
  std::vector<Verdict> verdicts(all.size());
  Bases bases;
  for_each_index(all.size(), 0, [&](std::size_t i) { verdicts[i] = judge(all[i], bases); });
  std::size_t runs = 0, refused = 0, changes = 0, warned = 0, excuses = 0, nowhere = 0;
  for (std::size_t i = 0; i < all.size(); i++) {
    const Verdict& v = verdicts[i];
    runs += v.runs;
    refused += v.refused;
    EXPECT_EQ(v.wrong, "") << "changes the result, and is warned about";
    if (v.runs == v.refused) {
      nowhere++;
    } else if (v.changed > 0) {
      changes++;
    } else if (v.silent.empty()) {
      warned++;
    } else {
      excuses++;
      if (is_shown_by_traffic(all, verdicts, i)) continue;
      EXPECT_FALSE(excused(all[i].path, *all[i].at, all[i].transport).empty())
          << v.silent << " changes nothing, and nobody says so";
    }
  }
  std::cout << all.size() << " keys at places: " << changes << " have an effect, " << warned << " are warned about, " << nowhere
            << " are refused, " << excuses << " are excused; " << runs << " runs, " << refused << " of them refused\n";
}

}  // namespace
}  // namespace railyard::effects
