#include "sim/trace/trace_messages.h"

#include "base/check.h"
#include "fabric/routes.h"

namespace railyard {

MessageId TraceMessages::post(const PlannedMessage& message, const TraceMessageOwner& owner) {
  constexpr std::uint32_t kMost = 0xffff'fffe;
  RY_CHECK(posted_ < kMost, "messages of a trace have 32-bit numbers");
  if (!run_.sums && posted_ >= kept_) sum_up();
  if (!run_.sums) {
    run_.messages.push_back(message);
    run_.delivered.push_back(Picoseconds::max());
    run_.traced.row.push_back(owner.schedule == TraceMessageOwner::kNode ? 0 : rows_[owner.schedule]);
  }
  under_way_.emplace(posted_, UnderWay{message, owner});
  return MessageId(posted_++);
}

TraceMessageOwner TraceMessages::deliver(const Completion& completion) {
  const auto found = under_way_.find(completion.id.index());
  RY_CHECK(found != under_way_.end(), "what is delivered was under way");
  const UnderWay one = found->second;
  under_way_.erase(found);
  if (run_.sums)
    add_to_sums(one.message, completion.at);
  else
    run_.delivered[completion.id.index()] = completion.at;
  return one.owner;
}

/// From now on: those that have arrived are added, the others will be when they do.
void TraceMessages::sum_up() {
  run_.sums.emplace();
  for (std::size_t i = 0; i < run_.messages.size(); i++)
    if (run_.delivered[i] != Picoseconds::max()) add_to_sums(run_.messages[i], run_.delivered[i]);
  run_.messages = {};
  run_.delivered = {};
  run_.traced.row = {};
}

void TraceMessages::add_to_sums(const PlannedMessage& message, Picoseconds delivered) {
  auto way = ways_.find({message.from, message.to});
  if (way == ways_.end()) {
    const TrunkPath path = path_of(network_.fabric, message.from, message.to);
    way = ways_
              .emplace(std::pair(message.from, message.to),
                       Way{LoneMessage(network_, message.from, message.to), path.empty() ? 0 : path.back().hop})
              .first;
  }
  const Picoseconds ideal = way->second.alone.time_of(message.size, delivered - message.start);
  run_.sums->add({message, delivered, ideal}, way->second.switches);
}

}  // namespace railyard
