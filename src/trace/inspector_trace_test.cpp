#include <fmt/format.h>

#include "trace/collective_name.h"
#include "trace/inspector_record.h"
#include "trace/read.h"
#include "trace/testing.h"

namespace railyard {

namespace {

/// Rank `rank` of `ranks` in a communicator over two servers, by the process of that number.
std::string logged(const char* communicator, int rank, int ranks, int process, const std::string& call) {
  return fmt::format(R"({{"header": {{"id": "{}", "rank": {}, "n_ranks": {}, "nnodes": 2}}, "metadata": )"
                     R"({{"inspector_output_format_version": "v4.4", "hostname": "gpu{}", "pid": {}}}, {}}})"
                     "\n",
                     communicator, rank, ranks, process / 2, 100 + process, call);
}

std::string collective(const char* name, int number, int bytes, int microseconds, int start = 0) {
  const std::string times =
      start == 0 ? ""
                 : fmt::format(R"(, "event_trace_ts": {{"coll_start_ts": {}, "kernel_events": [{{"kernel_start_ts": {}}}, )"
                               R"({{"kernel_start_ts": {}}}]}})",
                               start - 9, start + 1, start);
  return fmt::format(R"("coll_perf": {{"coll": "{}", "coll_sn": {}, "coll_msg_size_bytes": {}, "coll_exec_time_us": {}, )"
                     R"("coll_algobw_gbs": 1.5, "coll_busbw_gbs": 2.5{}}})",
                     name, number, bytes, microseconds, times);
}

std::string message(const char* name, int peer, int bytes) {
  return fmt::format(
      R"("p2p_perf": {{"p2p": "{}", "p2p_sn": 1, "p2p_peer": {}, "p2p_msg_size_bytes": {}, "p2p_exec_time_us": 4}})", name,
      peer, bytes);
}

Result<TraceDraft> inspector_of(const std::string& text, std::uint32_t otherwise = 1) {
  const auto bytes = bytes_of_text(text);
  const TraceInput input{"case.log", *bytes};
  return read_inspector({&input, 1}, {}, otherwise);
}

TraceNode node_at(const Result<TraceDraft>& draft, std::uint32_t index) { return draft->nodes[TraceNodeId(index)]; }

TEST(InspectorTrace, sizes_are_those_of_nccl_tests) {
  InspectorRecord record;
  ASSERT_EQ(read_inspector_line(logged("0x1", 1, 4, 1, collective("ReduceScatter", 7, 1000, 20)), record), InspectorLine::call);
  EXPECT_EQ(record.buffer_bytes(), 4000) << "a fourth is what each gets";
  EXPECT_EQ(record.number, 7U);
  EXPECT_EQ(record.host, "gpu0");
  record.call = "AllReduce";
  EXPECT_EQ(record.buffer_bytes(), 1000);
  record.call = "AllGather", record.bytes = UINT64_MAX / 2;
  EXPECT_EQ(record.buffer_bytes(), std::nullopt);
}

TEST(InspectorTrace, logs_of_all_ranks_are_a_trace) {
  std::string text;
  for (const int process : {2, 0, 3, 1})  // whoever comes first, ranks are those of the communicator of all
    text += logged("0x1", process, 4, process, collective("AllReduce", 1, 800, 30)) +
            logged(process % 2 == 0 ? "0x2" : "0x3", process / 2, 2, process, collective("AllGather", 1, 100, 5));
  const Result<TraceDraft> draft = inspector_of(text);
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->ranks, 4U);
  ASSERT_EQ(draft->nodes.size(), 8U);
  EXPECT_TRUE(draft->after_end.empty()) << "communicators run beside each other where no times are known";
  ASSERT_EQ(draft->notes.size(), 1U);
  EXPECT_EQ(node_at(draft, 1).amount, 200);
  EXPECT_EQ(node_at(draft, 1).place, 4U) << "rank 0 is the second process of the log";
  EXPECT_EQ(draft->groups[TraceGroupId(node_at(draft, 1).peer)], (std::vector<std::uint32_t>{0, 2}));
  const Result<TraceGraph> graph = finish_trace(*draft, draft->ranks);
  ASSERT_TRUE(graph) << error_of(graph);
  EXPECT_EQ(graph->calls.size(), 3U);
}

TEST(InspectorTrace, calls_that_some_rank_lost_are_left_out) {
  const auto first = collective("AllReduce", 1, 800, 30), second = collective("AllReduce", 2, 500, 30);
  const Result<TraceDraft> draft =
      inspector_of(logged("0x1", 0, 2, 0, first) + logged("0x1", 0, 2, 0, second) + logged("0x1", 0, 2, 0, second) +
                   logged("0x1", 1, 2, 1, second) + logged("0x1", 1, 2, 1, second));
  ASSERT_TRUE(draft) << error_of(draft);
  ASSERT_EQ(draft->nodes.size(), 4U) << "what a graph repeats has one number";
  EXPECT_EQ(node_at(draft, 0).amount, 500);
  ASSERT_EQ(draft->notes.size(), 2U);
  EXPECT_NE(draft->notes[1].message.find("1 calls"), std::string::npos);
  EXPECT_TRUE(finish_trace(*draft, 2));
}

TEST(InspectorTrace, times_are_what_is_waited_for) {
  const auto calls = [](int process) {
    return logged("0x1", process, 2, process, collective("AllReduce", 1, 800, 30, 5000 + process)) +
           logged("0x1", process, 2, process, collective("AllReduce", 2, 800, 30, 5042 + process));
  };
  const Result<TraceDraft> draft = inspector_of(calls(0) + calls(1));
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_TRUE(draft->notes.empty());
  ASSERT_EQ(draft->nodes.size(), 6U);
  EXPECT_EQ(node_at(draft, 1).op, TraceOp::compute);
  EXPECT_EQ(node_at(draft, 1).amount, (12_us).count()) << "what lies between the first's end and the second's beginning";
  EXPECT_EQ(edges_of(draft->after_end).front(), std::pair(TraceNodeId(0), TraceNodeId(1)));
}

TEST(InspectorTrace, one_rank_stands_for_all) {
  const std::string text = logged("0x1", 5, 16, 0, collective("AllReduce", 1, 800, 30)) +
                           logged("0x2", 1, 4, 0, collective("ReduceScatter", 1, 100, 30)) +
                           logged("0x2", 1, 4, 0, message("Send", 2, 64)) + logged("0x2", 1, 4, 0, message("Recv", 0, 64));
  const Result<TraceDraft> draft = inspector_of(text);
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->ranks, 16U);
  ASSERT_EQ(draft->nodes.size(), 64U);
  EXPECT_EQ(draft->groups[TraceGroupId(node_at(draft, 1).peer)], (std::vector<std::uint32_t>{0, 4, 8, 12}))
      << "two of a server's eight, four apart";
  EXPECT_EQ(node_at(draft, 2).peer, 4U);
  EXPECT_EQ(node_at(draft, 3).peer, 12U) << "the one before the first is the last";
  EXPECT_TRUE(finish_trace(*draft, 16));
  EXPECT_EQ(error_of(inspector_of(text, 24)), "RY-TRC-007 case.log:1");
}

TEST(InspectorTrace, mistakes_have_their_line) {
  const std::string good = logged("0x1", 0, 2, 0, collective("AllReduce", 1, 800, 30));
  EXPECT_EQ(error_of(inspector_of(good + good.substr(0, good.size() - 9))), "RY-TRC-002 case.log:2");
  EXPECT_EQ(error_of(inspector_of(good + "{\"header\": {}, \"dump_stats\": {}}\n" +
                                  logged("0x1", 0, 4, 0, collective("AllReduce", 1, 800, 30)))),
            "RY-TRC-002 case.log:3");
  EXPECT_EQ(error_of(inspector_of(good + logged("0x1", 1, 2, 0, collective("AllReduce", 1, 800, 30)))),
            "RY-TRC-002 case.log:2");
  EXPECT_EQ(error_of(inspector_of("\n")), "RY-TRC-002 case.log");
  EXPECT_EQ(format_of_trace(good), TraceFormat::inspector);
}

}  // namespace

}  // namespace railyard
