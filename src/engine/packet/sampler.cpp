#include "engine/packet/sampler.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/team_post.h"

namespace railyard::packet {

namespace {

constexpr Time kFirstInterval = 1'000'000;  // a microsecond
constexpr std::size_t kMemory = 64 << 20;   // bytes, about

/// What congestion control lets a queue pair send, bits per second.
double allowed_rate(const Net& net, const Sender& sender) {
  if (!net.p.has_windows()) return static_cast<double>(sender.rate.rate);
  const Window& w = sender.window;
  const auto line = static_cast<double>(net.ports[sender.port].rate);
  return std::min(line, static_cast<double>(w.size) * 8e12 / static_cast<double>(std::max<Time>(1, w.round_trip)));
}

/// Of one port, one sample after the other.
PortSample sum_of(const PortSample& first, const PortSample& second) {
  return {.bytes = first.bytes + second.bytes,
          .backlog = std::max(first.backlog, second.backlog),
          .marked = first.marked + second.marked,
          .paused = first.paused + second.paused};
}

/// Adds, or with a sign of -1 takes away, what happened at a port.
void add_events(PortEvents& sum, const PortEvents& more, std::uint32_t sign = 1) {
  sum.pauses += sign * more.pauses;
  sum.pauses_sent += sign * more.pauses_sent;
  sum.dropped += sign * more.dropped;
  sum.cnp_sent += sign * more.cnp_sent;
  sum.cnp_handled += sign * more.cnp_handled;
  sum.marked_in += sign * more.marked_in;
  sum.out_of_sequence += sign * more.out_of_sequence;
}

/// What is seen of ports that share what one sample counts.
void share(const PortSample& all, IdRange<PortId> ports, PortSample* samples) {
  for (std::uint32_t nth = 0; nth < ports.size(); nth++) {
    const auto part = [&](auto sum) {
      return static_cast<decltype(sum)>(sum / ports.size() + (nth < sum % ports.size() ? 1 : 0));
    };
    samples[ports[nth].index()] = {
        .bytes = part(all.bytes), .backlog = part(all.backlog), .marked = part(all.marked), .paused = all.paused};
  }
}

}  // namespace

Sampler::Sampler(const Network& network)
    : network_(network),
      most_(std::clamp<std::size_t>(kMemory / (sizeof(PortSample) * (network.port_count() + 1)) / 2 * 2, 16, 256)),
      interval_(kFirstInterval),
      due_(kFirstInterval),
      before_(network.port_count()),
      looked_at_(network.port_count()) {
  make_room();
}

/// Room for all there can be: pages that are never written to cost nothing.
void Sampler::make_room() {
  ports_.reserve(most_ * network_.port_count());
  samples_.reserve(most_ * network_.port_count());
}

/// Of those of so many flows that have something to send: rate_of(flow) is negative for others.
template<class RateOf>
Sampler::Rates Sampler::sum_rates(std::uint32_t flows, const RateOf& rate_of) {
  Rates rates;
  for (std::uint32_t flow = 0; flow < flows; flow++) {
    const double rate = rate_of(flow);
    if (rate < 0) continue;
    rates.least = rates.active == 0 ? rate : std::min(rates.least, rate);
    rates.sum += static_cast<std::uint64_t>(rate);
    rates.active++;
  }
  return rates;
}

Sampler::Rates Sampler::rates_now() const {
  return sum_rates(network_.flow_count(), [&](std::uint32_t flow) {
    const Sender& sender = network_.net.senders[flow];
    return sender.state == Sender::State::idle ? -1 : allowed_rate(network_.net, sender);
  });
}

void Sampler::take(Time now) {
  const Net& net = network_.net;
  begin(rates_now(), now);
  for (std::uint32_t word = 0; word < looked_at_.words(); word++) {
    expect(word + 1);
    for (std::uint64_t bits = looked_at_.claim(word, looked_at_.word(word)); bits != 0; bits &= bits - 1) {
      const std::uint32_t index = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      take(index, look_at_port(net, network_.is_host(net.ports[index].node), index, now));
    }
  }
}

void Sampler::take(Time now, std::span<const PortLook> ports, std::span<const std::int64_t> rates) {
  begin(
      sum_rates(static_cast<std::uint32_t>(rates.size()), [&](std::uint32_t flow) { return static_cast<double>(rates[flow]); }),
      now);
  for (std::uint32_t index = 0; index < ports.size(); index++) take(index, ports[index]);
}

void Sampler::begin(const Rates& rates, Time now) {
  due_ = due_after(now);
  if (at_.size() == most_) join();
  at_.push_back(now);
  rates_.push_back(rates);
  first_.push_back(ports_.size());
  first_event_.push_back(events_.size());
}

/// Fetches what will be looked at of the ports of a word.
void Sampler::expect(std::uint32_t word) const {
  if (word >= looked_at_.words()) return;
  for (std::uint64_t bits = looked_at_.word(word); bits != 0; bits &= bits - 1) {
    const Port& port = network_.net.ports[word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))];
    __builtin_prefetch(&port.backlog);
    __builtin_prefetch(&port.bytes);
  }
}

