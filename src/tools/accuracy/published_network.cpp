#include "tools/accuracy/published_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/schema.h"
#include "base/toml.h"

namespace railyard {

namespace {

PublishedNetwork read_network(const Document::Member& entry, Complaints& complaints) {
  static const std::vector<std::string> kSections = {"cluster", "fabric", "transport", "routing", "placement"};
  static const std::vector<Key<PublishedNetwork>> kKeys = {
      key("source", &PublishedNetwork::source, "who describes it", {.required = true}),
      key("status", &PublishedNetwork::status, "how far that can be trusted", {.required = true}),
      key("extends", &PublishedNetwork::extends, "the network whose sections lie below its own"),
  };
  PublishedNetwork network{.name = entry.key, .source = {}, .extends = {}, .sections = Document::object()};
  read_table<PublishedNetwork>(entry.value, kKeys, kSections, network, complaints);
  for (const std::string& section : kSections)
    if (const Document* given = entry.value.find(section)) network.sections.set(section, *given, given->where());
  return network;
}

/// Every network laid over the one it extends, which extends none.
Result<PublishedNetworks> with_bases(const PublishedNetworks& written) {
  PublishedNetworks networks = written;
  for (PublishedNetwork& network : networks) {
    if (network.extends.empty()) continue;
    const SourceSpan where{std::string(kNetworksFile), 0, 0};
    const auto base = find_network(written, network.extends, where);
    if (!base) return base.error();
    if (!(*base)->extends.empty())
      return Diagnostics{{Severity::error, "RY-PUB-002",
                          fmt::format("{} extends {}, which extends another", network.name, (*base)->name),
                          fmt::format("extend {} instead", (*base)->extends), where}};
    network.sections = overlay((*base)->sections, network.sections);
  }
  return networks;
}

}  // namespace

Result<PublishedNetworks> read_networks(std::span<const EmbeddedFile> files) {
  PublishedNetworks networks;
  Complaints complaints(kPublishedCodes);
  for (const EmbeddedFile& file : files) {
    if (file.name != kNetworksFile) continue;
    const Result<Document> document = parse_toml(file.text, std::string(file.name), "RY-PUB-001");
    if (!document) return document.error();
    for (const Document::Member& entry : *document->members()) networks.push_back(read_network(entry, complaints));
  }
  if (!complaints.found().empty()) return complaints.take();
  return with_bases(networks);
}

Result<const PublishedNetwork*> find_network(const PublishedNetworks& networks, const std::string& name,
                                             const SourceSpan& where) {
  const auto found = std::find_if(networks.begin(), networks.end(), [&](const PublishedNetwork& n) { return n.name == name; });
  if (found != networks.end()) return &*found;
  if (name.empty())
    return Diagnostics{
        {Severity::error, "RY-PUB-004", "the row has no network", "add network = \"…\" to it or to its table", where}};
  std::vector<std::string> names;
  for (const PublishedNetwork& network : networks) names.push_back(network.name);
  const std::string guess = nearest(name, names);
  return Diagnostics{
      {Severity::error, "RY-PUB-004", fmt::format("there is no network \"{}\"", name),
       guess.empty() ? fmt::format("describe it in {}", kNetworksFile) : fmt::format("did you mean \"{}\"?", guess), where}};
}

}  // namespace railyard
