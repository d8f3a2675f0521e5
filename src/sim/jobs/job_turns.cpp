#include "sim/jobs/job_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/quantity_text.h"
#include "sim/collective/network_rates.h"

namespace railyard {

namespace {

void add_ops(const std::vector<OpTimes>& turn, std::vector<OpTimes>& all) {
  for (const OpTimes& one : turn) {
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const OpTimes& known) { return known.name == one.name && known.kind == one.kind; });
    if (same == all.end()) {
      all.push_back(one);
      continue;
    }
    same->calls += one.calls;
    same->seconds += one.seconds, same->ideal += one.ideal, same->exposed += one.exposed;
    same->longest = std::max(same->longest, one.longest);
  }
}

}  // namespace

StepTurns::StepTurns(const Scenario& scenario, const Step& step, const Placement& placement, const JobNetwork& network,
                     bool passes_on, JobPort& port, Progress& progress)
    : scenario_(scenario),
      step_(step),
      links_(links_of(*scenario.workload.gpu)),
      traffic_(step, network.fabric, placement, network.live, links_, exchange_way(scenario, network.fabric),
               scenario.transport.strict_priority, nic_shares(scenario, network.fabric, network.failures), port),
      network_{network.fabric, traffic_, port, network.live},
      progress_(progress) {
  if (passes_on) traffic_.let_engine_pass_on();
  make_player();
}

/// Turns beyond those that count are nobody's work.
void StepTurns::make_player() {
  player_.reset();
  part_.reset();
  if (turns_++ < scenario_.job->turns) part_.emplace(progress_, kPartWork);
  player_ = std::make_unique<StepPlayer>(scenario_, step_, links_, &network_, nullptr, part_ ? *part_ : ignored_);
}

void StepTurns::begin() { player_->begin(); }

Picoseconds StepTurns::end(PlayedJob* played) {
  StepRun run = player_->end();
  finish_step(scenario_, step_, run);
  if (played) add_ops(run.ops, played->ops);
  make_player();
  return run.time;
}

TrafficTurns::TrafficTurns(const Scenario& scenario, std::vector<std::vector<PlannedMessage>> draws, JobPort& port,
                           Progress& progress)
    : scenario_(scenario), draws_(std::move(draws)), port_(port), progress_(progress) {
  std::map<std::pair<EndpointId, EndpointId>, QpId> known;
  for (const std::vector<PlannedMessage>& draw : draws_) {
    std::vector<QpId>& connections = connections_.emplace_back();
    for (const PlannedMessage& message : draw) {
      const auto [entry, fresh] = known.try_emplace({message.from, message.to}, QpId());
      if (fresh) entry->second = port_.open(QueuePair{message.from, message.to});
      connections.push_back(entry->second);
    }
  }
}

void TrafficTurns::begin() {
  draw_ = next_draw_++ % draws_.size();
  delivered_.assign(messages().size(), {});
  posted_ = 0, left_ = messages().size(), last_ = {};
}

void TrafficTurns::proceed() {
  const Picoseconds at = next();
  for (; posted_ < messages().size() && messages()[posted_].start == at; posted_++) {
    const Message message{MessageId(static_cast<std::uint32_t>(posted_)), connections_[draw_][posted_],
                          messages()[posted_].size};
    port_.post({&message, 1}, at);
  }
}

void TrafficTurns::arrive(MessageId id, Picoseconds at) {
  delivered_[id.index()] = at;
  last_ = std::max(last_, at);
  left_--;
}

Picoseconds TrafficTurns::end(PlayedJob* played) {
  if (!played) return last_;
  for (std::size_t i = 0; i < messages().size(); i++) played->messages.push_back(seconds(delivered_[i] - messages()[i].start));
  played->carried += messages().size();
  progress_.add(kPartWork);
  return last_;
}

Diagnostics TrafficTurns::stuck() const { return never_arrive(scenario_, left_); }

Diagnostics never_arrive(const Scenario& scenario, std::uint64_t messages) {
  return {{Severity::error, "RY-RUN-030",
           fmt::format("{} messages of job '{}' never arrive: failures or a deadlock leave no way", format_count(messages),
                       scenario.job->name),
           "remove the failure, let it end, or add links", scenario.keys.where("failures")}};
}

Result<std::vector<std::vector<PlannedMessage>>> draw_turns(const Scenario& scenario, const Fabric& fabric,
                                                            const Placement& placement) {
  std::vector<std::vector<PlannedMessage>> draws;
  Scenario drawn = scenario;
  for (std::uint32_t i = 0; i < TrafficTurns::kDraws; i++) {
    drawn.engine.seed = scenario.engine.seed + i;
    Result<std::vector<PlannedMessage>> messages = plan_traffic(drawn, fabric, placement);
    if (!messages) return messages.error();
    if (i > 0 && *messages == draws.front()) break;  // nothing is drawn at random
    draws.push_back(std::move(*messages));
  }
  return draws;
}

}  // namespace railyard
