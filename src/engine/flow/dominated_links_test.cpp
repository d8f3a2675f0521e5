#include "engine/flow/dominated_links.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

/// Flow 0 crosses links 0, 1 and 2, flow 1 links 0 and 2.
struct TwoFlows {
  std::vector<std::int64_t> capacity{100, 100, 100};
  std::vector<std::uint32_t> first{0, 3, 5}, link{0, 1, 2, 0, 2};
  std::vector<std::uint64_t> fraction{8, 8, 8, 4, 4};

  [[nodiscard]] std::vector<bool> left() const {
    std::vector<bool> matters(capacity.size(), true);
    drop_dominated_links(capacity, {first, link, fraction}, matters);
    return matters;
  }
};

TEST(DominatedLinks, a_link_goes_whose_flows_are_some_of_another) {
  EXPECT_EQ(TwoFlows().left(), (std::vector<bool>{true, false, false}));  // of links 0 and 2, which are equal, one stays
}

TEST(DominatedLinks, a_link_stays_that_is_narrower) {
  TwoFlows flows;
  flows.capacity = {100, 99, 100};
  EXPECT_EQ(flows.left(), (std::vector<bool>{true, true, false}));
}

TEST(DominatedLinks, a_link_stays_that_a_flow_puts_more_on) {
  TwoFlows flows;
  flows.fraction = {8, 8, 7, 4, 5};
  EXPECT_EQ(flows.left(), (std::vector<bool>{true, false, true}));
}

TEST(DominatedLinks, a_link_that_does_not_matter_dominates_nobody) {
  TwoFlows flows;
  std::vector<bool> matters{false, true, false};
  drop_dominated_links(flows.capacity, {flows.first, flows.link, flows.fraction}, matters);
  EXPECT_EQ(matters, (std::vector<bool>{false, true, false}));
}

}  // namespace
}  // namespace railyard
