#include "sim/collective/play.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/csr.h"
#include "base/divisor.h"
#include "base/large_array.h"
#include "sim/collective/early_arrivals.h"

namespace railyard {

namespace {

/// Deliveries after which whoever watches is told: telling them of each would take as long as some of the work itself.
constexpr std::uint64_t kMessagesToTell = 256;

/// Messages have numbers repeat by repeat, and those that a transfer does not take part in are left out; by transfer where that
/// would be too many.
bool numbers_by_transfer(const Schedule& schedule) {
  std::uint64_t numbers = 0;
  for (const Round& round : schedule.rounds) numbers += std::uint64_t{round.repeats} * round.transfers.size();
  return numbers > std::numeric_limits<std::uint32_t>::max();
}

/// The size of every chunk, if they have one.
std::optional<Bytes> only_size(const Chunks& chunks) {
  const Bytes largest = chunks.largest();
  const auto count = static_cast<std::int64_t>(chunks.count());
  const std::int64_t total = chunks.total().count();
  const bool is_only = count > 0 && total % count == 0 && total / count == largest.count();
  return is_only ? std::optional(largest) : std::nullopt;
}

}  // namespace

class SchedulePlayer::Player {
 public:
  Player(const Schedule& schedule, const Seats& seats, Engine& engine)
      : schedule_(schedule),
        seats_(seats),
        engine_(engine),
        states_(participants() * schedule.threads),
        early_(states_.size()) {
    RY_CHECK(seats.ranks.size() == schedule.positions, "every rank of a group has a seat");
    RY_CHECK(schedule.switches == 0 || (seats.up.size() == participants() && seats.down.size() == participants()),
             "every switch that computes has its trunks");
    RY_CHECK(schedule.messages() <= std::numeric_limits<std::uint32_t>::max(), "message ids of one collective fit 32 bits");
    list_pairs();
    for (const Round& round : schedule.rounds) prepare(round);
    give_back(pairs_);
    give_back(open_);
  }

  void begin() {
    RY_CHECK(left_ == 0, "a collective begins when it is over");
    left_ = schedule_.messages();
    for (const ThreadId thread : ids(states_)) {
      states_[thread] = {};
      early_[thread] = {};
      enter(thread, 0);
      move_on(thread);
    }
    post();
  }

  /// What those let go is posted at once.
  void arrive(std::span<const Completion> done) {
    for (const Completion& completion : done)
      if (!complete_one_send(completion.id)) complete(completion.id);
    left_ -= done.size();
    post();
  }

  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  using ThreadId = Id<struct ThreadTag>;  // of a position

  /// What a thread does in every repeat of a round, where that is little.
  struct OneSend {
    TransferId transfer;
    QpId qp;
    std::uint32_t awaited;
    std::uint32_t chunks;
  };

  /// A round with the relations that playing it needs.
  struct PreparedRound {
    const Round* round;
    std::uint32_t first_repeat;                 // counted over the whole schedule
    std::uint32_t first_message;                // id of the first transfer in the first repeat
    Csr<ThreadId, TransferId> sends;            // what each thread sends
    Csr<ThreadId, TransferId> receives;         // and what comes in
    Table<ThreadId, std::uint32_t> begin, end;  // repeats in which a thread has something to do, counted over the schedule
    Table<TransferId, QpId> qp;
    bool steady = true;                         // every transfer is done in every repeat
    Table<ThreadId, OneSend> one_send = {};     // by thread; empty unless steady, with no window, and every thread sends one
    Table<TransferId, ThreadId> receiver = {};  // where there is one_send, and messages have numbers by repeat
    Divisor transfers = Divisor(2);             // in a repeat, where there is receiver
  };

  /// Where a thread is: everything it has to wait for before `repeat` has arrived.
  struct State {
    std::uint32_t repeat = 0;
    std::uint32_t awaited = 0;  // arrivals that end `repeat`
    std::uint32_t arrived = 0;  // in `repeat`
    bool early = false;         // something is in early_
  };
  static_assert(sizeof(State) == 16, "a ring has one for every rank, and goes through them all again and again");

