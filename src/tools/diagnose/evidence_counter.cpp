// Evidence from counters, before and after: loss, corruption, pauses, marks, uneven uplinks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expected/counters.h"
#include "expected/hash_spread.h"
#include "tools/diagnose/evidence.h"

namespace railyard {

namespace {

class CounterRules {
 public:
  CounterRules(const Seen& seen, std::vector<Evidence>& out)
      : counters_(seen.measured.counters), facts_(seen.facts), out_(out) {}

  void run() {
    lost();
    corrupted();
    paused();
    marked();
    uneven();
    classes();
  }

 private:
  void add(std::string_view cause, double odds, std::string text, const SourceSpan& where = {}) {
    out_.push_back({cause, odds, std::move(text), where});
  }

  void lost() {
    using enum CounterKind;
    const Counters::Sum again =
        counters_.sum({out_of_sequence, sequence_nak, ack_timeout, retry_exceeded, adaptive_retransmission});
    const Counters::Sum drops = counters_.sum({tx_drops, rx_drops});
    if (again.counters == 0 && drops.counters == 0) return;
    if (again.all > 0 || drops.all > 0) {
      const Counters::Sum& most = again.all > 0 ? again : drops;
      const std::string text = fmt::format("{:.0f} packets {}, most at {}", most.all,
                                           again.all > 0 ? "out of sequence or sent again" : "dropped", most.port);
      add("loss", kStrong, text, most.where);
      add("wrong-class", kSome, text, most.where);
      add("bad-cable", kHint, text, most.where);
      return;
    }
    add("loss", -kSome, "no counter of loss or retransmission grew");
    add("wrong-class", -kSome, "no counter of loss or retransmission grew");
  }

  void corrupted() {
    const Counters::Sum bad = counters_.sum({CounterKind::corrupted, CounterKind::link_down});
    if (bad.counters == 0) return;
    if (bad.all > 0)
      add("bad-cable", kProof, fmt::format("{:.0f} corrupted packets or lost links, most at {}", bad.all, bad.port), bad.where);
    else
      add("bad-cable", -kStrong, "no counter of corruption grew");
  }

  void paused() {
    using enum CounterKind;
    const Counters::Sum storms = counters_.sum({pause_storm});
    if (storms.all > 0)
      add("pfc-storm", kProof, fmt::format("{:.0f} storms, most at {}", storms.all, storms.port), storms.where);
    const Counters::Sum sent = counters_.sum({tx_pause}), got = counters_.sum({rx_pause});
    if (sent.counters + got.counters == 0) return;
    const double most = std::max(sent.most, got.most), all = std::max(sent.all, got.all);
    if (all == 0) {
      add("pfc-storm", -kStrong, "nobody paused anybody");
      return;
    }
    const Counters::Sum& who = sent.most >= got.most ? sent : got;
    const bool one = most > 0.8 * all && most > 10'000;
    add("pfc-storm", one ? kStrong : kHint, fmt::format("{:.0f} pauses, {:.0f} % at {}", all, 100 * most / all, who.port),
        who.where);
  }

  void marked() {
    using enum CounterKind;
    const Counters::Sum handled = counters_.sum({cnp_handled, cnp_sent}), marks = counters_.sum({ecn_marked});
    if (handled.counters + marks.counters == 0) return;
    if (handled.all + marks.all == 0) {
      for (const char* cause : {"timid-control", "ecmp-collision", "oversubscription", "hash-polarised", "other-traffic"})
        add(cause, -kSome, "nothing was marked and no CNP was sent");
      return;
    }
    const Counters::Sum& most = handled.all > 0 ? handled : marks;
    const std::string text = fmt::format("{:.0f} {}, most at {}", most.all, handled.all > 0 ? "CNPs" : "marks", most.port);
    for (const char* cause : {"timid-control", "ecmp-collision", "oversubscription", "other-traffic"})
      add(cause, kHint, text, most.where);
  }

  /// Uplinks that are less even than the hash makes them; evenly spread packets leave hardly any difference.
  void uneven() {
    constexpr double kSprayed = 1.15;
    for (const auto& [device, bytes] : counters_.sent()) {
      if (bytes.size() < 4) continue;
      const double mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / static_cast<double>(bytes.size());
      const double most = *std::max_element(bytes.begin(), bytes.end()) / mean;
      const double usual =
          facts_.hashes ? hashed_spread(std::max(1U, facts_.leaf_flows), static_cast<std::uint32_t>(bytes.size())) : kSprayed;
      const std::string text =
          fmt::format("the busiest of {} ports of {} sent {:.2f} times the mean, where {} gives up to {:.2f}", bytes.size(),
                      device, most, facts_.hashes ? fmt::format("hashing {} flows", facts_.leaf_flows) : "spraying", usual);
      add("ecmp-collision", most > usual ? kSome : -kSome, text);
      add("hash-polarised", most > usual ? kSome : -kSome, text);
    }
  }

  /// Which class data travels in, and whether others share the ports.
  void classes() {
    std::map<std::uint32_t, double> bytes = counters_.by_priority();
    double all = 0;
    std::uint32_t busiest = 0;
    for (const auto& [priority, of_priority] : bytes) {
      all += of_priority;
      if (of_priority > bytes[busiest]) busiest = priority;
    }
    if (all == 0) return;
    const std::string text = fmt::format("{:.0f} % of all bytes are of priority {}", 100 * bytes[busiest] / all, busiest);
    add("wrong-class", busiest == 0 ? kStrong : -kStrong, text);
    const bool is_shared = bytes[busiest] < 0.9 * all;
    add("other-traffic", is_shared ? kStrong : -kSome, text);
  }

  const Counters counters_;
  const ClusterFacts& facts_;
  std::vector<Evidence>& out_;
};

}  // namespace

void counter_evidence(const Seen& seen, std::vector<Evidence>& out) { CounterRules(seen, out).run(); }

}  // namespace railyard
