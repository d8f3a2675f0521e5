#include <gtest/gtest.h>

#include "base/csr.h"
#include "base/id.h"

namespace railyard {
namespace {

TEST(Table, rows_are_found_by_the_id_that_push_returned) {
  Table<NodeId, int> table;
  const NodeId a = table.push(7), b = table.push(8);
  EXPECT_EQ(table[a], 7);
  EXPECT_EQ(table[b], 8);
  EXPECT_EQ(ids(table).size(), 2U);
  EXPECT_FALSE(NodeId().valid());
}

TEST(TableDeathTest, a_foreign_row_stops_the_program_with_what_was_expected) {
  Table<NodeId, int> table(2);
  EXPECT_DEATH((void)table[NodeId(2)], "expected that an id indexes a row of its own table");
}

TEST(Csr, rows_keep_the_order_of_their_pairs) {
  using Pair = std::pair<NodeId, PortId>;
  const std::vector<Pair> pairs = {{NodeId(2), PortId(9)}, {NodeId(0), PortId(5)}, {NodeId(2), PortId(4)}};
  const Csr<NodeId, PortId> csr(3, pairs);
  EXPECT_EQ(csr.rows(), 3U);
  EXPECT_TRUE(csr.row(NodeId(1)).empty());
  ASSERT_EQ(csr.row(NodeId(2)).size(), 2U);
  EXPECT_EQ(csr.row(NodeId(2))[0], PortId(9));
  EXPECT_EQ(csr.row(NodeId(2))[1], PortId(4));
}

TEST(CsrDeathTest, a_pair_outside_the_rows_stops_the_program) {
  const std::vector<std::pair<NodeId, PortId>> pairs = {{NodeId(3), PortId(0)}};
  EXPECT_DEATH((Csr<NodeId, PortId>(3, pairs)), "a pair names a row that exists");
}

}  // namespace
}  // namespace railyard
