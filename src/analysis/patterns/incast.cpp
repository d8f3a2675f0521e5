#include "analysis/patterns/incast.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace railyard {

namespace {

constexpr std::size_t kMostClasses = 1024;

/// Senders of one receiver in one call of a bundle.
struct Senders {
  std::uint32_t bundle = 0, count = 0;
};

/// What every endpoint receives in one call of a bundle.
struct Received {
  std::uint32_t senders = 0;
  double share = 0;
};

/// Calls `use` with every receiver of every bundle that carried something.
template<class Use>
void for_each_receiver(std::span<const Bundle> bundles, const std::vector<double>& bytes, std::size_t endpoints,
                       const Use& use) {
  std::vector<Received> received(endpoints);
  for (std::uint32_t bundle = 0; bundle < bundles.size(); bundle++) {
    if (bytes[bundle] <= 0) continue;
    for (const Edge& edge : bundles[bundle].edges) {
      received[edge.to.index()].senders++;
      received[edge.to.index()].share += edge.share;
    }
    for (const Edge& edge : bundles[bundle].edges) {
      Received& one = received[edge.to.index()];
      if (one.senders == 0) continue;
      use(bundle, edge.to.index(), one);
      one = {};
    }
  }
}

std::size_t endpoints_of(std::span<const Bundle> bundles) {
  std::size_t count = 0;
  for (const Bundle& bundle : bundles)
    for (const Edge& edge : bundle.edges) count = std::max<std::size_t>(count, edge.to.index() + 1);
  return count;
}

/// When a bundle's calls are on the network: one after the other.
struct Busy {
  Picoseconds from, to;
};
std::vector<std::vector<Busy>> busy_times(const WireTraffic& traffic, std::size_t bundles) {
  std::vector<std::vector<Busy>> all(bundles);
  for (const WireCall& call : traffic.calls) all[call.bundle].push_back({call.start, call.end});
  for (std::vector<Busy>& times : all) {
    std::stable_sort(times.begin(), times.end(), [](const Busy& a, const Busy& b) { return a.from < b.from; });
    for (std::size_t i = 1; i < times.size(); i++)
      times[i].from = std::min(times[i].to, std::max(times[i].from, times[i - 1].to));
  }
  return all;
}

/// Of a receiver with such senders: the most at once, and the mean while there are any.
Incast::Overlapping overlap_of(const std::vector<Senders>& senders, const std::vector<std::vector<Busy>>& busy) {
  std::vector<std::pair<Picoseconds, std::int64_t>> changes;
  for (const Senders& one : senders)
    for (const Busy& time : busy[one.bundle]) {
      changes.push_back({time.from, one.count});
      changes.push_back({time.to, -std::int64_t{one.count}});
    }
  std::sort(changes.begin(), changes.end());  // what ends goes before what begins at the same time
  Incast::Overlapping overlap;
  std::int64_t now = 0;
  double time = 0, sum = 0;
  for (std::size_t i = 0; i < changes.size(); i++) {
    now += changes[i].second;
    overlap.max = std::max(overlap.max, static_cast<std::uint32_t>(now));
    if (i + 1 == changes.size() || now == 0) continue;
    const double span = seconds(changes[i + 1].first - changes[i].first);
    time += span, sum += span * static_cast<double>(now);
  }
  overlap.mean = time > 0 ? sum / time : 0;
  return overlap;
}

std::uint64_t mixed(std::uint64_t fingerprint, std::uint64_t value) {
  fingerprint ^= value + 0x9E3779B97F4A7C15U + (fingerprint << 6) + (fingerprint >> 2);
  return fingerprint * 0xBF58476D1CE4E5B9U;
}

/// Receivers that have as many senders in the same bundles are alike: one of each kind is looked at.
std::optional<Incast::Overlapping> overlapping(std::span<const Bundle> bundles, const WireTraffic& traffic,
                                               const std::vector<double>& bytes, std::size_t endpoints) {
  std::vector<std::uint64_t> fingerprint(endpoints, 0);
  for_each_receiver(bundles, bytes, endpoints, [&](std::uint32_t bundle, std::uint32_t to, const Received& one) {
    fingerprint[to] = mixed(mixed(fingerprint[to], bundle), one.senders);
  });
  struct Class {
    std::uint32_t receivers = 0;
    std::vector<Senders> senders = {};
  };
  std::vector<Class> classes;
  std::vector<std::uint32_t> speaks_for(endpoints, 0);     // the number of a class, from 1 on
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // never iterated
  for (std::uint32_t to = 0; to < endpoints; to++) {
    if (fingerprint[to] == 0) continue;
    const auto [entry, is_new] = known.try_emplace(fingerprint[to], static_cast<std::uint32_t>(classes.size()));
    if (is_new) classes.emplace_back(), speaks_for[to] = static_cast<std::uint32_t>(classes.size());
    if (classes.size() > kMostClasses) return std::nullopt;
    classes[entry->second].receivers++;
  }
  for_each_receiver(bundles, bytes, endpoints, [&](std::uint32_t bundle, std::uint32_t to, const Received& one) {
    if (speaks_for[to] > 0) classes[speaks_for[to] - 1].senders.push_back({bundle, one.senders});
  });
  const std::vector<std::vector<Busy>> busy = busy_times(traffic, bundles.size());
  Incast::Overlapping all;
  double receivers = 0;
  for (const Class& one : classes) {
    const Incast::Overlapping overlap = overlap_of(one.senders, busy);
    all.max = std::max(all.max, overlap.max);
    all.mean += overlap.mean * one.receivers;
    receivers += one.receivers;
  }
  all.mean /= std::max(1.0, receivers);
  return all;
}

/// What `degrees` and the most senders of each receiver come to.
Incast summary_of(std::map<std::uint32_t, Incast::Degree> degrees, const std::vector<std::uint32_t>& most, std::string what) {
  Incast incast;
  incast.what = std::move(what);
  for (const std::uint32_t senders : most)
    if (senders > 0) incast.receivers++, degrees[senders].receivers++;
  double sum = 0, all = 0;
  for (auto& [senders, degree] : degrees) {
    degree.senders = senders;
    incast.max = std::max(incast.max, senders);
    sum += degree.bytes * senders, all += degree.bytes;
    incast.degrees.push_back(degree);
  }
  incast.mean = all > 0 ? sum / all : 0;
  return incast;
}

/// A message that begins or ends to come in.
struct MessageChange {
  Picoseconds at;
  std::int32_t senders;
  double rate;  // bytes per second
};

/// Every message at its receiver, by receiver.
std::vector<std::vector<MessageChange>> changes_of(std::span<const Bundle> bundles, const WireTraffic& traffic,
                                                   std::size_t endpoints) {
  std::vector<Picoseconds> free(bundles.size());  // the connection, from then on
  std::vector<std::vector<MessageChange>> all(endpoints);
  for (const WireCall& call : traffic.calls) {
    const Picoseconds from = std::min(std::max(call.start, free[call.bundle]), call.end - Picoseconds(1));
    free[call.bundle] = call.end;
    const double rate = call.bytes / seconds(call.end - from);
    std::vector<MessageChange>& changes = all[bundles[call.bundle].edges.front().to.index()];
    changes.push_back({from, 1, rate});
    changes.push_back({call.end, -1, -rate});
  }
  for (std::vector<MessageChange>& changes : all)
    std::stable_sort(changes.begin(), changes.end(), [](const MessageChange& a, const MessageChange& b) {
      return a.at != b.at ? a.at < b.at : a.senders < b.senders;
    });
  return all;
}

}  // namespace

