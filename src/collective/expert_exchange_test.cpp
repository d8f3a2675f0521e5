#include "collective/expert_exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "catalog/catalog.h"

namespace railyard {
namespace {

constexpr std::uint32_t kExperts = 256;  // as the kernels' own tests have them
constexpr std::uint32_t kGroupLimit = 4;

/// DeepEP's setting: top-8 of 256 experts, in at most four nodes.
ExpertExchange setting(const std::string& gpu, std::uint32_t ranks, std::uint32_t tokens) {
  ExpertExchange e;
  e.ranks = ranks;
  e.tokens = tokens;
  e.hidden = 7168;
  e.top_k = 8;
  const std::uint32_t nodes = std::max(1U, ranks / e.per_node), near = std::min(nodes, kGroupLimit);
  e.nodes_visited = distinct(kExperts / nodes * near, near, e.top_k);
  e.ranks_visited = distinct(kExperts / nodes * near, near * e.per_node, e.top_k);
  e.kernels = builtin_catalog().exchanges.find("DeepEP")->fact;
  e.link = static_cast<double>(builtin_catalog().gpus.find(gpu)->fact.scale_up_rate.count()) / 8 * e.kernels.usable_link_share;
  e.nic = 50e9 * 0.98;
  return e;
}

TEST(ExpertExchange, is_within_fifteen_per_cent_of_every_published_row) {
  std::ifstream file(RAILYARD_PUBLISHED "/deepep.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    std::stringstream words(line);
    std::vector<std::string> cell;
    for (std::string word; std::getline(words, word, ',');) cell.push_back(word);
    const auto ranks = static_cast<std::uint32_t>(std::stoul(cell[3])),
               tokens = static_cast<std::uint32_t>(std::stoul(cell[5]));
    const ExpertExchange exchange = setting(cell[1], ranks, tokens);
    const ExchangePhase phase = cell[8] == "dispatch" ? ExchangePhase::dispatch : ExchangePhase::combine;
    const ExchangeEstimate found =
        cell[2] == "normal" ? normal_exchange(phase, exchange) : low_latency_exchange(phase, exchange);
    const double error = found.reported / 1e9 / std::stod(cell[9]) - 1;
    EXPECT_LE(std::abs(error), 0.15) << line;
    if (!cell[10].empty()) {
      EXPECT_LE(std::abs(microseconds(found.time) / std::stod(cell[10]) - 1), 0.15) << line;
    }
    if (std::getenv("RAILYARD_SHOW_ROWS"))
      std::cout << cell[0] << " " << cell[1] << " " << cell[2] << " EP" << ranks << " " << cell[8] << ": published " << cell[9]
                << " GB/s " << cell[10] << ", predicted " << found.reported / 1e9 << " GB/s " << microseconds(found.time)
                << " us, error " << std::round(1000 * error) / 10 << " %\n";
    rows++;
  }
  EXPECT_EQ(rows, 38);
}

TEST(ExpertExchange, reports_most_on_four_nodes_because_of_what_is_counted) {
  std::vector<double> reported, remote;
  for (const std::uint32_t ranks : {16U, 32U, 64U, 128U}) {
    const ExpertExchange e = setting("H800-SXM-80", ranks, 4096);
    const ExchangeEstimate found = normal_exchange(ExchangePhase::dispatch, e);
    EXPECT_EQ(found.limit, ranks > 16 ? ExchangeLimit::network : ExchangeLimit::scale_up) << ranks;
    reported.push_back(found.reported);
    remote.push_back(found.reported * (1 - 8.0 / ranks));
  }
  EXPECT_LT(reported[0], reported[3]);
  EXPECT_GT(reported[1], reported[2]);
  EXPECT_GT(reported[2], reported[3]);
  for (std::size_t i = 1; i < remote.size(); i++) EXPECT_NEAR(remote[i] / (49e9 * 0.9), 1, 1e-6);
}

TEST(ExpertExchange, bytes_are_those_of_copies_that_leave_the_gpu) {
  const ExpertExchange e = setting("H800-SXM-80", 32, 128);
  const double copies = 128.0 * 8 * 7168 * 2;  // of bf16 values, to every expert
  const ExchangeEstimate found = low_latency_exchange(ExchangePhase::combine, e);
  EXPECT_NEAR(found.network_bytes, copies * 3 / 4, 1);       // three of four nodes
  EXPECT_NEAR(found.scale_up_bytes, copies / 4 * 7 / 8, 1);  // seven of eight GPUs
  EXPECT_EQ(found.limit, ExchangeLimit::network);
  EXPECT_EQ(normal_exchange(ExchangePhase::combine, setting("H800-SXM-80", 8, 128)).network_bytes, 0);
}

TEST(ExpertExchange, of_few_tokens_is_limited_by_latency) {
  const ExchangeEstimate found = low_latency_exchange(ExchangePhase::dispatch, setting("H800-SXM-80", 64, 4));
  EXPECT_EQ(found.limit, ExchangeLimit::latency);
}

TEST(ExpertExchange, never_beats_its_links_and_takes_longer_with_more_tokens) {
  for (const std::uint32_t ranks : {2U, 8U, 16U, 64U, 256U})
    for (const ExchangePhase phase : {ExchangePhase::dispatch, ExchangePhase::combine}) {
      Picoseconds normal, direct;
      for (std::uint32_t tokens = 64; tokens <= 16384; tokens *= 2) {
        const ExpertExchange e = setting("H800-SXM-80", ranks, tokens);
        const ExchangeEstimate a = normal_exchange(phase, e), b = low_latency_exchange(phase, e);
        EXPECT_GT(a.time, normal);
        EXPECT_GT(b.time, direct);
        const double away = std::max(0.0, 1 - 8.0 / ranks), least = tokens * 7168.0;
        EXPECT_GE(seconds(a.time), least * e.nodes_visited * away / e.nic);
        EXPECT_GE(seconds(b.time), least * e.top_k * away / e.nic);
        normal = a.time;
        direct = b.time;
      }
    }
}

TEST(ExpertExchange, distinct_partitions_are_those_of_a_small_enumeration) {
  EXPECT_NEAR(distinct(4, 2, 2), 2 - 2.0 / 6, 1e-12);  // of six pairs, two lie in one half
  EXPECT_NEAR(distinct(8, 8, 3), 3, 1e-12);
  EXPECT_NEAR(distinct(6, 1, 2), 1, 1e-12);
  EXPECT_NEAR(distinct(4, 2, 3), 2, 1e-12);
}

}  // namespace
}  // namespace railyard