  [[nodiscard]] ThreadId sender(const Transfer& transfer) const {
    return ThreadId(transfer.from.index() * schedule_.threads + transfer.sender);
  }
  [[nodiscard]] ThreadId receiver(const Transfer& transfer) const {
    return ThreadId(transfer.to.index() * schedule_.threads + transfer.receiver);
  }
  [[nodiscard]] std::uint32_t participants() const { return schedule_.positions + schedule_.switches; }

  void prepare(const Round& round) {
    PreparedRound prepared{&round, repeats_, messages_, {}, {}, {}, {}, {}};
    prepared.begin = Table<ThreadId, std::uint32_t>(states_.size(), repeats_ + round.repeats);
    prepared.end = Table<ThreadId, std::uint32_t>(states_.size(), repeats_);
    std::vector<std::pair<ThreadId, TransferId>> sends, receives;
    for (const Transfer& transfer : round.transfers) {
      const TransferId id = prepared.qp.push(queue_pair(transfer));
      prepared.steady = prepared.steady && transfer.start == 0 && round.times == round.repeats;
      sends.emplace_back(sender(transfer), id);
      receives.emplace_back(receiver(transfer), id);
      for (const ThreadId end : {sender(transfer), receiver(transfer)}) {
        prepared.begin[end] = std::min(prepared.begin[end], repeats_ + transfer.start);
        prepared.end[end] = std::max(prepared.end[end], repeats_ + transfer.start + round.times);
      }
    }
    prepared.sends = Csr<ThreadId, TransferId>(states_.size(), sends);
    prepared.receives = Csr<ThreadId, TransferId>(states_.size(), receives);
    find_one_send(prepared);
    messages_ += static_cast<std::uint32_t>((by_transfer_ ? round.times : round.repeats) * round.transfers.size());
    repeats_ += round.repeats;
    rounds_.push_back(std::move(prepared));
  }

  void find_one_send(PreparedRound& round) const {
    if (!round.steady || round.round->window > 0) return;
    for (const ThreadId thread : ids(states_))
      if (round.sends.row(thread).size() != 1) return;
    round.one_send.reserve(states_.size());
    for (const ThreadId thread : ids(states_)) {
      const TransferId transfer = round.sends.row(thread).front();
      const auto awaited = static_cast<std::uint32_t>(round.receives.row(thread).size());
      round.one_send.push({transfer, round.qp[transfer], awaited, round.round->transfers[transfer.index()].chunks});
    }
    if (by_transfer_ || states_.size() < 2) return;
    for (const Transfer& transfer : round.round->transfers) round.receiver.push(receiver(transfer));
    round.transfers = Divisor(static_cast<std::uint32_t>(states_.size()));
  }

  [[nodiscard]] std::uint64_t pair_of(const Transfer& transfer) const {
    return std::uint64_t{sender(transfer).index()} << 32 | receiver(transfer).index();
  }

  /// Everybody who sends to somebody, in order: an all-to-all has too many for a table with a place of its own for each.
  void list_pairs() {
    std::size_t transfers = 0;
    for (const Round& round : schedule_.rounds) transfers += round.transfers.size();
    pairs_.reserve(transfers);
    for (const Round& round : schedule_.rounds)
      for (const Transfer& transfer : round.transfers) pairs_.push_back(pair_of(transfer));
    if (!std::is_sorted(pairs_.begin(), pairs_.end())) std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    open_.resize(pairs_.size());
  }

  /// Ranks talk to each other across the network, switches to their neighbours alone.
  QpId queue_pair(const Transfer& transfer) {
    const PositionId from = transfer.from, to = transfer.to;
    QpId& open =
        open_[static_cast<std::size_t>(std::lower_bound(pairs_.begin(), pairs_.end(), pair_of(transfer)) - pairs_.begin())];
    if (open.valid()) return open;
    if (!schedule_.is_switch(from) && !schedule_.is_switch(to))
      return open = engine_.open({seats_.ranks[from.index()], seats_.ranks[to.index()]});
    if (schedule_.parent[from] == to) return open = engine_.open(seats_.up[from.index()]);
    RY_CHECK(schedule_.parent[to] == from, "a switch exchanges with its parent and its children");
    return open = engine_.open(seats_.down[to.index()]);
  }

