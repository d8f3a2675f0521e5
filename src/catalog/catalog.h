// Facts about hardware and models, each with its source and status.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/embedded.h"
#include "catalog/facts.h"

namespace railyard {

/// One fact of one kind, with the origin of each of its values.
template<class Fact>
struct Entry {
  std::string name;
  Fact fact;
  Origin origin;                                             // of every value not named in `values`
  std::map<std::string, Origin> values;                      // of single values, by key
  std::vector<std::pair<std::string, std::string>> written;  // key and value as the file has them, for printing
  SourceSpan where;

  [[nodiscard]] const Origin& origin_of(const std::string& key) const {
    const auto found = values.find(key);
    return found == values.end() ? origin : found->second;
  }
};

template<class Fact>
class Shelf {
 public:
  void add(Entry<Fact> entry) { entries_.push_back(std::move(entry)); }
  [[nodiscard]] const Entry<Fact>* find(std::string_view name) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry<Fact>& e) { return e.name == name; });
    return found == entries_.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Entry<Fact>& entry : entries_) all.push_back(entry.name);
    return all;
  }
  [[nodiscard]] const std::vector<Entry<Fact>>& entries() const { return entries_; }

 private:
  std::vector<Entry<Fact>> entries_;
};

/// Where releases of training software are described: keys that come from there say so.
inline constexpr std::string_view kSoftwareFile = "catalog/software.toml";

/// Everything Railyard knows without being told. Immutable once loaded.
struct Catalog {
  Shelf<GpuFact> gpus;
  Shelf<SpeedFact> speeds;
  Shelf<StepFact> steps;
  Shelf<CommFact> communication;
  Shelf<LibraryFact> libraries;
  Shelf<ExchangeFact> exchanges;
  Shelf<NicFact> nics;
  Shelf<SwitchFact> switches;
  Shelf<OpticFact> optics;
  Shelf<TransportFact> transports;
  Shelf<PriceFact> prices;
  Shelf<ModelFact> models;
  Shelf<SoftwareFact> software;
  Shelf<FailureFact> reliability;
  Shelf<ServerFact> servers;
};

/// What a kind of fact is called on the command line, and what it holds.
struct CatalogKind {
  std::string_view name;  // "gpus"
  std::string_view one;   // "gpu"
  std::string_view help;
};
std::span<const CatalogKind> catalog_kinds();

/// Calls visit(kind, shelf) for every shelf, in the order of catalog_kinds().
template<class Visit>
void for_each_shelf(const Catalog& catalog, Visit visit) {
  const auto kinds = catalog_kinds();
  visit(kinds[0], catalog.gpus);
  visit(kinds[1], catalog.speeds);
  visit(kinds[2], catalog.steps);
  visit(kinds[3], catalog.communication);
  visit(kinds[4], catalog.libraries);
  visit(kinds[5], catalog.exchanges);
  visit(kinds[6], catalog.nics);
  visit(kinds[7], catalog.switches);
  visit(kinds[8], catalog.optics);
  visit(kinds[9], catalog.transports);
  visit(kinds[10], catalog.prices);
  visit(kinds[11], catalog.models);
  visit(kinds[12], catalog.software);
  visit(kinds[13], catalog.reliability);
  visit(kinds[14], catalog.servers);
}

/// Reads catalog files; every mistake in every file is reported.
Result<Catalog> load_catalog(std::span<const EmbeddedFile> files);

/// The catalog that ships with the program. Its files are tested, so this cannot fail.
const Catalog& builtin_catalog();

}  // namespace railyard
