#include "catalog/catalog.h"

#include "base/check.h"
#include "base/toml.h"
#include "catalog/keys.h"

namespace railyard {

namespace {

constexpr SchemaCodes kCodes{.unknown_key = "RY-CAT-002",
                             .wrong_type = "RY-CAT-003",
                             .bad_quantity = "RY-CAT-004",
                             .out_of_range = "RY-CAT-005",
                             .unknown_choice = "RY-CAT-006",
                             .missing_key = "RY-CAT-007"};

constexpr CatalogKind kKinds[] = {{"gpus", "gpu", "accelerators"},
                                  {"speeds", "speed", "how fast accelerators work inside a training step"},
                                  {"steps", "step", "what is lost where the parts of a training step meet"},
                                  {"communication", "communication", "what NCCL and RCCL make of an accelerator's links"},
                                  {"libraries", "library", "what communication libraries add on every accelerator alike"},
                                  {"exchanges", "exchange", "kernels that send tokens to experts and back"},
                                  {"nics", "nic", "network adapters"},
                                  {"switches", "switch", "switch chips and the boxes built on them"},
                                  {"optics", "optic", "cables and transceivers"},
                                  {"transports", "transport", "what flows get to use of a port, by transport and routing"},
                                  {"prices", "price", "what things cost"},
                                  {"models", "model", "dimensions of published models"},
                                  {"software", "software", "what releases of training software do"},
                                  {"reliability", "set of failure rates", "how often parts of clusters fail"},
                                  {"servers", "server", "servers with accelerators, as they are sold"}};

/// Source and status, which every entry has beside its facts.
std::span<const Key<Origin>> origin_keys() {
  static const std::vector<Key<Origin>> keys = {
      key("status", &Origin::status, "how much the numbers can be trusted", {.required = true}),
      key("source", &Origin::source, "where they come from", {.required = true}),
  };
  return keys;
}

/// A value as the file has it, without the quotes of text.
std::string shown(const Document& value) {
  if (value.text()) return *value.text();
  if (!value.items()) return value.summary();
  std::vector<std::string> words;
  for (const Document& item : *value.items()) words.push_back(shown(item));
  return schema::join(words, ", ");
}

/// [name.values]: origins of single values. Each must be a key the entry has.
template<class Fact>
void read_value_origins(const Document& table, Entry<Fact>& entry, Complaints& complaints) {
  const Document* values = table.find("values");
  if (!values || !values->members()) return;
  for (const Document::Member& member : *values->members()) {
    if (!table.find(member.key)) {
      std::vector<std::string> known;
      for (const Document::Member& fact : *table.members()) known.push_back(fact.key);
      report_unknown_key(member, std::move(known), complaints);
      continue;
    }
    read_table(member.value, origin_keys(), {}, entry.values[member.key], complaints);
  }
}

template<class Fact>
Entry<Fact> read_entry(const Document::Member& member, Complaints& complaints) {
  static const std::vector<std::string> kOrigin = {"status", "source", "values"};
  Entry<Fact> entry;
  entry.name = member.key;
  entry.where = member.where;
  read_table(member.value, fact_keys<Fact>(), kOrigin, entry.fact, complaints);
  std::vector<std::string> facts{"values"};
  for (const Key<Fact>& k : fact_keys<Fact>()) facts.push_back(k.info.name);
  read_table(member.value, origin_keys(), facts, entry.origin, complaints);
  read_value_origins(member.value, entry, complaints);
  for (const Key<Fact>& k : fact_keys<Fact>())
    if (const Document* value = member.value.find(k.info.name)) entry.written.emplace_back(k.info.name, shown(*value));
  return entry;
}

template<class Fact>
void read_file(const Document& file, Shelf<Fact>& shelf, Complaints& complaints) {
  for (const Document::Member& member : *file.members()) {
    if (!member.value.members()) {
      schema::wrong_type(member.key, member.value, "a table per entry, [name]", complaints);
    } else if (shelf.find(member.key)) {
      complaints.error("RY-CAT-008", member.where, "the entry '" + member.key + "' is defined twice", "remove one of them");
    } else {
      shelf.add(read_entry<Fact>(member, complaints));
    }
  }
}

/// [name.training] and [name.parallel]: keys of a scenario, which scenario/read/software.h lays below what a scenario says.
template<>
Entry<SoftwareFact> read_entry(const Document::Member& member, Complaints& complaints) {
  static const std::vector<std::string> kSections = {"training", "parallel"};
  Entry<SoftwareFact> entry{
      .name = member.key, .fact = {Document::object()}, .origin = {}, .values = {}, .written = {}, .where = member.where};
  read_table(member.value, origin_keys(), kSections, entry.origin, complaints);
  for (const std::string& section : kSections) {
    const Document* given = member.value.find(section);
    if (!given || !given->members()) continue;
    entry.fact.sections.set(section, *given, given->where());
    for (const Document::Member& one : *given->members()) entry.written.emplace_back(section + "." + one.key, shown(one.value));
  }
  return entry;
}

/// Files belong to a shelf by name: catalog/gpus.toml, catalog/models/llama3.toml.
void read_by_name(std::string_view name, const Document& file, Catalog& catalog, Complaints& complaints) {
  if (name == "catalog/gpus.toml") return read_file(file, catalog.gpus, complaints);
  if (name == "catalog/speeds.toml") return read_file(file, catalog.speeds, complaints);
  if (name == "catalog/steps.toml") return read_file(file, catalog.steps, complaints);
  if (name == "catalog/libraries.toml") return read_file(file, catalog.libraries, complaints);
  if (name == "catalog/exchanges.toml") return read_file(file, catalog.exchanges, complaints);
  if (name == "catalog/communication.toml") return read_file(file, catalog.communication, complaints);
  if (name == "catalog/nics.toml") return read_file(file, catalog.nics, complaints);
  if (name == "catalog/switches.toml") return read_file(file, catalog.switches, complaints);
  if (name == "catalog/optics.toml") return read_file(file, catalog.optics, complaints);
  if (name == "catalog/transports.toml") return read_file(file, catalog.transports, complaints);
  if (name == "catalog/prices.toml") return read_file(file, catalog.prices, complaints);
  if (name == "catalog/servers.toml") return read_file(file, catalog.servers, complaints);
  if (name == kSoftwareFile) return read_file(file, catalog.software, complaints);
  if (name.starts_with("catalog/accuracy/")) return;   // how far predictions were off, for verdicts
  if (name.starts_with("catalog/published/")) return;  // measured steps, for those who compare with them
  if (name.starts_with("catalog/documents/")) return;  // what documents say of models, for the same
  if (name.starts_with("catalog/claims/")) return;     // what documents claim, for those who test it
  if (name.starts_with("catalog/reliability/")) return read_file(file, catalog.reliability, complaints);
  if (name.starts_with("catalog/models/")) return read_file(file, catalog.models, complaints);
  std::vector<std::string> known;
  for (const CatalogKind& kind : kKinds)
    if (kind.name != "models" && kind.name != "reliability") known.emplace_back(kind.name);
  complaints.error("RY-CAT-009", {std::string(name), 0, 0}, "the catalog has no kind of file with this name",
                   "name it after a kind (" + schema::join(known, ", ") + "), or put it under models/ or reliability/");
}

}  // namespace

std::span<const CatalogKind> catalog_kinds() { return kKinds; }

Result<Catalog> load_catalog(std::span<const EmbeddedFile> files) {
  Catalog catalog;
  Complaints complaints(kCodes);
  Diagnostics syntax;
  for (const EmbeddedFile& file : files) {
    if (file.name.starts_with("catalog/headroom/")) continue;  // tables for railyard headroom
    const Result<Document> document = parse_toml(file.text, std::string(file.name), "RY-CAT-001");
    if (document)
      read_by_name(file.name, *document, catalog, complaints);
    else
      syntax.insert(syntax.end(), document.error().begin(), document.error().end());
  }
  Diagnostics found = complaints.take();
  found.insert(found.end(), syntax.begin(), syntax.end());
  sort_by_location(found);
  if (!found.empty()) return found;
  return catalog;
}

const Catalog& builtin_catalog() {
  static const Catalog catalog = [] {
    Result<Catalog> loaded = load_catalog(embedded_catalog());
    RY_CHECK(loaded.has_value(), "the catalog that ships with the program is sound (catalog_test)");
    return std::move(*loaded);
  }();
  return catalog;
}

}  // namespace railyard