  const PreparedRound& round_of(std::uint32_t repeat) const {
    const PreparedRound* round = &rounds_.back();
    while (round->first_repeat > repeat) round--;
    return *round;
  }

  const PreparedRound& round_of(MessageId message) const {
    const PreparedRound* round = &rounds_.back();
    while (round->first_message > message.index()) round--;
    return *round;
  }

  /// Lets `thread` go on to `repeat`, or the next one in which it has something to do, and queues what it sends there.
  void enter(ThreadId thread, std::uint32_t repeat) {
    State& state = states_[thread];
    const PreparedRound* round = nullptr;
    while (repeat < repeats_) {
      round = &round_of(repeat);
      if (!round->one_send.empty()) break;
      repeat = std::max(repeat, round->begin[thread]);
      if (repeat < round->end[thread]) break;
      repeat = round->first_repeat + round->round->repeats;
    }
    if (repeat > state.repeat) state.arrived = state.early ? pass_early(thread, repeat - state.repeat) : 0;
    state.repeat = repeat;
    if (repeat < repeats_) send(*round, thread);
  }

  /// Returns what has arrived of the repeat that the thread comes to.
  std::uint32_t pass_early(ThreadId thread, std::uint32_t repeats) {
    EarlyArrivals& early = early_[thread];
    const std::uint32_t arrived = early.pass(repeats);
    states_[thread].early = !early.empty();
    return arrived;
  }

  void send(const PreparedRound& round, ThreadId thread) {
    State& state = states_[thread];
    const std::uint32_t repeat = state.repeat - round.first_repeat;
    if (!round.one_send.empty()) {
      const OneSend& send = round.one_send[thread];
      state.awaited = send.awaited;
      return make_ready(round, send, repeat);
    }
    const auto active = [&](const Transfer& transfer, std::uint32_t in) {
      return round.steady || round.round->active(transfer, in);
    };
    const std::uint32_t window = round.round->window;
    state.awaited = 0;
    for (const TransferId id : round.receives.row(thread))
      if (active(round.round->transfers[id.index()], repeat)) state.awaited++;
    for (const TransferId id : round.sends.row(thread)) {
      const Transfer& transfer = round.round->transfers[id.index()];
      if (window > 0 && repeat + 1 >= window && active(transfer, repeat + 1 - window)) state.awaited++;
      if (!active(transfer, repeat)) continue;
      make_ready(round, id, round.qp[id], repeat);
    }
  }

  void make_ready(const PreparedRound& round, const OneSend& send, std::uint32_t repeat) {
    if (!chunk_size_ || by_transfer_) return make_ready(round, send.transfer, send.qp, repeat);
    const auto transfers = static_cast<std::uint32_t>(round.one_send.size());
    const MessageId id(round.first_message + repeat * transfers + send.transfer.index());
    ready_.push_back({id, send.qp, *chunk_size_ * send.chunks});
  }

  void make_ready(const PreparedRound& round, TransferId id, QpId qp, std::uint32_t repeat) {
    const Transfer& transfer = round.round->transfers[id.index()];
    const Bytes size = chunk_size_ ? *chunk_size_ * transfer.chunks : schedule_.bytes_of(*round.round, transfer, repeat);
    ready_.push_back({number_of(round, id, repeat), qp, size});
  }

  [[nodiscard]] MessageId number_of(const PreparedRound& round, TransferId id, std::uint32_t repeat) const {
    const auto transfers = static_cast<std::uint32_t>(round.round->transfers.size());
    const std::uint32_t start = round.round->transfers[id.index()].start;
    return MessageId(round.first_message +
                     (by_transfer_ ? id.index() * round.round->times + repeat - start : repeat * transfers + id.index()));
  }

