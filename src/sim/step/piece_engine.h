// Bundles packet by packet: an engine of messages that carries whole collectives, piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine.h"
#include "sim/pieces.h"

namespace railyard {

/// Sends what is posted in steps as pieces over the connections of a bundle's edges (pieces.h), and other messages as they are.
/// An edge sends as much as may be in flight, and what it passes on as soon as that has come in. A message is delivered with
/// the last piece of its last edge.
class PieceEngine final : public Engine {
 public:
  /// How often an edge was the last of its bundle, and for how long after the mean of all edges.
  struct Straggler {
    EndpointId from, to;
    std::uint64_t calls = 0;
    Picoseconds behind;
  };

  /// `engine` carries messages between two endpoints, and nobody else uses it.
  explicit PieceEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  QpId open(const QueuePair& qp) override;
  QpId open(TrunkId hop) override;
  /// REQUIRES: the bundle has edges; `engine` has hops.
  QpId open(const Bundle& bundle) override;
  void post(std::span<const Message> messages, Picoseconds at) override;
  void post_in_steps(const Message& message, std::uint32_t steps, Picoseconds at) override;
  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override;
  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override { engine_->set_rate(port, rate, at); }
  [[nodiscard]] Picoseconds now() const override { return engine_->now(); }
  void rewind(Sharing sharing) override;
  void finish() override { engine_->finish(); }

  [[nodiscard]] std::uint64_t connections() const { return connections_; }
  /// Edges that were last of their bundle, those that held up others for longest first; `most` of them.
  [[nodiscard]] std::vector<Straggler> stragglers(std::size_t most) const;

 private:
  struct Line {
    QpId connection;
    EndpointId from, to;
    double share = 1;
    RingPlace place;
    std::uint64_t last = 0;  // calls in which it was
    Picoseconds behind;
  };
  struct Lines {
    std::vector<Line> lines;
  };
  struct Progressed {
    std::uint32_t sent = 0, arrived = 0;  // pieces
  };
  /// A message of a bundle on its way.
  struct Call {
    MessageId id;
    QpId bundle;
    Bytes size;
    Pieces pieces;
    Picoseconds posted;
    std::vector<Progressed> edges;
    std::size_t edges_left = 0;
    double ended = 0;  // seconds from the post, summed over edges that have
  };
  struct Sent {
    std::uint32_t call, edge;
  };

  void begin(const Message& message, const Pieces& pieces, Picoseconds at);
  void send(std::uint32_t call, std::uint32_t edge);
  void arrive(const Completion& completion, std::vector<Completion>& done);
  void end_edge(Call& call, std::uint32_t edge, Picoseconds at);
  void post_ready(Picoseconds at);
  [[nodiscard]] static Bytes bytes_of(const Call& call, const Line& line);

  const std::unique_ptr<Engine> engine_;
  Table<QpId, Lines> bundles_;
  std::uint64_t connections_ = 0;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> free_calls_;
  std::vector<Sent> pieces_;  // by message id of the engine
  std::vector<std::uint32_t> free_pieces_;
  std::vector<Message> ready_;           // to be posted
  std::vector<Completion> pieces_done_;  // scratch
};

}  // namespace railyard
