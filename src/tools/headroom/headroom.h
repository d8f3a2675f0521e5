// `railyard headroom`: what a port must keep free for what still arrives after a pause, by formula and as vendors ship it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/result.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "tools/headroom/request.h"

namespace railyard {

/// A part of the formula, in bytes.
struct HeadroomTerm {
  std::string what;
  double bytes = 0;
};

/// A profile that SONiC ships for a device with this switch chip.
struct ShippedProfile {
  std::string device, chip;
  BitsPerSecond speed;
  Millimetres cable;
  Bytes size, xon, xoff;
  std::optional<Bytes> xon_offset;
};

/// A switch with so many lossless priorities on every port.
struct BufferUse {
  std::uint32_t priorities = 0;
  Bytes headroom;  // of all ports together
  Bytes shared;    // what is left; zero where nothing is
};

struct HeadroomSheet {
  HeadroomRequest asked;
  BitsPerSecond speed;
  Millimetres cable;
  Bytes mtu;
  bool spectrum = false;  // SONiC's formula for Spectrum; else the generic one
  std::vector<HeadroomTerm> terms;
  Bytes formula, needed, used;              // by the formula; what can arrive at most; what simulations take: the larger
  std::optional<ShippedProfile> shipped;    // for this speed and the next longer cable
  std::vector<ShippedProfile> all_shipped;  // for this switch and speed
  std::uint32_t ports = 0;
  std::optional<Bytes> buffer;         // of the switch
  std::vector<BufferUse> uses;         // by the number of lossless priorities
  Bytes shipped_needs;                 // by the same rule, for the cable of the shipped profile
  std::optional<Millimetres> longest;  // cable whose need the shipped profile holds
};

/// Refuses flags that cannot be read, with the flag's name.
Result<HeadroomSheet> headroom_sheet(const HeadroomRequest& request, const Catalog& catalog);

Report headroom_report(const HeadroomSheet& sheet);
Document headroom_document(const HeadroomSheet& sheet);

}  // namespace railyard
