#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/quantity_text.h"
#include "export/lanes.h"
#include "export/timeline_parts.h"

namespace railyard {

namespace {

/// Tracks of one kind of thing: as many as overlap.
class LaneTracks {
 public:
  LaneTracks(std::uint32_t process, std::string name, TraceEvents& events)
      : process_(process), name_(std::move(name)), events_(&events) {}

  /// REQUIRES: spans come in the order of their starts.
  TraceEvents::Track take(Picoseconds start, Picoseconds end) {
    const std::uint32_t lane = lanes_.take(start, end);
    if (lane == tracks_.size())
      tracks_.push_back(events_->add_track(process_, lane == 0 ? name_ : fmt::format("{} ({})", name_, lane + 1)));
    return tracks_[lane];
  }

 private:
  std::uint32_t process_;
  std::string name_;
  TraceEvents* events_;
  Lanes lanes_;
  std::vector<TraceEvents::Track> tracks_;
};

/// Of one message between GPUs.
struct Passage {
  Picoseconds start, end;
  EndpointId from, to;
  Bytes size;
  std::string_view what;
};

std::vector<std::size_t> by_start(std::size_t count, const std::function<Picoseconds(std::size_t)>& start) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return start(a) < start(b); });
  return order;
}

std::string gpu(EndpointId endpoint) { return fmt::format("GPU {}", endpoint.index()); }

void draw_passages(std::string_view title, std::vector<Passage> passages, TraceEvents& events) {
  std::stable_sort(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) { return a.start < b.start; });
  const std::uint32_t process = events.add_process(title);
  std::map<EndpointId, std::pair<LaneTracks, LaneTracks>> gpus;  // what they send, what they receive
  for (const Passage& passage : passages)
    for (const EndpointId end : {passage.from, passage.to})
      gpus.try_emplace(end, LaneTracks(process, gpu(end) + " sends", events),
                       LaneTracks(process, gpu(end) + " receives", events));
  for (const Passage& passage : passages) {
    const TraceEvents::Track sends = gpus.at(passage.from).first.take(passage.start, passage.end);
    const TraceEvents::Track receives = gpus.at(passage.to).second.take(passage.start, passage.end);
    TraceDetails details;
    details.whole("bytes", static_cast<std::uint64_t>(passage.size.count()));
    if (passage.end > passage.start)
      details.number("Gb/s", static_cast<double>(passage.size.count()) * 8 / seconds(passage.end - passage.start) / 1e9);
    events.slice(sends, fmt::format("{} to {}", passage.what, gpu(passage.to)), passage.what, passage.start, passage.end,
                 details);
    events.slice(receives, fmt::format("{} from {}", passage.what, gpu(passage.from)), passage.what, passage.start, passage.end,
                 details);
    events.arrow(passage.what, sends, passage.start, receives, passage.start);
  }
}

}  // namespace

void add_step_transfers(const TransferLog& log, TraceEvents& events) {
  if (log.transfers().empty()) return;
  const std::uint32_t process = events.add_process("transfers by stage and group");
  using Key = std::pair<std::uint32_t, std::string>;
  std::map<Key, LaneTracks> tracks;
  const std::vector<LoggedTransfer>& all = log.transfers();
  for (const LoggedTransfer& transfer : all)
    tracks.try_emplace({transfer.stage, log.name(transfer.group)}, process,
                       fmt::format("stage {}, {}", transfer.stage, log.name(transfer.group)), events);
  for (const std::size_t i : by_start(all.size(), [&](std::size_t at) { return all[at].start; })) {
    const LoggedTransfer& transfer = all[i];
    const std::string& group = log.name(transfer.group);
    TraceDetails details;
    details.whole("bytes on the busiest edge", static_cast<std::uint64_t>(transfer.size.count()));
    details.whole("edges", transfer.edges).text("first edge", gpu(transfer.from) + " to " + gpu(transfer.to));
    events.slice(tracks.at({transfer.stage, group}).take(transfer.start, transfer.finish), log.name(transfer.what), group,
                 transfer.start, transfer.finish, details);
  }
}

void add_gpu_transfers(const TransferLog& log, TraceEvents& events) {
  std::map<Bytes, std::vector<Passage>> sizes;  // of a sweep, one after the other
  for (const LoggedTransfer& transfer : log.transfers())
    sizes[transfer.collective].push_back(
        {transfer.start, transfer.finish, transfer.from, transfer.to, transfer.size, log.name(transfer.what)});
  for (auto& [size, passages] : sizes)
    draw_passages(size > Bytes::zero() ? fmt::format("GPUs, {}", format(size)) : std::string("GPUs"), std::move(passages),
                  events);
}

void add_gpu_transfers(std::string_view title, const std::vector<MessageRecord>& messages, TraceEvents& events) {
  std::vector<Passage> passages;
  for (const MessageRecord& message : messages)
    passages.push_back({message.posted, message.delivered, message.from, message.to, message.payload, "message"});
  draw_passages(title, std::move(passages), events);
}

}  // namespace railyard
