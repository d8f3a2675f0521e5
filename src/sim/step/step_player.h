// Takes every stage of a training step through its passes. Internal to step_run.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "sim/step/step_clock.h"
#include "sim/step/step_prices.h"
#include "sim/step/step_run.h"

namespace railyard {

/// Every stage is in one state at a time and goes on when it is woken: at a time it asked for, or by something that arrived.
class StepPlayer {
 public:
  /// Without a network every collective takes its closed form. All must outlive this.
  StepPlayer(const Scenario& scenario, const Step& step, const ClusterLinks& links, const StepNetwork* network,
             const Jitter* jitter, Progress& progress);

  /// What happened, without the step itself; or what never did.
  Result<StepRun> play();

  // The same in parts: whoever shares the network with others moves the clock in between.
  void begin();
  [[nodiscard]] StepClock& clock() { return clock_; }
  [[nodiscard]] const StepClock& clock() const { return clock_; }
  /// REQUIRES: the clock has nothing left to do.
  [[nodiscard]] StepRun end();
  /// What never arrives, where the clock cannot go on.
  [[nodiscard]] Diagnostics stuck() const;

 private:
  enum class Doing : std::uint8_t {
    waiting,     // for what the next pass needs
    parameters,  // for those of the next pass
    begin_block,
    begin_step,
    end_compute,  // of a step; its collectives may still be on their way
    next_step,
    end_block,  // the same for collectives beside it
    end_pair,   // of two passes interleaved, the same
    end_pass,   // the rest of its parameters may still be on their way
    sending,    // where nothing may run beside that
    reduce,     // all passes are done; gradients may still be on their way
    optimize,
    gather,  // parameters, where nothing may run beside that
    ended,
  };

  struct Stage {
    Doing doing = Doing::waiting;
    Picoseconds until;     // asleep before that
    std::size_t next = 0;  // slot in the order of passes
    // The pass at hand.
    Picoseconds pass_start, run_start, run_end, block_start, step_start;
    const PassProgram* program = nullptr;
    const Interleaved* pair = nullptr;
    std::size_t block = 0, step = 0;
    std::uint32_t repeat = 0;
    PassCost cost;
    std::vector<Served> beside_step, beside_block;  // collectives that have ended
    std::uint32_t sending = 0;                      // messages under way
    // The step as a whole.
    std::vector<bool> usable, gathered;         // parameters, by chunk
    std::vector<std::size_t> last_backward;     // by chunk: index in the order of passes
    std::vector<std::uint16_t> reduced_chunks;  // in the order of their last backward pass
    std::vector<Served> data;                   // gradients and parameters that have travelled
    std::size_t gradients_left = 0;
    Picoseconds computed, traffic, gather_end, gather_shown;
    Picoseconds waits_shown;  // delays of parameters that passes waited for
    Picoseconds idle_data;    // delays of data parallelism beside compute, which loses nothing to them
  };

  [[nodiscard]] const PipelinePlan& plan() const { return step_.pipeline; }
  [[nodiscard]] const Slot& slot(std::uint32_t stage) const { return plan().order[stage][stages_[stage].next]; }
  [[nodiscard]] const Slot* partner(std::uint32_t stage) const;
  [[nodiscard]] std::size_t seat_index(Seat seat) const { return std::size_t{seat.stage} * plan().chunks + seat.chunk; }

  // One state after the other; true: go on at once.
  void proceed(std::uint32_t stage);
  bool go_on(std::uint32_t stage);
  bool then(std::uint32_t stage, Doing doing, Picoseconds at);

  // Passes (step_player.cpp).
  bool begin_pass(std::uint32_t stage);
  bool begin_run(std::uint32_t stage);
  bool begin_pair(std::uint32_t stage);
  bool begin_block(std::uint32_t stage);
  bool begin_step(std::uint32_t stage);
  bool end_compute(std::uint32_t stage);
  bool next_step(std::uint32_t stage);
  bool end_block(std::uint32_t stage);
  bool end_pair(std::uint32_t stage);
  bool end_pass(std::uint32_t stage);
  bool end_sending(std::uint32_t stage);
  [[nodiscard]] bool has_input(std::uint32_t stage, const Slot& slot) const;
  [[nodiscard]] bool lacks_parameters(std::uint32_t stage, const std::vector<bool>& there) const;
  void wait_for_parameters(std::uint32_t stage, Picoseconds waited);
  void send(std::uint32_t stage, const Slot& slot);
  void receive(Seat seat, bool forward, std::uint32_t micro_batch_index);
  void account(std::uint32_t stage);

  // Data parallelism and the end of the step (step_data.cpp).
  void enqueue_gathers(std::uint32_t stage);
  void mark_gathered(std::uint32_t stage, std::uint16_t chunk);
  void begin_last_backward(std::uint32_t stage, const Slot& slot, std::size_t at, Picoseconds span);
  void enqueue_gradients(std::uint32_t stage, std::uint16_t chunk, Picoseconds start, Picoseconds span);
  void end_data_job(std::uint32_t stage, const Job& job, const Served& served);
  bool finish_passes(std::uint32_t stage);
  bool reduce(std::uint32_t stage);
  bool optimize(std::uint32_t stage);
  bool gather(std::uint32_t stage);

  /// One more call of what `item` is, with the delay that [jitter] has for it.
  CommItem call(std::uint32_t stage, CommItem item);
  void note_idle_data(std::uint32_t stage, const std::vector<Served>& items, Picoseconds from, Picoseconds to);

  // What ops took.
  void note(std::uint32_t stage, const Served& served);
  void attribute(const std::vector<Served>& items, const GroupTimes& exposed);

  const Scenario& s_;
  const Step& step_;
  const StepNetwork* const network_;
  const Jitter* const jitter_;
  Progress& progress_;
  StepRun run_;
  StepPrices prices_;
  StepClock clock_;
  std::vector<Stage> stages_;
  std::vector<std::vector<bool>> forward_here_, backward_here_;  // by seat and micro-batch: its input has arrived
  std::map<std::pair<GroupKind, std::string_view>, OpTimes> ops_;
  std::uint32_t unreduced_, in_passes_;  // stages that have not reduced all gradients, or not done all passes
  Picoseconds reduced_;                  // by all stages
};

/// Durations by kind of group.
GroupTimes times_of(const std::vector<Served>& items);
/// The parts of their delays that lie between two times, the same.
GroupTimes waits_of(const std::vector<Served>& items, Picoseconds from, Picoseconds to);

}  // namespace railyard
