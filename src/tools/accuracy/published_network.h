// Networks that published steps were measured on: catalog/published/networks.toml.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/complaints.h"
#include "base/document.h"
#include "base/result.h"
#include "catalog/embedded.h"
#include "catalog/status.h"

namespace railyard {

struct PublishedNetwork {
  std::string name, source;
  Status status = Status::assumed;
  std::string extends;  // another one of the same design
  Document sections;    // of a scenario: fabric, transport, routing, placement, and what [cluster] says of NICs and domains
};

using PublishedNetworks = std::vector<PublishedNetwork>;  // by name

/// What is wrong with a file of published values.
inline constexpr SchemaCodes kPublishedCodes{.unknown_key = "RY-PUB-002",
                                             .wrong_type = "RY-PUB-002",
                                             .bad_quantity = "RY-PUB-002",
                                             .out_of_range = "RY-PUB-002",
                                             .unknown_choice = "RY-PUB-002",
                                             .missing_key = "RY-PUB-002"};

constexpr std::string_view kNetworksFile = "catalog/published/networks.toml";

/// Those of `files`; none if the file is not among them.
Result<PublishedNetworks> read_networks(std::span<const EmbeddedFile> files);

/// The one called `name`, or an error at `where` that says which there are.
Result<const PublishedNetwork*> find_network(const PublishedNetworks& networks, const std::string& name,
                                             const SourceSpan& where);

}  // namespace railyard
