#include "engine/packet/sampler.h"

#include <algorithm>
#include <bit>
#include <utility>

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

/// Of those of so many flows that have something to send: rate_of(flow) is negative for others.
template<class RateOf>
RateSample sum_rates(std::uint32_t flows, const RateOf& rate_of) {
  RateSample sample;
  for (std::uint32_t flow = 0; flow < flows; flow++) {
    const double rate = rate_of(flow);
    if (rate < 0) continue;
    sample.least_bps = sample.active == 0 ? rate : std::min(sample.least_bps, rate);
    sample.mean_bps += rate;
    sample.active++;
  }
  if (sample.active > 0) sample.mean_bps /= sample.active;
  return sample;
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

void Sampler::take(Time now) {
  const Net& net = network_.net;
  begin(sum_rates(network_.flow_count(),
                  [&](std::uint32_t flow) {
                    const Sender& sender = net.senders[flow];
                    return sender.state == Sender::State::idle ? -1 : allowed_rate(net, sender);
                  }),
        now);
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

void Sampler::begin(const RateSample& rates, Time now) {
  if (at_.size() == most_) join();
  at_.push_back(now);
  rates_.push_back(rates);
  first_.push_back(ports_.size());
  first_event_.push_back(events_.size());
  due_ = now + interval_;
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

PortSeries Sampler::series(std::size_t ports) const {
  PortSeries out{.interval = Picoseconds(interval_), .at = {}, .rates = rates_, .samples = {}, .ports = ports};
  out.samples.resize(at_.size() * ports);
  for (std::size_t k = 0; k < at_.size(); k++) {
    out.at.push_back(Picoseconds(at_[k]));
    for (std::size_t i = first_[k]; i < (k + 1 < first_.size() ? first_[k + 1] : ports_.size()); i++)
      if (const PortId id = network_.id_of(ports_[i]); id.valid()) out.samples[k * ports + id.index()] = samples_[i];
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
