#include "sim/step/piece_engine.h"

#include <algorithm>

namespace railyard {

namespace {

/// The number of a free row, or of a new one.
template<class Row>
std::uint32_t take_row(std::vector<Row>& rows, std::vector<std::uint32_t>& free) {
  if (free.empty()) {
    rows.emplace_back();
    return static_cast<std::uint32_t>(rows.size() - 1);
  }
  const std::uint32_t row = free.back();
  free.pop_back();
  return row;
}

}  // namespace

QpId PieceEngine::open(const QueuePair& qp) { return open(Bundle{.edges = {{qp.from, qp.to, 1}}}); }

QpId PieceEngine::open(TrunkId hop) {
  Lines opened;
  opened.lines.push_back({engine_->open(hop), {}, {}, 1, {}, 0, {}});
  connections_++;
  return bundles_.push(std::move(opened));
}

QpId PieceEngine::open(const Bundle& bundle) {
  RY_CHECK(!bundle.edges.empty(), "a bundle has edges");
  const std::vector<RingPlace> places = ring_places(bundle.edges);
  Lines opened;
  for (std::size_t i = 0; i < bundle.edges.size(); i++) {
    const Edge& edge = bundle.edges[i];
    const QpId connection = engine_->open(Bundle{
        .edges = {{edge.from, edge.to, 1}}, .hops = {}, .flow_ends = {}, .priority = bundle.priority, .lane = bundle.lane});
    opened.lines.push_back({connection, edge.from, edge.to, edge.share, places[i], 0, {}});
  }
  connections_ += opened.lines.size();
  return bundles_.push(std::move(opened));
}

void PieceEngine::post(std::span<const Message> messages, Picoseconds at) {
  for (const Message& message : messages) begin(message, Pieces{.count = 1}, at);
  post_ready(at);
}

void PieceEngine::post_in_steps(const Message& message, std::uint32_t steps, Picoseconds at) {
  begin(message, cut_into_pieces(static_cast<double>(message.size.count()), steps), at);
  post_ready(at);
}

void PieceEngine::begin(const Message& message, const Pieces& pieces, Picoseconds at) {
  const std::uint32_t index = take_row(calls_, free_calls_);
  Call& call = calls_[index];
  const std::size_t edges = bundles_[message.qp].lines.size();
  call = {.id = message.id,
          .bundle = message.qp,
          .size = message.size,
          .pieces = pieces,
          .posted = at,
          .edges = std::vector<Progressed>(edges),
          .edges_left = edges,
          .ended = 0};
  for (std::uint32_t edge = 0; edge < edges; edge++) send(index, edge);
}

/// At least a byte a piece: an edge that carries next to nothing keeps step with the others.
Bytes PieceEngine::bytes_of(const Call& call, const Line& line) {
  const auto bytes = static_cast<std::int64_t>(static_cast<double>(call.size.count()) * line.share);
  return Bytes(std::max<std::int64_t>(bytes, call.pieces.count));
}

/// All that an edge may send now: the room of its connection, and what the edge before it has brought.
void PieceEngine::send(std::uint32_t index, std::uint32_t edge) {
  Call& call = calls_[index];
  const Line& line = bundles_[call.bundle].lines[edge];
  const bool passes_on = call.pieces.steps > 1 && line.place.before != RingPlace::kNobody;
  const Bytes all = bytes_of(call, line);
  const std::uint32_t limit = std::min(call.pieces.count, call.edges[edge].arrived + kMostPiecesInFlight);
  for (std::uint32_t& next = call.edges[edge].sent; next < limit; next++) {
    if (passes_on && call.pieces.is_passed_on(next) && next >= call.edges[line.place.before].arrived + call.pieces.per_step)
      break;
    const std::uint32_t piece = take_row(pieces_, free_pieces_);
    pieces_[piece] = {index, edge};
    ready_.push_back({MessageId(piece), line.connection, call.pieces.piece(all, next)});
  }
}

void PieceEngine::post_ready(Picoseconds at) {
  if (!ready_.empty()) engine_->post(ready_, at);
  ready_.clear();
}

Picoseconds PieceEngine::advance(Picoseconds until, std::vector<Completion>& done) {
  const std::size_t before = done.size();
  for (;;) {
    pieces_done_.clear();
    const Picoseconds reached = engine_->advance(until, pieces_done_);
    for (const Completion& completion : pieces_done_) arrive(completion, done);
    post_ready(reached);
    if (done.size() > before) {
      std::sort(done.begin() + static_cast<std::ptrdiff_t>(before), done.end(),
                [](const Completion& a, const Completion& b) { return a.id < b.id; });
      return reached;
    }
    if (pieces_done_.empty()) return reached;
  }
}

void PieceEngine::arrive(const Completion& completion, std::vector<Completion>& done) {
  const Sent piece = pieces_[completion.id.index()];
  free_pieces_.push_back(completion.id.index());
  Call& call = calls_[piece.call];
  if (++call.edges[piece.edge].arrived == call.pieces.count) end_edge(call, piece.edge, completion.at);
  send(piece.call, piece.edge);
  const std::uint32_t after = bundles_[call.bundle].lines[piece.edge].place.after;
  if (call.pieces.steps > 1 && after != RingPlace::kNobody) send(piece.call, after);
  if (call.edges_left > 0) return;
  done.push_back({call.id, completion.at});
  free_calls_.push_back(piece.call);
}

void PieceEngine::end_edge(Call& call, std::uint32_t edge, Picoseconds at) {
  call.ended += seconds(at - call.posted);
  if (--call.edges_left > 0 || call.edges.size() == 1) return;
  Line& line = bundles_[call.bundle].lines[edge];
  const double mean = call.ended / static_cast<double>(call.edges.size());
  line.last++;
  line.behind += std::max(Picoseconds::zero(), at - call.posted - from_seconds(mean));
}

void PieceEngine::rewind(Sharing sharing) {
  engine_->rewind(sharing);
  calls_.clear();
  free_calls_.clear();
  pieces_.clear();
  free_pieces_.clear();
  for (Lines& bundle : bundles_)
    for (Line& line : bundle.lines) line.last = 0, line.behind = {};
}

std::vector<PieceEngine::Straggler> PieceEngine::stragglers(std::size_t most) const {
  std::vector<Straggler> all;
  for (const Lines& bundle : bundles_)
    for (const Line& line : bundle.lines)
      if (line.last > 0) all.push_back({line.from, line.to, line.last, line.behind});
  std::stable_sort(all.begin(), all.end(), [](const Straggler& a, const Straggler& b) { return a.behind > b.behind; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace railyard
