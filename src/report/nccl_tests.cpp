#include "report/nccl_tests.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::int64_t kFloat = 4;  // bytes of an element

/// Two digits after the point where there is room for them, as nccl-tests does.
std::string time_text(Picoseconds time) {
  const double us = microseconds(time);
  if (us >= 10000) return fmt::format("{:7.0f}", us);
  return us >= 100 ? fmt::format("{:7.1f}", us) : fmt::format("{:7.2f}", us);
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::reduce;
}
bool has_root(CollectiveKind kind) { return kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce; }

/// Elements of one rank's part where nccl-tests counts those.
std::int64_t count_of(CollectiveKind kind, Bytes size, std::uint32_t ranks) {
  const bool parts =
      kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::all_to_all;
  return size.count() / kFloat / (parts ? ranks : 1);
}

std::string row(CollectiveKind kind, const CollectivePoint& p, std::uint32_t ranks) {
  std::string text = fmt::format("{:12}  {:12}  {:>8}  {:>6}  {:>6}", p.size.count(), count_of(kind, p.size, ranks), "float",
                                 reduces(kind) ? "sum" : "none", has_root(kind) ? "0" : "-1");
  for (int place = 0; place < 2; place++)
    text += fmt::format("  {:>7}  {:6.2f}  {:6.2f}  {:6}", time_text(p.time), p.algbw_gbs, p.busbw_gbs, 0);
  return text + "\n";
}

/// "2(factor)" or "1048576(bytes)".
std::string step_of(const SizeSweep& asked) {
  return asked.step > Bytes::zero() ? fmt::format("{}(bytes)", asked.step.count()) : fmt::format("{}(factor)", asked.factor);
}

std::string header(const Results& results, const SizeSweep& asked) {
  std::string text = fmt::format(
      "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: {} warmup iters: 0 iters: 1 agg iters: 1 validation: 0 graph: 0\n#\n",
      asked.first.count(), asked.last.count(), step_of(asked));
  text += fmt::format("# Railyard: {}, {} over {} ranks, simulated ({})\n#\n", printable(results.name), results.collective,
                      results.ranks, results.library.empty() ? "no library" : results.library);
  const auto columns = [](std::string_view size, std::string_view count, std::string_view type, std::string_view op,
                          std::string_view root, std::string_view time, std::string_view algbw, std::string_view busbw,
                          std::string_view wrong) {
    std::string line = fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}", size, count, type, op, root);
    for (int place = 0; place < 2; place++) line += fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", time, algbw, busbw, wrong);
    return line + "\n";
  };
  text += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}           out-of-place                       in-place          \n",
                      "", "", "", "", "");
  text += columns("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
  text += columns("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "");
  return text;
}

/// "# 8 B to 1 MiB: ring LL, 16 channels", one line per run of equal choices.
std::string choices(const Results& results) {
  const auto how = [](const CollectivePoint& p) {
    return p.protocol.empty()
               ? p.algorithm
               : fmt::format("{} {}, {} channel{}", p.algorithm, p.protocol, p.channels, p.channels == 1 ? "" : "s");
  };
  std::string text;
  const std::vector<CollectivePoint>& points = results.points;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t last = i;
    while (last + 1 < points.size() && how(points[last + 1]) == how(points[i])) last++;
    text += last == i ? fmt::format("# {}: {}\n", format(points[i].size), how(points[i]))
                      : fmt::format("# {} to {}: {}\n", format(points[i].size), format(points[last].size), how(points[i]));
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string nccl_tests_table(const Scenario& scenario, const Results& results, const SizeSweep& asked) {
  std::string text = header(results, asked);
  double sum = 0;
  for (const CollectivePoint& point : results.points) {
    text += row(scenario.workload.collective->kind, point, results.ranks);
    sum += point.busbw_gbs;
  }
  text += "# Out of bounds values : 0 OK\n";
  text += fmt::format("# Avg bus bandwidth    : {:.6g} \n#\n", sum / static_cast<double>(results.points.size()));
  return text + choices(results);
}

}  // namespace railyard
