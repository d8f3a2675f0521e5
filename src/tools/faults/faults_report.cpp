#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "tools/faults/faults.h"

namespace railyard {

namespace {

std::string time_text(double seconds_) { return format(from_seconds(seconds_)); }

std::string percent_text(double share) {
  const double percent = share * 100;
  if (percent > -0.05 && percent < 0.05) return "0 %";
  return fmt::format("{:+.1f} %", percent);
}

std::string with_article(const std::string& what) {
  const bool vowel = what.find_first_of("aeiou") == 0;
  return (vowel ? "an " : "a ") + what;
}

std::vector<const FaultCase*> cases_of(const Faults& faults, FaultTable table) {
  std::vector<const FaultCase*> some;
  for (const FaultCase& fault : faults.cases)
    if (fault.table == table) some.push_back(&fault);
  return some;
}

/// Those that stop the job first, then by what they cost.
std::vector<const FaultCase*> worst_first(std::vector<const FaultCase*> cases) {
  std::stable_sort(cases.begin(), cases.end(), [](const FaultCase* a, const FaultCase* b) {
    if (a->cut_off.empty() != b->cut_off.empty()) return !a->cut_off.empty();
    return a->draws.most > b->draws.most;
  });
  return cases;
}

std::string joined_names(const std::vector<const FaultCase*>& cases) {
  std::string text;
  for (std::size_t i = 0; i < cases.size(); i++)
    text += (i == 0 ? "" : i + 1 == cases.size() ? " or " : ", ") + with_article(cases[i]->what);
  return text;
}

/// "stage 3" or "rank 17"; nobody where all lose as little.
std::string worst_text(const std::optional<WorstRank>& worst) {
  if (!worst) return "–";
  return worst->stage ? fmt::format("stage {}", *worst->stage) : fmt::format("rank {}", worst->rank);
}

std::string isolated_text(std::uint32_t ranks) { return ranks == 0 ? "–" : fmt::format("{} cut off", format_count(ranks)); }

struct TableForm {
  std::string title;
  bool tells_count = true, by_example = false;
  bool tells_packets = false;  // lost, and queue pairs that gave up
};

TextTable table_of(const Faults& faults, const std::vector<const FaultCase*>& cases, const TableForm& form) {
  TextTable table{{form.title}, {Align::left}, {}};
  const auto column = [&](const char* name) {
    table.header.emplace_back(name);
    table.align.push_back(Align::right);
  };
  if (form.tells_count) column("how many");
  for (const char* name : {"lost", "time", "slower", "worst", "p99", "hit most"}) column(name);
  if (form.tells_packets)
    for (const char* name : {"packets lost", "queue pairs broken"}) column(name);
  const auto row = [&](const std::string& what, std::uint32_t count, const std::vector<std::string>& figures) {
    std::vector<std::string>& added = table.rows.emplace_back();
    added.push_back(what);
    if (form.tells_count) added.push_back(count > 0 ? format_count(count) : "–");
    added.insert(added.end(), figures.begin(), figures.end());
    added.resize(table.header.size(), "–");
  };
  const auto p99 = [](double time) { return time > 0 ? time_text(time) : "–"; };
  for (const FaultCase* fault : cases) {
    const std::string lost = fault->lost > 0 ? fmt::format("{:.1f} %", fault->lost * 100) : "–";
    const std::string& what = form.by_example ? fault->example : fault->what;
    if (fault->cut_off.empty())
      row(what, fault->count,
          {lost, time_text(fault->mean_s), percent_text(fault->slowdown), time_text(fault->draws.most), p99(fault->p99_s),
           worst_text(fault->worst)});
    else
      row(what, fault->count, {lost, "stops", "–", "–", "–", isolated_text(fault->isolated)});
    if (!form.tells_packets) continue;
    std::vector<std::string>& added = table.rows.back();
    added[added.size() - 2] = format_count(fault->lost_packets);
    added[added.size() - 1] = fault->broken > 0 ? format_count(fault->broken) : "–";
  }
  row("none", 0, {"–", time_text(faults.whole_s), "–", time_text(faults.whole_draws.most), p99(faults.whole_p99_s), "–"});
  return table;
}

/// The worst pairs; the rest cost less.
constexpr std::size_t kMostPairs = 10;

std::string rest_text(std::size_t left_out) {
  return fmt::format(
      "{} more pairs cost no more than the last of these; --json has them all. Pairs with an element whose loss "
      "alone stops the job are left out.",
      left_out);
}

/// Elements whose loss costs otherwise than one would think.
struct Surprises {
  std::vector<const FaultCase*> unsteady, dear;
};

Surprises surprises(const Faults& faults) {
  Surprises found;
  for (const FaultCase* fault : cases_of(faults, FaultTable::one)) {
    if (!fault->cut_off.empty()) continue;
    if (!fault->is_steady) found.unsteady.push_back(fault);
    if (!fault->is_proportionate) found.dear.push_back(fault);
  }
  return found;
}

/// GPUs that compute longer, and jobs that go on with fewer GPUs or other ones.
TextTable hosts_table(const Faults& faults, const std::vector<const FaultCase*>& cases) {
  TextTable table{{"what"}, {Align::left}, {}};
  for (const char* name : {"GPUs", "batch", "time", "slower", "worst"}) {
    table.header.emplace_back(name);
    table.align.push_back(Align::right);
  }
  const auto batch = [](std::uint32_t sequences) { return sequences > 0 ? format_count(sequences) : "–"; };
  for (const FaultCase* fault : cases) {
    if (fault->cut_off.empty())
      table.rows.push_back({fault->what, format_count(fault->gpus), batch(fault->batch), time_text(fault->mean_s),
                            percent_text(fault->slowdown), time_text(fault->draws.most)});
    else
      table.rows.push_back({fault->what, "–", "–", "cannot be", "–", "–"});
  }
  table.rows.push_back({"none", format_count(faults.ranks), batch(faults.batch), time_text(faults.whole_s), "–",
                        time_text(faults.whole_draws.most)});
  return table;
}

/// Which of them were tried.
std::string sampling_text(const Faults& faults) {
  std::size_t most = 0;
  for (const ElementClass& c : faults.classes) most = std::max(most, c.members.size());
  return fmt::format(
      "Time: the mean over {} of each kind at most (the first, its neighbour, one from the middle, the last){}.", most,
      faults.seeds.size() > 1 ? fmt::format(", each with {} seeds of the hash", faults.seeds.size()) : std::string());
}

/// What the columns are.
std::string legend_text(const Faults& faults) {
  std::string text = fmt::format(
      " Worst: of all of them. Slower: for the same work; a batch that is smaller or larger is counted. Lost: the share of a "
      "tier's capacity that goes with the element, for those it serves. P99: of {}, in the worst case. Hit most: who {}, in "
      "that case{}.",
      faults.by_packets ? "messages" : "the collectives over the network",
      faults.by_packets ? "has all that is sent to it later than on the whole fabric by most"
                        : "waits longer than on the whole fabric by most",
      faults.by_packets ? "" : "; ranks of a stage move as one");
  if (faults.over_flows) text += " The scenario is timed in closed form; here it is played over flows (engine.fidelity).";
  if (faults.by_packets)
    text +=
        " Packet by packet: what is down from the beginning has been routed around; what goes down later loses packets until "
        "switches have noticed (routing.local_repair, routing.convergence), and a queue pair that hears nothing for too long "
        "breaks (transport.retries).";
  return text;
}

}  // namespace

std::string answer_text(const Faults& faults) {
  std::vector<const FaultCase*> stops, slows;
  for (const FaultCase* fault : worst_first(cases_of(faults, FaultTable::one)))
    (fault->cut_off.empty() ? slows : stops).push_back(fault);
  std::string text;
  if (!stops.empty()) text = fmt::format("Losing {} stops the job: GPUs are cut off. ", joined_names(stops));
  if (slows.empty()) return text + "Nothing else can fail.";
  const FaultCase& worst = *slows.front();
  if (worst.draws.most <= faults.whole_draws.most * 1.001)
    return text + (stops.empty() ? "Losing any one element costs nothing." : "Losing anything else costs nothing.");
  text += fmt::format("{}losing {} costs most: {} instead of {} ({}), at worst {}.",
                      stops.empty() ? "The job survives the loss of any one element; " : "Of what it survives, ",
                      with_article(worst.what), time_text(worst.mean_s), time_text(faults.whole_s),
                      percent_text(worst.slowdown), time_text(worst.draws.most));
  return text;
}

double spread_of(const DrawnTimes& draws, double whole) { return (draws.most - draws.least) / whole; }

/// How far apart the times of alike elements are, beside what the hash alone does.
std::string spread_text(const Faults& faults) {
  double most = 0;
  for (const FaultCase* fault : cases_of(faults, FaultTable::one))
    if (fault->cut_off.empty()) most = std::max(most, spread_of(fault->draws, faults.whole_s));
  if (faults.seeds.size() <= 1)
    return fmt::format("which of alike elements fails changes the time by {:.1f} % at most", most * 100);
  return fmt::format(
      "which of alike elements fails and how flows are hashed change the time by {:.1f} % at most ({:.1f} % where nothing has "
      "failed)",
      most * 100, spread_of(faults.whole_draws, faults.whole_s) * 100);
}

std::string manner_text(const Faults& faults) {
  const auto [unsteady, dear] = surprises(faults);
  if (unsteady.empty() && dear.empty())
    return fmt::format(
        "The fabric degrades predictably: {}, and none costs more on average than the capacity that goes with it.",
        spread_text(faults));
  std::string text = "The fabric degrades unpredictably:";
  if (!unsteady.empty())
    text +=
        fmt::format(" what it costs to lose {} depends on which one it is{}", joined_names(unsteady), dear.empty() ? "." : ";");
  if (!dear.empty()) text += fmt::format(" losing {} costs more than the capacity that goes with it.", joined_names(dear));
  return text;
}

bool degrades_predictably(const Faults& faults) {
  const auto [unsteady, dear] = surprises(faults);
  return unsteady.empty() && dear.empty();
}

Report faults_report(const Faults& faults) {
  Report report{"What failures cost: " + faults.name, {}};
  report.sections.push_back({"", {answer_text(faults), manner_text(faults)}});
  const auto one = worst_first(cases_of(faults, FaultTable::one));
  report.sections.push_back({"One element down", {table_of(faults, one, {"element"})}});
  for (const FaultCase* fault : one)
    if (!fault->cut_off.empty())
      report.sections.back().blocks.push_back(fmt::format("{}: {}.", fault->example, fault->cut_off));
  if (const auto slow = worst_first(cases_of(faults, FaultTable::slow)); !slow.empty())
    report.sections.push_back({"One link at half its rate", {table_of(faults, slow, {"element"})}});
  if (const auto sudden = worst_first(cases_of(faults, FaultTable::sudden)); !sudden.empty()) {
    report.sections.push_back({fmt::format("One element down from {} on", time_text(faults.sudden_s)),
                               {table_of(faults, sudden, {.title = "element", .tells_packets = true})}});
    for (const FaultCase* fault : sudden)
      if (!fault->cut_off.empty())
        report.sections.back().blocks.push_back(fmt::format("{}: {}.", fault->example, fault->cut_off));
  }
  if (const auto hosts = cases_of(faults, FaultTable::host); !hosts.empty()) {
    report.sections.push_back({"A GPU slow, a server lost", {hosts_table(faults, hosts)}});
    for (const FaultCase* fault : hosts)
      if (!fault->cut_off.empty()) report.sections.back().blocks.push_back(fmt::format("{}: {}.", fault->what, fault->cut_off));
  }
  if (auto two = worst_first(cases_of(faults, FaultTable::two)); !two.empty()) {
    const std::size_t left_out = two.size() - std::min(two.size(), kMostPairs);
    two.resize(two.size() - left_out);
    report.sections.push_back({"Two at once", {table_of(faults, two, {"elements", false, true})}});
    if (left_out > 0) report.sections.back().blocks.push_back(rest_text(left_out));
  }
  if (const auto upgrade = cases_of(faults, FaultTable::upgrade); !upgrade.empty())
    report.sections.push_back({"A tier upgraded in turns", {table_of(faults, upgrade, {"at once", false})}});
  report.sections.push_back({"", {sampling_text(faults) + legend_text(faults)}});
  return report;
}

}  // namespace railyard
