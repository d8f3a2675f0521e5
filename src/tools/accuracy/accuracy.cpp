#include "tools/accuracy/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "base/schema.h"
#include "base/toml.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// Which arithmetic a published rate counts.
enum class Convention : std::uint8_t { causal, full, hardware };

}  // namespace

template<>
struct ChoiceNames<Convention> {
  static constexpr std::string_view names[] = {"causal", "full", "hardware"};
};

namespace {

/// What a row says beside the scenario.
struct Measured {
  std::optional<double> step_time_s, tokens_per_s_per_gpu, tflops_per_gpu, mfu_percent;
  Convention convention = Convention::full;
  Exclusion excluded = Exclusion::none;
  std::string note, network;
};

std::span<const Key<Measured>> measured_keys() {
  const Limits<double> positive{.min = 1e-9};
  static const std::vector<Key<Measured>> keys = {
      key("step_time_s", &Measured::step_time_s, "seconds per step", positive),
      key("tokens_per_s_per_gpu", &Measured::tokens_per_s_per_gpu, "tokens per second and GPU", positive),
      key("tflops_per_gpu", &Measured::tflops_per_gpu, "TFLOP/s per GPU", positive),
      key("mfu_percent", &Measured::mfu_percent, "share of peak bf16 in per cent", positive),
      key("convention", &Measured::convention, "what the two above count"),
      key("excluded", &Measured::excluded, "the rule by which the row does not count"),
      key("note", &Measured::note, "what else is known of it"),
      key("network", &Measured::network, "the network it was measured on; the table's if not given"),
  };
  return keys;
}

double published_seconds(const Measured& m, const StepRun& run, const Scenario& scenario) {
  if (m.step_time_s) return *m.step_time_s;
  const double tokens = static_cast<double>(run.step.tokens), gpus = run.step.layout.ranks();
  if (m.tokens_per_s_per_gpu) return tokens / (*m.tokens_per_s_per_gpu * gpus);
  const double rate = m.tflops_per_gpu
                          ? *m.tflops_per_gpu * 1e12
                          : *m.mfu_percent / 100 * static_cast<double>(scenario.workload.gpu->gpu.bf16_dense.count());
  const FlopsPerToken& flops = run.step.flops;
  const double full = tokens * (flops.products + flops.attention_full);
  const double causal = tokens * (flops.products + flops.attention_causal);
  const double counted = m.convention == Convention::full     ? full
                         : m.convention == Convention::causal ? causal
                                                              : run.step.hardware_flops;
  return counted / (rate * gpus);
}

/// One row on its way to a prediction.
struct RowRequest {
  const Document& common;       // of its table
  const Document::Member& row;  // its own
  std::string file, network;    // the table's
};

/// What the row measured and the scenario it is: its network, laid over by what its table and the row itself say.
struct RowScenario {
  Measured measured;
  Scenario scenario;
};

Result<Measured> read_measured(const RowRequest& request, std::span<const std::string> sections) {
  Measured measured;
  measured.network = request.network;
  Complaints complaints(kPublishedCodes);
  read_table(request.row.value, measured_keys(), sections, measured, complaints);
  if (!measured.step_time_s && !measured.tokens_per_s_per_gpu && !measured.tflops_per_gpu && !measured.mfu_percent)
    complaints.error("RY-PUB-002", request.row.where, "the row has no measurement",
                     "give step_time_s, tokens_per_s_per_gpu, tflops_per_gpu or mfu_percent");
  if (!complaints.found().empty()) return complaints.take();
  return measured;
}

Result<RowScenario> read_row(const RowRequest& request, const PublishedNetworks& networks, Fidelity engine,
                             const Catalog& catalog) {
  static const std::vector<std::string> kSections = {"model",  "training",  "parallel", "cluster",
                                                     "fabric", "transport", "engine"};
  Result<Measured> measured = read_measured(request, kSections);
  if (!measured) return measured.error();
  Document document = Document::object();
  document.set("name", Document(request.row.key));
  if (!measured->network.empty() || engine == Fidelity::flow) {
    const auto network = find_network(networks, measured->network, request.row.where);
    if (!network) return network.error();
    if (engine == Fidelity::flow) document = overlay(std::move(document), (*network)->sections);
  }
  document = overlay(std::move(document), request.common);
  Document own = Document::object();
  for (const std::string& section : kSections)
    if (const Document* given = request.row.value.find(section)) own.set(section, *given, given->where());
  document = overlay(std::move(document), own);
  Document fidelity = Document::object(), chosen = Document::object();
  fidelity.set("fidelity", Document(std::string(name_of(engine))));
  chosen.set("engine", std::move(fidelity));
  Result<Scenario> scenario = read_scenario(overlay(std::move(document), chosen), request.file, catalog);
  if (!scenario) return scenario.error();
  return RowScenario{std::move(*measured), std::move(*scenario)};
}

Result<PublishedRow> predict(const RowRequest& request, const PublishedNetworks& networks, Fidelity engine,
                             const Catalog& catalog) {
  const Result<RowScenario> row = read_row(request, networks, engine, catalog);
  if (!row) return row.error();
  Progress progress;
  const Result<Run> run = simulate(row->scenario, {.threads = 1}, progress);
  if (!run) return run.error();
  return PublishedRow{.name = request.row.key,
                      .note = row->measured.note,
                      .gpus = run->training->step.layout.ranks(),
                      .published_s = published_seconds(row->measured, *run->training, row->scenario),
                      .predicted_s = seconds(run->training->time),
                      .excluded = row->measured.excluded,
                      .network = row->measured.network,
                      .experts = row->scenario.workload.model->experts > 0};
}

/// A table before its rows are predicted.
struct TableText {
  PublishedTable table;  // without rows
  std::string file, network;
  Document common;
  Document::Object rows;  // in the order written
};

bool read_role(std::string_view word, TableRole& role) {
  for (const TableRole one : {TableRole::calibration, TableRole::validation})
    if (word == name_of(one)) return role = one, true;
  return false;
}

Result<TableText> read_table_text(const EmbeddedFile& file, const std::string& name) {
  TableText text;
  text.file = file.name;
  const Result<Document> document = parse_toml(file.text, text.file, "RY-PUB-001");
  if (!document) return document.error();
  PublishedTable& table = text.table;
  table.name = name;
  for (const auto& [key, to] :
       {std::pair{"title", &table.title}, {"source", &table.source}, {"left_out", &table.left_out}, {"network", &text.network}})
    if (const Document* words = document->find(key); words && words->text()) *to = *words->text();
  const Document* role = document->find("role");
  const bool known = role && role->text() && read_role(*role->text(), table.role);
  const Document* rows = document->find("rows");
  if (table.title.empty() || table.source.empty() || !known || !rows || !rows->members())
    return Diagnostics{{Severity::error,
                        "RY-PUB-002",
                        "a table of measurements has a title, a source, rows, and a role: calibration or validation",
                        "add what is missing",
                        {text.file, 0, 0}}};
  const Document* common = document->find("common");
  text.common = common ? *common : Document::object();
  text.rows = *rows->members();  // the reader sorts tables by name
  std::sort(text.rows.begin(), text.rows.end(),
            [](const Document::Member& a, const Document::Member& b) { return a.where.line < b.where.line; });
  return text;
}

/// The tables that were asked for, as they are written.
Result<std::vector<TableText>> read_tables(std::span<const EmbeddedFile> files, const std::string& only) {
  constexpr std::string_view kFolder = "catalog/published/", kEnding = ".toml";
  std::vector<TableText> tables;
  std::vector<std::string> names;
  Diagnostics found;
  for (const EmbeddedFile& file : files) {
    if (!file.name.starts_with(kFolder) || file.name == kNetworksFile) continue;
    const std::string name(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
    names.push_back(name);
    if (!only.empty() && name != only) continue;
    Result<TableText> table = read_table_text(file, name);
    if (table)
      tables.push_back(std::move(*table));
    else
      found.insert(found.end(), table.error().begin(), table.error().end());
  }
  if (!found.empty()) return found;
  if (!tables.empty()) return tables;
  const std::string guess = nearest(only, names);
  return Diagnostics{{Severity::error,
                      "RY-PUB-003",
                      fmt::format("there is no table of measurements \"{}\"", printable(only)),
                      guess.empty() ? "there are " + schema::join(names, ", ") : fmt::format("did you mean \"{}\"?", guess),
                      {}}};
}

}  // namespace

Result<Comparison> predict_published(std::span<const EmbeddedFile> files, const Catalog& catalog,
                                     const AccuracyRequest& asked) {
  Result<PublishedNetworks> networks = read_networks(files);
  if (!networks) return networks.error();
  Result<std::vector<TableText>> texts = read_tables(files, asked.table);
  if (!texts) return texts.error();
  std::vector<RowRequest> requests;
  for (const TableText& text : *texts)
    for (const Document::Member& row : text.rows) requests.push_back({text.common, row, text.file, text.network});
  std::vector<std::optional<Result<PublishedRow>>> predicted(requests.size());
  for_each_index(requests.size(), asked.threads,
                 [&](std::size_t i) { predicted[i] = predict(requests[i], *networks, asked.engine, catalog); });

  Comparison comparison{asked.engine, std::move(*networks), {}};
  Diagnostics found;
  std::size_t next = 0;
  for (TableText& text : *texts) {
    PublishedTable& table = comparison.tables.emplace_back(std::move(text.table));
    for (const Document::Member& row : text.rows) {
      Result<PublishedRow>& one = *predicted[next++];
      if (one) table.rows.push_back(std::move(*one));
      if (one) continue;
      for (Diagnostic& d : one.error()) {
        d.message = row.key + ": " + d.message;
        found.push_back(std::move(d));
      }
    }
  }
  if (!found.empty()) return found;
  return comparison;
}

}  // namespace railyard
