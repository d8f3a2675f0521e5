#include "sim/play.h"

#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace railyard {

namespace {

/// A round with the relations that playing it needs.
struct PreparedRound {
  const Round* round;
  std::uint32_t first_repeat;                 // counted over the whole schedule
  Csr<PositionId, TransferId> sends;          // what each position sends
  Table<PositionId, std::uint32_t> receives;  // how many messages come in
  Table<TransferId, QpId> qp;
};

class Player {
 public:
  Player(const Schedule& schedule, std::span<const EndpointId> seats, Engine& engine, Progress& progress)
      : schedule_(schedule), engine_(engine), progress_(progress), states_(schedule.positions) {
    RY_CHECK(seats.size() == schedule.positions, "every position of a group has a seat");
    prepare(seats);
    RY_CHECK(std::uint64_t{repeats_} * stride_ <= std::numeric_limits<std::uint32_t>::max(),
             "message ids of one collective fit 32 bits");
  }

  Picoseconds run() {
    const Picoseconds start = engine_.now();
    for (const PositionId position : ids(states_)) {
      send(position);
      move_on(position);
    }
    post();
    std::vector<Completion> done;
    for (std::uint64_t left = schedule_.messages(); left > 0; left -= done.size()) {
      done.clear();
      engine_.advance(Picoseconds::max(), done);
      RY_CHECK(!done.empty(), "a schedule whose messages wait for each other in a circle does not exist");
      for (const Completion& completion : done) receive(completion.id);
      post();
      progress_.add(done.size());
    }
    return engine_.now() - start;
  }

 private:
  /// Where a position is: everything sent to it before `repeat` has arrived.
  struct State {
    std::uint32_t repeat = 0;
    std::vector<std::uint32_t> arrived = {0};  // in `repeat` and, from fast neighbours, in later ones
  };

  void prepare(std::span<const EndpointId> seats) {
    std::map<std::pair<PositionId, PositionId>, QpId> open;
    std::uint32_t first_repeat = 0;
    for (const Round& round : schedule_.rounds) {
      PreparedRound prepared{&round, first_repeat, {}, Table<PositionId, std::uint32_t>(schedule_.positions), {}};
      std::vector<std::pair<PositionId, TransferId>> sends;
      for (const Transfer& transfer : round.transfers) {
        const auto [entry, is_new] = open.try_emplace({transfer.from, transfer.to});
        if (is_new) entry->second = engine_.open({seats[transfer.from.index()], seats[transfer.to.index()]});
        sends.emplace_back(transfer.from, prepared.qp.push(entry->second));
        prepared.receives[transfer.to]++;
      }
      prepared.sends = Csr<PositionId, TransferId>(schedule_.positions, sends);
      first_repeat += round.repeats;
      stride_ = std::max(stride_, static_cast<std::uint32_t>(round.transfers.size()));
      rounds_.push_back(std::move(prepared));
    }
    repeats_ = first_repeat;
  }

  const PreparedRound& round_of(std::uint32_t repeat) const {
    std::size_t i = rounds_.size() - 1;
    while (rounds_[i].first_repeat > repeat) i--;
    return rounds_[i];
  }

  /// Queues what `position` sends in the repeat it is at.
  void send(PositionId position) {
    const std::uint32_t repeat = states_[position].repeat;
    if (repeat == repeats_) return;
    const PreparedRound& round = round_of(repeat);
    for (const TransferId id : round.sends.row(position)) {
      const Transfer& transfer = round.round->transfers[id.index()];
      const std::uint32_t chunk = schedule_.chunk_of(*round.round, transfer, repeat - round.first_repeat);
      ready_.push_back({MessageId(repeat * stride_ + id.index()), round.qp[id], schedule_.chunks[chunk]});
    }
  }

  void receive(MessageId message) {
    const std::uint32_t repeat = message.index() / stride_;
    const PositionId position = round_of(repeat).round->transfers[message.index() % stride_].to;
    State& state = states_[position];
    const std::uint32_t ahead = repeat - state.repeat;
    if (state.arrived.size() <= ahead) state.arrived.resize(ahead + 1, 0);
    state.arrived[ahead]++;
    move_on(position);
  }

  /// Lets `position` send as far as what it has received allows.
  void move_on(PositionId position) {
    State& state = states_[position];
    while (state.repeat < repeats_ && state.arrived.front() == round_of(state.repeat).receives[position]) {
      state.arrived.erase(state.arrived.begin());
      if (state.arrived.empty()) state.arrived.push_back(0);
      state.repeat++;
      send(position);
    }
  }

  void post() {
    if (!ready_.empty()) engine_.post(ready_, engine_.now());
    ready_.clear();
  }

  const Schedule& schedule_;
  Engine& engine_;
  Progress& progress_;
  std::vector<PreparedRound> rounds_;
  Table<PositionId, State> states_;
  std::vector<Message> ready_;
  std::uint32_t repeats_ = 0, stride_ = 1;
};

}  // namespace

Picoseconds play(const Schedule& schedule, std::span<const EndpointId> seats, Engine& engine, Progress& progress) {
  return Player(schedule, seats, engine, progress).run();
}

}  // namespace railyard
