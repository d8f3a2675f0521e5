#include "engine/packet/sampler.h"

#include <algorithm>

namespace railyard::packet {

namespace {

constexpr Time kFirstInterval = 1'000'000;  // a microsecond
constexpr std::size_t kMemory = 64 << 20;   // bytes, about

Time paused_until(const Port& port, Time now) {
  Time sum = port.paused_sum;
  for (std::uint32_t c = 0; c < kClasses; c++)
    if (port.paused >> c & 1) sum += now - port.pause_changed[c];
  return sum;
}

RateSample rates_of(const Network& network) {
  RateSample sample;
  for (std::uint32_t flow = 0; flow < network.flow_count(); flow++) {
    const Sender& sender = network.net.senders[flow];
    if (sender.state == Sender::State::idle) continue;
    const auto rate = static_cast<double>(sender.rate.rate);
    sample.least_bps = sample.active == 0 ? rate : std::min(sample.least_bps, rate);
    sample.mean_bps += rate;
    sample.active++;
  }
  if (sample.active > 0) sample.mean_bps /= sample.active;
  return sample;
}

}  // namespace

Sampler::Sampler(const Network& network)
    : network_(network),
      most_(std::clamp<std::size_t>(kMemory / (sizeof(PortSample) * (network.port_count() + 1)) / 2 * 2, 16, 256)),
      interval_(kFirstInterval),
      due_(kFirstInterval),
      before_(network.port_count()) {}

void Sampler::take(Time now) {
  if (at_.size() == most_) join();
  at_.push_back(now);
  rates_.push_back(rates_of(network_));
  for (std::uint32_t i = 0; i < network_.port_count(); i++) {
    const Port& port = network_.net.ports[i];
    const Before after{port.bytes, port.marked, paused_until(port, now)};
    Before& before = before_[i];
    samples_.push_back({.bytes = after.bytes - before.bytes,
                        .backlog = port.backlog,
                        .marked = static_cast<std::uint32_t>(after.marked - before.marked),
                        .paused = Picoseconds(after.paused - before.paused)});
    before = after;
  }
  due_ = now + interval_;
}

void Sampler::join() {
  const std::size_t ports = network_.port_count();
  for (std::size_t k = 0; k < at_.size() / 2; k++) {
    at_[k] = at_[2 * k + 1];
    rates_[k] = rates_[2 * k + 1];
    for (std::size_t i = 0; i < ports; i++) {
      const PortSample first = samples_[2 * k * ports + i], second = samples_[(2 * k + 1) * ports + i];
      samples_[k * ports + i] = {.bytes = first.bytes + second.bytes,
                                 .backlog = std::max(first.backlog, second.backlog),
                                 .marked = first.marked + second.marked,
                                 .paused = first.paused + second.paused};
    }
  }
  at_.resize(at_.size() / 2);
  rates_.resize(at_.size());
  samples_.resize(at_.size() * ports);
  interval_ *= 2;
}

PortSeries Sampler::series(std::size_t ports) const {
  PortSeries out{.interval = Picoseconds(interval_), .at = {}, .rates = rates_, .samples = {}, .ports = ports};
  out.samples.resize(at_.size() * ports);
  for (std::size_t k = 0; k < at_.size(); k++) {
    out.at.push_back(Picoseconds(at_[k]));
    for (std::uint32_t i = 0; i < network_.port_count(); i++)
      out.samples[k * ports + network_.id_of(i).index()] = samples_[k * network_.port_count() + i];
  }
  return out;
}

}  // namespace railyard::packet
