#include "scenario/read/traffic_file.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

/// The one finding that `text` gives, with its line.
std::string mistake(const std::string& text) {
  const auto read = read_traffic(text, "flows.csv");
  if (read) return "none";
  EXPECT_EQ(read.error().size(), 1U);
  return to_text(read.error().front());
}

TEST(TrafficFile, flows_are_read_exactly_whatever_the_order_of_columns) {
  const auto flows = read_traffic("start_us,source,destination,bytes\n0.5, 3,0,2000000\r\n# none\n\n1e2,1,2,1\n", "f.csv");
  ASSERT_TRUE(flows);
  ASSERT_EQ(flows->size(), 2U);
  EXPECT_EQ((*flows)[0].start, 500_ns);
  EXPECT_EQ((*flows)[0].source, 3U);
  EXPECT_EQ((*flows)[0].destination, 0U);
  EXPECT_EQ((*flows)[0].size, Bytes(2'000'000));
  EXPECT_EQ((*flows)[1].start, 100_us);
  EXPECT_EQ((*flows)[1].line, 5U);
  const auto other = read_traffic("src,dst,bytes,start_s\n3,0,2000000,0.0000005", "f.csv");
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)[0].start, 500_ns);
  EXPECT_EQ((*other)[0].source, 3U);
}

TEST(TrafficFile, every_mistake_says_what_where_and_what_to_do) {
  const std::string head = "start_us,source,destination,bytes\n";
  EXPECT_EQ(mistake(""),
            "flows.csv: error RY-SCN-100: this file lists no flows; begin with the line "
            "start_us,source,destination,bytes, and write one line per flow");
  EXPECT_EQ(mistake("start_us,from,to,bytes\n0,0,1,1\n"),
            "flows.csv:1:1: error RY-SCN-100: unknown column \"from\"; begin with the line start_us,source,destination,bytes");
  EXPECT_NE(mistake("start_us,start_s,source,destination,bytes\n").find("occurs twice"), std::string::npos);
  EXPECT_NE(mistake("source,destination,bytes\n").find("a column is missing"), std::string::npos);
  EXPECT_NE(mistake(head + "0,0,1\n").find("flows.csv:2:1: error RY-SCN-100: this line has 3 values"), std::string::npos);
  for (const char* time : {"-1", "x", "", "1us", "1e12", "nan"})
    EXPECT_NE(mistake(head + time + ",0,1,1\n").find("is not a start time"), std::string::npos) << time;
  for (const char* host : {"-1", "a", "", "4294967296", "1.0"}) {
    EXPECT_NE(mistake(head + "0," + host + ",1,1\n").find("is not the number of a host"), std::string::npos) << host;
    EXPECT_NE(mistake(head + "0,0," + host + ",1\n").find("is not the number of a host"), std::string::npos) << host;
  }
  EXPECT_NE(mistake(head + "0,7,7,1\n").find("host 7 sends to itself; name two hosts"), std::string::npos);
  for (const char* size : {"0", "-4", "2MB", "1e6", "99999999999999999999", ""})
    EXPECT_NE(mistake(head + "0,0,1," + size + "\n").find("is not a number of bytes"), std::string::npos) << size;
}

TEST(TrafficFile, spreadsheets_may_write_it) {
  const auto flows = read_traffic("\xEF\xBB\xBFstart_us,source,destination,bytes\r\n1,0,1,5\r\n2,1,0,6 # end\r\n", "f.csv");
  ASSERT_TRUE(flows);
  ASSERT_EQ(flows->size(), 2U);
  EXPECT_EQ((*flows)[0].start, 1_us);
  EXPECT_EQ((*flows)[1].size, Bytes(6));
}

TEST(TrafficFile, a_time_is_the_same_however_it_is_written) {
  for (const auto& [text, picoseconds] :
       std::vector<std::pair<std::string, std::int64_t>>{{"0", 0},
                                                         {"0.0", 0},
                                                         {"00.000001", 1},
                                                         {"1e-6", 1},
                                                         {"12.345678", 12'345'678},
                                                         {"12.3456784", 12'345'678},
                                                         {"12.3456785", 12'345'679},
                                                         {"3600000000", 3'600'000'000'000'000},
                                                         {"3600000000.000000", 3'600'000'000'000'000},
                                                         {"3.6e9", 3'600'000'000'000'000},
                                                         {"00000000000000000000000000001", 1'000'000}}) {
    const auto flows = read_traffic("start_us,source,destination,bytes\n" + text + ",0,1,1\n", "f.csv");
    ASSERT_TRUE(flows) << text;
    EXPECT_EQ((*flows)[0].start, Picoseconds(picoseconds)) << text;
  }
  for (const char* text : {"3600000000.000001", "3600000001", "99999999999999999", ".5x", "1.2.3", "+-1", "1e", "."})
    EXPECT_NE(mistake("start_us,source,destination,bytes\n" + std::string(text) + ",0,1,1\n").find("is not a start time"),
              std::string::npos)
        << text;
}

TEST(TrafficFile, a_million_lines_without_comments_take_no_longer_each) {
  std::string text = "start_us,source,destination,bytes\n";
  for (int i = 0; i < 1'000'000; i++) text += "0.5,0,1,100\n";
  const auto flows = read_traffic(text, "f.csv");
  ASSERT_TRUE(flows);
  EXPECT_EQ(flows->size(), 1'000'000U);
}

TEST(TrafficFile, twenty_mistakes_are_enough) {
  std::string text = "start_us,source,destination,bytes\n";
  for (int i = 0; i < 100; i++) text += "0,1,1,1\n";
  EXPECT_EQ(read_traffic(text, "f.csv").error().size(), 20U);
}

TEST(TrafficFile, hosts_that_are_not_there_are_named_with_their_line) {
  const auto flows = read_traffic("start_us,source,destination,bytes\n0,0,1,1\n0,0,8,1\n0,9,1,1\n", "f.csv");
  ASSERT_TRUE(flows);
  EXPECT_TRUE(missing_hosts(*flows, 10, "f.csv").empty());
  const Diagnostics found = missing_hosts(*flows, 8, "f.csv");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(to_text(found[0]),
            "f.csv:3:1: error RY-SCN-101: host 8 does not exist: the traffic has 8 hosts; use numbers from 0 to 7");
  EXPECT_EQ(found[1].where.line, 4U);
}

}  // namespace
}  // namespace railyard