std::optional<Incast> incast_of(std::span<const Bundle> bundles, const WireTraffic& traffic) {
  const std::vector<double> bytes = bytes_of_bundles(traffic, bundles.size());
  const std::size_t endpoints = endpoints_of(bundles);
  std::map<std::uint32_t, Incast::Degree> degrees;
  std::vector<std::uint32_t> most(endpoints, 0);
  for_each_receiver(bundles, bytes, endpoints, [&](std::uint32_t bundle, std::uint32_t to, const Received& one) {
    degrees[one.senders].bytes += one.share * bytes[bundle];
    most[to] = std::max(most[to], one.senders);
  });
  if (degrees.empty()) return std::nullopt;
  Incast incast =
      summary_of(std::move(degrees), most,
                 "GPUs that send to one at once within one call, across the network: receivers by the most they "
                 "meet, bytes by how many they came in from; overlapping: over all calls in progress at the same time.");
  incast.overlapping = overlapping(bundles, traffic, bytes, endpoints);
  return incast;
}

std::optional<Incast> incast_of_messages(std::span<const Bundle> bundles, const WireTraffic& traffic) {
  if (traffic.calls.empty()) return std::nullopt;
  const std::size_t endpoints = endpoints_of(bundles);
  std::map<std::uint32_t, Incast::Degree> degrees;
  std::vector<std::uint32_t> most(endpoints, 0);
  const std::vector<std::vector<MessageChange>> all = changes_of(bundles, traffic, endpoints);
  for (std::size_t to = 0; to < endpoints; to++) {
    std::uint32_t now = 0;
    double rate = 0;
    for (std::size_t i = 0; i < all[to].size(); i++) {
      now += static_cast<std::uint32_t>(all[to][i].senders), rate += all[to][i].rate;
      most[to] = std::max(most[to], now);
      if (now > 0) degrees[now].bytes += rate * seconds(all[to][i + 1].at - all[to][i].at);
    }
  }
  return summary_of(std::move(degrees), most,
                    "Messages that come in at one GPU at once, one of each connection: receivers by the most they meet, bytes "
                    "by how many came in together.");
}

}  // namespace railyard