  /// Where it lets its receiver go on within a round of which each sends once and waits for one. False for others.
  bool complete_one_send(MessageId message) {
    const PreparedRound& round = round_of(message);
    if (round.receiver.empty()) return false;
    const std::uint32_t inside = message.index() - round.first_message, repeat = round.transfers.of(inside);
    const auto transfers = static_cast<std::uint32_t>(round.receiver.size());
    const ThreadId thread = round.receiver[TransferId(inside - repeat * transfers)];
    State& state = states_[thread];
    if (state.repeat != round.first_repeat + repeat || state.early || state.awaited != 1) return false;
    if (repeat + 1 == round.round->repeats) return false;
    state.repeat++;
    make_ready(round, round.one_send[thread], repeat + 1);
    return true;
  }

  void complete(MessageId message) {
    const PreparedRound& round = round_of(message);
    const std::uint32_t inside = message.index() - round.first_message, times = round.round->times;
    if (!round.receiver.empty()) {
      const std::uint32_t repeat = round.transfers.of(inside);
      const TransferId transfer(inside - repeat * static_cast<std::uint32_t>(round.receiver.size()));
      return arrive(round.receiver[transfer], round.first_repeat + repeat);
    }
    const auto transfers = static_cast<std::uint32_t>(round.round->transfers.size());
    const Transfer& transfer = round.round->transfers[by_transfer_ ? inside / times : inside % transfers];
    const std::uint32_t repeat = round.first_repeat + (by_transfer_ ? transfer.start + inside % times : inside / transfers);
    arrive(receiver(transfer), repeat);
    const std::uint32_t window = round.round->window;  // so many repeats later the sender waits for this one
    if (window > 0 && repeat + window <= round.end[sender(transfer)]) arrive(sender(transfer), repeat + window - 1);
  }

  void arrive(ThreadId thread, std::uint32_t repeat) {
    State& state = states_[thread];
    const std::uint32_t ahead = repeat - state.repeat;
    if (ahead == 0)
      state.arrived++;
    else
      state.early = true, early_[thread].add(ahead);
    move_on(thread);
  }

  /// Lets `thread` send as far as what it has received allows.
  void move_on(ThreadId thread) {
    const State& state = states_[thread];
    while (state.repeat < repeats_ && state.arrived == state.awaited) enter(thread, state.repeat + 1);
  }

  void post() {
    constexpr std::size_t kMany = 1U << 16;  // of which there are not so many again
    if (!ready_.empty()) engine_.post(ready_, engine_.now());
    ready_.clear();
    if (ready_.capacity() > kMany) give_back(ready_);
  }

  const Schedule& schedule_;
  const Seats seats_;
  Engine& engine_;
  const std::optional<Bytes> chunk_size_ = only_size(schedule_.chunks);
  std::vector<PreparedRound> rounds_;
  LargeArray<std::uint64_t> pairs_;  // sender and receiver, while rounds are prepared
  LargeArray<QpId> open_;            // by pair, as far as they are
  Table<ThreadId, State> states_;
  Table<ThreadId, EarlyArrivals> early_;  // in the repeats that follow
  LargeArray<Message> ready_;
  const bool by_transfer_ = numbers_by_transfer(schedule_);
  std::uint32_t repeats_ = 0, messages_ = 0;
  std::uint64_t left_ = 0;  // to be delivered
};

SchedulePlayer::SchedulePlayer(const Schedule& schedule, const Seats& seats, Engine& engine)
    : player_(std::make_unique<Player>(schedule, seats, engine)) {}
SchedulePlayer::~SchedulePlayer() = default;

void SchedulePlayer::begin() { player_->begin(); }
std::uint64_t SchedulePlayer::left() const { return player_->left(); }
void SchedulePlayer::arrive(std::span<const Completion> done) { player_->arrive(done); }

Picoseconds play(const Schedule& schedule, const Seats& seats, Engine& engine, Progress& progress) {
  SchedulePlayer player(schedule, seats, engine);
  const Picoseconds start = engine.now();
  player.begin();
  std::vector<Completion> done;
  std::uint64_t unsaid = 0;
  while (player.left() > 0) {
    done.clear();
    engine.advance(Picoseconds::max(), done);
    if (done.empty()) return Picoseconds::max();
    player.arrive(done);
    unsaid += done.size();
    if (unsaid < kMessagesToTell && player.left() > 0) continue;
    progress.add(std::exchange(unsaid, 0));
  }
  return engine.now() - start;
}

}  // namespace railyard