void Sampler::take(std::uint32_t index, const PortLook& look) {
  Before& before = before_[index];
  if (look.has_events) {
    PortEvents fresh = look.events;
    add_events(fresh, before.events, ~std::uint32_t{0});
    if (fresh.any()) events_.push_back(fresh);
    before.events = look.events;
  }
  const PortSample sample{.bytes = look.bytes - before.bytes,
                          .backlog = look.backlog,
                          .marked = static_cast<std::uint32_t>(look.marked - before.marked),
                          .paused = Picoseconds(look.paused - before.paused)};
  if (sample.bytes != 0 || sample.backlog != 0 || sample.marked != 0 || sample.paused != Picoseconds::zero())
    add(index, sample);
  before.bytes = look.bytes;
  before.marked = look.marked;
  before.paused = look.paused;
  if (look.goes_on) looked_at_.set(index);
}

/// Those of two samples become those of one.
void Sampler::join_events() {
  const std::vector<std::size_t> first = std::exchange(first_event_, {});
  const std::vector<PortEvents> events = std::exchange(events_, {});
  const auto at = [&](std::size_t sample) { return sample < first.size() ? first[sample] : events.size(); };
  for (std::size_t k = 0; k + 1 < first.size(); k += 2) {
    first_event_.push_back(events_.size());
    std::size_t a = at(k), b = at(k + 1);
    while (a < at(k + 1) || b < at(k + 2)) {
      const bool from_a = b == at(k + 2) || (a < at(k + 1) && events[a].port <= events[b].port);
      events_.push_back(events[from_a ? a++ : b++]);
      if (from_a && b < at(k + 2) && events[b].port == events_.back().port) add_events(events_.back(), events[b++]);
    }
  }
}

void Sampler::join() {
  join_events();
  const std::vector<std::size_t> first = std::exchange(first_, {});
  const auto ports = std::exchange(ports_, {});
  const auto samples = std::exchange(samples_, {});
  make_room();
  for (std::size_t k = 0; k < at_.size() / 2; k++) {
    at_[k] = at_[2 * k + 1];
    rates_[k] = rates_[2 * k + 1];
    first_.push_back(ports_.size());
    std::size_t a = first[2 * k], b = first[2 * k + 1];
    const std::size_t a_past = b, b_past = 2 * k + 2 < first.size() ? first[2 * k + 2] : ports.size();
    while (a < a_past || b < b_past) {
      const std::uint32_t port = std::min(a < a_past ? ports[a] : kNone, b < b_past ? ports[b] : kNone);
      PortSample sum;
      if (a < a_past && ports[a] == port) sum = samples[a++];
      if (b < b_past && ports[b] == port) sum = sum_of(sum, samples[b++]);
      add(port, sum);
    }
  }
  at_.resize(at_.size() / 2);
  rates_.resize(at_.size());
  interval_ *= 2;
}

struct Sampler::Told {
  struct PortBefore {
    std::uint32_t port;
    Before before;
  };
  std::vector<Rates> rates;
  std::vector<PortBefore> before;
  std::vector<std::size_t> first, first_event;
  std::vector<std::uint32_t> ports;
  std::vector<PortSample> samples;
  std::vector<PortEvents> events;

  explicit Told(std::string_view rest) {
    take(rest, rates), take(rest, before), take(rest, first), take(rest, first_event);
    take(rest, ports), take(rest, samples), take(rest, events);
  }

  template<class Rows>
  static void pack(const Rows& rows, std::string& out) {
    pack_row(rows.size(), out);
    pack_rows(rows.data(), rows.size(), out);
  }

