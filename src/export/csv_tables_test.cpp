#include "export/csv_tables.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace railyard {
namespace {

std::vector<CsvTable> tables(const char* json) {
  const Result<Document> document = parse_json(json, "test.json", "RY-DIF-001");
  EXPECT_TRUE(document);
  return csv_tables(*document);
}

std::string text_of(const std::vector<CsvTable>& all, const std::string& name) {
  for (const CsvTable& table : all)
    if (table.name() == name) return table.text();
  return "none";
}

TEST(CsvTables, single_values_are_a_summary_by_path) {
  const auto all = tables(R"({"step_s": 1.5, "mfu": {"causal": 0.4}, "name": "a, \"b\"", "nothing": null})");
  EXPECT_EQ(text_of(all, "summary"), "key,value\nstep_s,1.5\nmfu.causal,0.4\nname,\"a, \"\"b\"\"\"\nnothing,\n");
  EXPECT_EQ(all.size(), 1U);
}

TEST(CsvTables, the_summary_alone_is_that_of_all_tables) {
  const Result<Document> document =
      parse_json(R"({"a": 1, "b": {"c": {"d": "x"}, "rows": [{"y": 1}]}, "list": [1, 2], "e": 2})", "test.json", "RY-DIF-001");
  ASSERT_TRUE(document);
  EXPECT_EQ(csv_summary(*document).text(), "key,value\na,1\nb.c.d,x\ne,2\n");
  EXPECT_EQ(csv_summary(*document).text(), csv_tables(*document).front().text());
}

TEST(CsvTables, rows_that_lack_a_member_have_an_empty_cell) {
  EXPECT_EQ(text_of(tables(R"({"tiers": [{"tier": "up", "us": {"p99": 2}}, {"tier": "down", "idle": true}]})"), "tiers"),
            "tier,us.p99,idle\nup,2,\ndown,,true\n");
}

TEST(CsvTables, lists_in_rows_are_tables_that_name_their_row) {
  const auto all = tables(R"({"bursts": [{"where": "nic", "at": [{"s": 1}, {"s": 2}]}, {"where": "leaf", "at": [{"s": 3}]}]})");
  EXPECT_EQ(text_of(all, "bursts"), "where\nnic\nleaf\n");
  EXPECT_EQ(text_of(all, "bursts.at"), "bursts,bursts.where,s\n0,nic,1\n0,nic,2\n1,leaf,3\n");
}

TEST(CsvTables, samples_are_columns_beside_their_clock) {
  const auto all = tables(R"({"over": {"at_us": [5, 6], "ports": [{"port": "a", "gbps": [1, 2], "depth": [3, 4]}]}})");
  EXPECT_EQ(text_of(all, "over.at_us"), "i,at_us\n0,5\n1,6\n");
  EXPECT_EQ(text_of(all, "over.ports.series"), "ports,ports.port,i,at_us,gbps,depth\n0,a,0,5,1,3\n0,a,1,6,2,4\n");
}

TEST(CsvTables, lists_of_unlike_length_do_not_share_a_table) {
  const auto all = tables(R"({"x": {"a": [1, 2], "b": [3, 4], "c": [5]}, "matrix": [[1, 2], [3, 4]]})");
  EXPECT_EQ(text_of(all, "x.series.2"), "i,a,b\n0,1,3\n1,2,4\n");
  EXPECT_EQ(text_of(all, "x.c"), "i,c\n0,5\n");
  EXPECT_EQ(text_of(all, "matrix"), "matrix,0,1\n0,1,2\n1,3,4\n");
}

}  // namespace
}  // namespace railyard
