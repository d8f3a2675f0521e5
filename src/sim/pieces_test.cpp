#include "sim/pieces.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Pieces, are_no_larger_than_64_KiB_and_sum_to_the_whole) {
  for (const std::int64_t bytes : {1LL, 4096LL, 65'536LL, 65'537LL, 10'000'000LL, 3'000'000'001LL})
    for (const std::uint32_t steps : {1U, 2U, 7U, 62U}) {
      const Pieces pieces = cut_into_pieces(static_cast<double>(bytes), steps);
      Bytes sum;
      for (std::uint32_t i = 0; i < pieces.count; i++) {
        EXPECT_LE(pieces.piece(Bytes(bytes), i), kPiece);
        sum += pieces.piece(Bytes(bytes), i);
      }
      EXPECT_EQ(sum, Bytes(bytes));
      EXPECT_EQ(pieces.count % (pieces.per_step * steps), 0U) << "every rank ends with a whole round";
    }
}

TEST(Pieces, begin_again_with_own_data_after_all_steps) {
  const Pieces pieces = cut_into_pieces(6 * 1024 * 1024, 3);
  EXPECT_EQ(pieces.per_step, 8U);
  EXPECT_FALSE(pieces.is_passed_on(7));
  EXPECT_TRUE(pieces.is_passed_on(8));
  EXPECT_TRUE(pieces.is_passed_on(23));
  EXPECT_FALSE(pieces.is_passed_on(24));
}

TEST(Pieces, of_rings_pass_on_what_came_in) {
  const std::vector<Edge> edges = {{EndpointId(4), EndpointId(2)},
                                   {EndpointId(2), EndpointId(9)},
                                   {EndpointId(9), EndpointId(4)},
                                   {EndpointId(1), EndpointId(3)}};
  const std::vector<RingPlace> places = ring_places(edges);
  EXPECT_EQ(places[0].after, 1U);
  EXPECT_EQ(places[1].before, 0U);
  EXPECT_EQ(places[2].after, 0U);
  EXPECT_EQ(places[3].after, RingPlace::kNobody);
  EXPECT_EQ(places[3].before, RingPlace::kNobody);
}

}  // namespace
}  // namespace railyard