 private:
  template<class Rows>
  static void take(std::string_view& rest, Rows& rows) {
    rows.resize(unpack_row<std::size_t>(rest));
    unpack_rows(rest, rows.data(), rows.size());
  }
};
void Sampler::tell(std::string& out) {
  std::vector<Told::PortBefore> before;
  for (std::uint32_t port = 0; port < before_.size(); port++)
    if (before_[port].bytes != 0 || before_[port].marked != 0 || before_[port].paused != 0 || before_[port].events.any())
      before.push_back({port, before_[port]});
  Told::pack(rates_, out), Told::pack(before, out), Told::pack(first_, out), Told::pack(first_event_, out);
  Told::pack(ports_, out), Told::pack(samples_, out), Told::pack(events_, out);
  std::fill(first_.begin(), first_.end(), 0);
  std::fill(first_event_.begin(), first_event_.end(), 0);
  ports_.clear(), samples_.clear(), events_.clear();
  std::fill(rates_.begin(), rates_.end(), Rates{});
}

void Sampler::adopt(std::span<const std::string_view> others) {
  std::vector<Told> told(others.begin(), others.end());
  const auto range = [](const std::vector<std::size_t>& first, std::size_t k, std::size_t all) {
    return std::pair(first[k], k + 1 < first.size() ? first[k + 1] : all);
  };
  const std::vector<std::size_t> first = std::exchange(first_, {}), first_event = std::exchange(first_event_, {});
  const auto ports = std::exchange(ports_, {});
  const auto samples = std::exchange(samples_, {});
  const auto events = std::exchange(events_, {});
  make_room();
  std::vector<std::pair<std::uint32_t, PortSample>> of_sample;
  for (std::size_t k = 0; k < at_.size(); k++) {
    of_sample.clear();
    first_.push_back(ports_.size());
    first_event_.push_back(events_.size());
    const auto take = [&](const auto& from_first, const auto& from_ports, const auto& from_samples,
                          const auto& from_first_event, const auto& from_events) {
      for (auto [i, past] = range(from_first, k, from_ports.size()); i < past; i++)
        of_sample.emplace_back(from_ports[i], from_samples[i]);
      for (auto [i, past] = range(from_first_event, k, from_events.size()); i < past; i++) events_.push_back(from_events[i]);
    };
    take(first, ports, samples, first_event, events);
    for (const Told& one : told) {
      RY_CHECK(one.rates.size() == at_.size(), "all take samples at the same instants");
      take(one.first, one.ports, one.samples, one.first_event, one.events);
      rates_[k].add(one.rates[k]);
    }
    const auto by_port = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::sort(of_sample.begin(), of_sample.end(), by_port);
    for (const auto& [port, sample] : of_sample) add(port, sample);
    std::sort(events_.begin() + static_cast<std::ptrdiff_t>(first_event_.back()), events_.end(),
              [](const PortEvents& a, const PortEvents& b) { return a.port < b.port; });
  }
  for (const Told& one : told)
    for (const Told::PortBefore& row : one.before) before_[row.port] = row.before;
}

PortSeries Sampler::series(std::size_t ports) const {
  PortSeries out{.interval = Picoseconds(interval_), .at = {}, .rates = {}, .samples = {}, .ports = ports};
  for (const Rates& rates : rates_)
    out.rates.push_back({.active = static_cast<std::uint32_t>(rates.active),
                         .mean_bps = rates.active == 0 ? 0 : static_cast<double>(rates.sum) / static_cast<double>(rates.active),
                         .least_bps = rates.least});
  out.samples.resize(at_.size() * ports);
  for (std::size_t k = 0; k < at_.size(); k++) {
    out.at.push_back(Picoseconds(at_[k]));
    for (std::size_t i = first_[k]; i < (k + 1 < first_.size() ? first_[k + 1] : ports_.size()); i++)
      if (network_.id_of(ports_[i]).valid()) share(samples_[i], network_.ids_of(ports_[i]), out.samples.data() + k * ports);
    out.first_event.push_back(out.events.size());
    for (std::size_t i = first_event_[k]; i < (k + 1 < first_event_.size() ? first_event_[k + 1] : events_.size()); i++) {
      PortEvents one = events_[i];
      one.port = network_.id_of(one.port.index());
      if (one.port.valid()) out.events.push_back(one);
    }
  }
  out.first_event.push_back(out.events.size());
  return out;
}

}  // namespace railyard::packet
