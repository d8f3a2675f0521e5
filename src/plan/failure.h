// What fails, when, and what is left of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/choice.h"
#include "base/diagnostic.h"
#include "base/units.h"

namespace railyard {

enum class FailureKind : std::uint8_t { gpu, leaf, spine, core, gateway, node, link };
enum class FailureLinkKind : std::uint8_t { port, uplink, link };
template<>
struct ChoiceNames<FailureKind> {
  static constexpr std::string_view names[] = {"gpu", "leaf", "spine", "core", "gateway", "node", "link"};
};
template<>
struct ChoiceNames<FailureLinkKind> {
  static constexpr std::string_view names[] = {"port", "uplink", "link"};
};

/// A thing that fails, in both directions: "spine 2" as a whole, "leaf 3 uplink 7", "gpu 5 port 0". Switches of a kind are
/// numbered through. A drawing has names instead: "node s1", "link a b".
struct FailureTarget {
  FailureKind kind = FailureKind::leaf;
  std::uint32_t index = 0;
  std::optional<FailureLinkKind> link_kind;  // the one link that fails: of a NIC, up from a switch, down from a switch
  std::uint32_t link_index = 0;
  std::string first, second;  // of a drawing: the node, or the ends of the link
};

/// Which way a link fails: what the named thing sends, what it is sent, or both.
enum class FailureDirection : std::uint8_t { both, out, in };
template<>
struct ChoiceNames<FailureDirection> {
  static constexpr std::string_view names[] = {"both", "out", "in"};
};

/// What a link loses although it is up.
struct PacketLoss {
  double share = 0;       // of packets, whatever their size
  double bit_errors = 0;  // of bits, after FEC: a packet with one is thrown away

  [[nodiscard]] bool any() const { return share > 0 || bit_errors > 0; }
  friend bool operator==(const PacketLoss&, const PacketLoss&) = default;
};

struct Failure {
  std::string name;  // as it was written
  FailureTarget what;
  std::optional<BitsPerSecond> rate;   // that is left of each link; zero: it is down; not given: all of it
  double loss = 0;                     // share of packets
  double bit_errors = 0;               // share of bits
  bool storms = false;                 // of a GPU: its NIC pauses its switch, whatever it holds
  std::optional<BitsPerSecond> takes;  // of a GPU: the rate its host takes packets in at; zero: it is stuck
  FailureDirection direction = FailureDirection::both;
  Picoseconds from;
  std::optional<Picoseconds> until;  // for good if not given
  std::optional<Picoseconds> every;  // it comes again so much later
  std::uint32_t times = 1;           // so often in all
  SourceSpan where;

  /// Whether it is something of a host that fails, and no link.
  [[nodiscard]] bool is_of_host() const { return storms || takes; }
  [[nodiscard]] bool is_down() const { return rate == BitsPerSecond::zero(); }
};

}  // namespace railyard
