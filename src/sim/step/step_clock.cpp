#include "sim/step/step_clock.h"

#include <algorithm>
#include <utility>

namespace railyard {

StepClock::StepClock(std::uint32_t stages, Engine* engine, Handlers handlers)
    : engine_(engine), handlers_(std::move(handlers)), streams_(std::size_t{stages} * kStreams) {}

bool StepClock::run() {
  for (;;) {
    if (on_network_ > 0 && take_arrivals(next())) continue;
    if (events_.empty()) return on_network_ == 0;
    proceed();
  }
}

void StepClock::proceed() {
  const Event event = events_.top();
  events_.pop();
  now_ = event.at;
  switch (event.what) {
    case What::wake:
      return handlers_.wake(event.id);
    case What::serve:
      return serve(event.id);
    case What::post:
      return post(event.id);
    case What::end:
      return end(event.id);
  }
}

void StepClock::arrive(MessageId id, Picoseconds at) {
  now_ = at;
  carried(id.index());
}

void StepClock::wake(std::uint32_t stage, Picoseconds when) { at(when, What::wake, stage); }

void StepClock::enqueue(std::uint32_t stage, StreamKind kind, Job job) {
  stream(stage, kind).jobs.push_back(std::move(job));
  serve(stage * kStreams + static_cast<std::uint32_t>(kind));
}

void StepClock::release(std::uint32_t stage, std::uint16_t chunk) {
  for (Job& job : stream(stage, StreamKind::data).jobs)
    if (job.gradients && job.chunk == chunk) job.ready = std::min(job.ready, now_);
  serve(stage * kStreams + static_cast<std::uint32_t>(StreamKind::data));
}

void StepClock::send(std::uint32_t stage, const CommItem& item, std::uint64_t tag) {
  start({.item = item, .stage = stage, .tag = tag, .start = now_, .in_progress = true});
}

/// Starts the first job of a stream, if it may.
void StepClock::serve(std::uint32_t id) {
  Stream& stream = streams_[id];
  if (stream.busy || stream.jobs.empty()) return;
  const Job& job = stream.jobs.front();
  if (job.ready > now_) {
    if (job.ready != Picoseconds::max()) at(job.ready, What::serve, id);
    return;
  }
  stream.busy = true;
  start({.item = job.item, .stage = id / kStreams, .stream = id, .start = now_, .in_progress = true});
}

void StepClock::start(Travelling travelling) {
  std::uint32_t id;
  if (free_.empty()) {
    id = static_cast<std::uint32_t>(travelling_.size());
    travelling_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  travelling_[id] = std::move(travelling);
  const CommItem& item = travelling_[id].item;
  if (!item.on_network()) return at(now_ + item.delay + item.fixed, What::end, id);
  if (item.delay > Picoseconds::zero()) return at(now_ + item.delay, What::post, id);
  post(id);
}

void StepClock::post(std::uint32_t id) {
  const CommItem& item = travelling_[id].item;
  engine_->post_in_steps({MessageId(id), item.connection, item.size}, item.steps, now_);
  on_network_++;
}

/// True if something arrived no later than `until`.
bool StepClock::take_arrivals(Picoseconds until) {
  done_.clear();
  const Picoseconds reached = engine_->advance(until, done_);
  if (done_.empty()) return false;
  now_ = reached;
  for (const Completion& completion : done_) carried(completion.id.index());
  return true;
}

/// The network is through with an item; scale-up links may not be, and hops may take longer than their way.
void StepClock::carried(std::uint32_t id) {
  on_network_--;
  const Travelling& one = travelling_[id];
  const Picoseconds done = std::max(now_, one.start + one.item.delay + one.item.floor) + one.item.latency;
  handlers_.carried(one.stage, {one.item, one.start, done - one.start});
  at(done, What::end, id);
}

void StepClock::end(std::uint32_t id) {
  const Travelling one = std::exchange(travelling_[id], {});
  free_.push_back(id);
  const Served served{one.item, one.start, now_ - one.start};
  if (one.stream == kNoStream) return handlers_.arrived(one.tag, served);
  Stream& stream = streams_[one.stream];
  const Job job = std::move(stream.jobs.front());
  stream.jobs.pop_front();
  stream.busy = false;
  serve(one.stream);
  handlers_.served(one.stage, static_cast<StreamKind>(one.stream % kStreams), job, served);
}

std::vector<StepClock::Waiting> StepClock::waiting() const {
  std::vector<Waiting> all;
  for (const Travelling& one : travelling_)
    if (one.in_progress && one.item.on_network()) all.push_back({one.stage, one.item});
  return all;
}

}  // namespace railyard
