#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "tools/cost/cost.h"

namespace railyard {

namespace {

std::string share_text(double share) {
  if (share <= 0) return "0 %";
  if (share < 5e-5) return "< 0.01 %";
  return fmt::format("{:.{}f} %", share * 100, share < 0.01 ? 2 : 1);
}

std::string draw_text(double watts) {
  if (watts >= 1e6) return fmt::format("{:.2f} MW", watts / 1e6);
  return watts >= 1e4 ? fmt::format("{:.1f} kW", watts / 1e3) : fmt::format("{:.0f} W", watts);
}
std::string draw_text(const Sum& sum) { return (sum.complete ? "" : "at least ") + draw_text(sum.value); }

std::string counted_parts(const CostAnswer& a) {
  std::uint64_t switches = 0, links = 0;
  for (const CostLine& line : a.cluster.lines) {
    if (line.kind == CostKind::network_switch) switches += line.count;
    if (line.kind == CostKind::fibre || line.kind == CostKind::cable) links += line.count;
  }
  return fmt::format("{} switch{} and {} cables", format_count(switches), switches == 1 ? "" : "es", format_count(links));
}

std::string network_sentence(const CostAnswer& a) {
  const ClusterCost& c = a.cluster;
  const bool apart = std::any_of(c.lines.begin(), c.lines.end(), [](const CostLine& line) {
    return line.kind == CostKind::nic && !line.in_server && line.price;
  });
  std::string text =
      fmt::format("The network of {} GPUs costs {}, {} a GPU: {}{}.", format_count(c.gpus), dollars_text(c.network_usd),
                  dollars_text(c.per_gpu(c.network_usd)), counted_parts(a), apart ? ", and NICs" : "");
  return text + fmt::format(" It draws {}, {:.1f} W a GPU.", draw_text(c.network_watts), c.per_gpu(c.network_watts));
}

/// "$19.3M", for tables.
std::string short_dollars(double usd) {
  const auto in = [&](double unit, char letter) { return fmt::format("${:.3g}{}", usd / unit, letter); };
  return usd >= 999.5e6   ? in(1e9, 'B')
         : usd >= 999.5e3 ? in(1e6, 'M')
         : usd >= 9999.5  ? in(1e3, 'k')
                          : fmt::format("${:.0f}", usd);
}

/// Of what is derived from what an hour costs.
std::string per_hour_text(const CostAnswer& a, double usd) { return dollars_text(Sum{usd, a.running.per_hour().complete}); }

std::string cluster_sentence(const CostAnswer& a) {
  const ClusterCost& c = a.cluster;
  const Sum hour = a.running.per_hour();
  const CostLine& server = c.lines.front();
  if (!server.price)
    return fmt::format(
        "What its servers cost is not known; give {}. The network and electricity alone are {} an hour over {:g} years: the "
        "cluster draws {}, {:.0f} W a GPU, and {} MWh a year.",
        server.key, dollars_text(hour), a.plan.years, draw_text(c.all_watts), c.per_gpu(c.all_watts),
        format_count(static_cast<std::uint64_t>(std::llround(a.running.mwh_per_year))));
  return fmt::format(
      "With servers it is {}, {} a GPU, and {}, {:.0f} W a GPU. Over {:g} years that is {} an hour, of which electricity is {} "
      "({} MWh a year).",
      dollars_text(c.all_usd), dollars_text(c.per_gpu(c.all_usd)), draw_text(c.all_watts), c.per_gpu(c.all_watts), a.plan.years,
      dollars_text(hour), dollars_text(a.running.energy_per_hour.value),
      format_count(static_cast<std::uint64_t>(std::llround(a.running.mwh_per_year))));
}

std::string token_sentence(const CostAnswer& a) {
  const CostedStep& step = *a.step;
  std::string text = fmt::format(
      "A million tokens cost {} ({:.4g} million a second, {:.0f} % of the time). Waiting for the network is {} of the step, {} "
      "a "
      "year",
      dollars_text(*a.million_tokens), step.tokens_per_s / 1e6, a.plan.utilisation * 100, share_text(step.network_share()),
      per_hour_text(a, a.per_year(step.network_share())));
  return text + fmt::format("; waiting inside scale-up domains is {}, {}.", share_text(step.scale_up_share()),
                            per_hour_text(a, a.per_year(step.scale_up_share())));
}

bool has_servers(const CostAnswer& a) { return !a.cluster.lines.empty() && a.cluster.lines.front().kind == CostKind::server; }

std::string status_of(const CostLine& line) {
  if (line.in_server) return "in server";
  if (!line.price) return "no price";
  const std::string status(name_of(line.price->origin.status));
  return line.price->date.empty() ? status : status + " " + line.price->date;
}

TextTable parts_table(const CostAnswer& a) {
  TextTable table{{"part", "where", "count", "each", "in all", "draw", "price is"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::left},
                  {}};
  for (const CostLine& line : a.cluster.lines) {
    const bool known = line.usd() && !line.in_server;
    const std::string part = line.part.empty() ? std::string(name_of(line.kind)) : line.part;
    table.rows.push_back({part, line.where, format_count(line.count), known ? short_dollars(line.price->usd) : "–",
                          known ? short_dollars(*line.usd()) : "–",
                          line.in_server || line.kind == CostKind::fibre ? "–"
                          : line.all_watts()                             ? draw_text(*line.all_watts())
                                                                         : "?",
                          status_of(line)});
  }
  return table;
}

TextTable sources_table(const CostAnswer& a) {
  TextTable table{{"figure", "status", "source"}, {}, {}};
  std::vector<std::string> seen;
  const auto add = [&](const std::string& figure, const Origin& origin) {
    if (std::find(seen.begin(), seen.end(), figure) != seen.end()) return;
    seen.push_back(figure);
    table.rows.push_back({figure, std::string(name_of(origin.status)), origin.source});
  };
  for (const CostLine& line : a.cluster.lines)
    if (line.price && !line.in_server) add(fmt::format("{} {}", line.part, dollars_text(line.price->usd)), line.price->origin);
  for (const CostLine& line : a.cluster.lines)
    if (line.watts && !line.in_server && line.kind != CostKind::fibre && line.kind != CostKind::nic)
      add(fmt::format("{} {}", line.part, draw_text(*line.watts)), line.watts_origin);
  for (const Input& input : a.assumptions) add(fmt::format("{} = {}", input.key, input.value), input.origin);
  return table;
}

TextTable links_table(const CostAnswer& a) {
  TextTable table{{"one link", "step", "longer", "costs while it lasts"}, {Align::left, Align::right, Align::right}, {}};
  const double hour = a.running.per_hour().value;
  for (const Trial& trial : a.step->links) {
    if (trial.step_s <= 0) {
      table.rows.push_back({trial.kind, "–", "–", "the job stops: " + per_hour_text(a, hour) + " an hour"});
      continue;
    }
    const double longer = std::max(0.0, trial.step_s / *a.step->carried_s - 1);
    table.rows.push_back({trial.kind, fmt::format("{:.4g} s", trial.step_s), share_text(longer),
                          per_hour_text(a, hour * longer / (1 + longer)) + " an hour"});
  }
  return table;
}

}  // namespace

std::vector<std::string> cost_answer(const CostAnswer& a) {
  std::vector<std::string> sentences = {network_sentence(a)};
  if (has_servers(a)) sentences.push_back(cluster_sentence(a));
  if (a.step) sentences.push_back(token_sentence(a));
  if (!a.cluster.missing.empty())
    sentences.push_back(a.cluster.missing.size() == 1 ? "1 figure is missing; sums with it are \"at least\"."
                                                      : fmt::format("{} figures are missing; sums with them are \"at least\".",
                                                                    a.cluster.missing.size()));
  return sentences;
}

Report cost_report(const CostAnswer& a) {
  Report report{a.name, {}};
  Report::Section& first = report.sections.emplace_back();
  for (std::string& sentence : cost_answer(a)) first.blocks.emplace_back(std::move(sentence));
  if (!a.cluster.missing.empty()) {
    Report::Section& missing = report.sections.emplace_back();
    missing.title = "What is missing";
    for (const std::string& sentence : a.cluster.missing) missing.blocks.emplace_back(sentence);
  }
  report.sections.push_back({"Parts", {parts_table(a)}});
  if (a.step && !a.step->links.empty())
    report.sections.push_back(
        {"Links that are slow or lost",
         {links_table(a), fmt::format("Against {:.4g} s over flows, with all links as they should be. Work "
                                      "that is not done while a link is bad costs what the cluster does.",
                                      *a.step->carried_s)}});
  else if (a.step)
    report.sections.push_back({"Links that are slow or lost", {"Not run: " + a.step->why_no_links + "."}});
  report.sections.push_back({"Where figures come from",
                             {sources_table(a), std::string("Prices are those of their dates and age quickly; [prices] in the "
                                                            "scenario, --prices FILE or --set prices.X=… give your own.")}});
  return report;
}

std::string cost_csv(const CostAnswer& a) {
  std::string out = "kind,part,where,count,usd_each,usd,price_status,price_date,watts_each,watts,watts_status,key\n";
  for (const CostLine& line : a.cluster.lines) {
    const bool priced = line.price && !line.in_server;
    const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.10g}", *value) : ""; };
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", name_of(line.kind), csv_cell(line.part), csv_cell(line.where),
                       line.count, priced ? number(line.price->usd) : "", priced ? number(line.usd()) : "",
                       line.in_server ? "in server"
                       : priced       ? name_of(line.price->origin.status)
                                      : "",
                       priced ? line.price->date : "", line.in_server ? "" : number(line.watts),
                       line.in_server ? "" : number(line.all_watts()),
                       line.watts && !line.in_server ? name_of(line.watts_origin.status) : "", csv_cell(line.key));
  }
  return out;
}

std::vector<PageBars> cost_bars(const CostAnswer& answer) {
  PageBars prices{"What parts cost", "USD", {}}, powers{"What parts draw", "kW", {}};
  for (const CostLine& line : answer.cluster.lines) {
    const std::string label = line.where.empty() ? line.part : line.part + ", " + line.where;
    if (const auto usd = line.usd(); usd && *usd > 0) prices.bars.push_back({label, *usd, short_dollars(*usd)});
    if (const double kilowatts = line.watts.value_or(0) * static_cast<double>(line.count) / 1000;
        kilowatts > 0 && !line.in_server)
      powers.bars.push_back({label, kilowatts, fmt::format("{:.4g} kW", kilowatts)});
  }
  return {prices, powers};
}

}  // namespace railyard
