#include <zlib.h>

#include <fstream>

#include "base/temporary_folder.h"
#include "trace/chakra.h"
#include "trace/read.h"
#include "trace/testing.h"

namespace railyard {

namespace {

/// Protobuf as it is on the wire, written by hand: what the reader must agree with.
std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
  return out;
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3U) + varint(value); }
std::string text(unsigned field, const std::string& value) { return varint(field << 3U | 2U) + varint(value.size()) + value; }
std::string with_length(const std::string& message) { return varint(message.size()) + message; }
std::string attribute(const std::string& name, unsigned field, std::uint64_t value) {
  return text(10, text(1, name) + number(field, value));
}

std::string head() { return with_length(text(1, "0.0.4")); }
std::string compute_node(std::uint64_t id, std::uint64_t us, const std::string& more = {}) {
  return with_length(number(1, id) + text(2, "gemm") + number(3, 4) + more + number(7, us));
}
std::string collective_node(std::uint64_t id, std::uint64_t type, std::uint64_t bytes, const std::string& more = {}) {
  return with_length(number(1, id) + number(3, 7) + attribute("comm_type", 9, type) + attribute("comm_size", 13, bytes) + more);
}

Result<TraceDraft> chakra_of(const std::vector<std::string>& files, std::string_view groups = {}) {
  std::vector<std::unique_ptr<ByteSource>> bytes;
  std::vector<TraceInput> inputs;
  for (const std::string& file : files) {
    bytes.push_back(bytes_of_text(file));
    inputs.push_back({"case." + std::to_string(inputs.size()) + ".et", *bytes.back()});
  }
  return read_chakra(inputs, groups);
}

TEST(ChakraTrace, has_computes_messages_and_collectives) {
  const std::string rank = head() + compute_node(3, 25) + collective_node(4, 7, 1 << 20, text(5, varint(3))) +
                           with_length(number(1, 5) + number(3, 5) + attribute("comm_size", 9, 64) +
                                       attribute("comm_dst", 7, 1) + attribute("comm_tag", 11, 9) + number(4, 4));
  const Result<TraceDraft> draft = chakra_of({rank});
  ASSERT_TRUE(draft) << error_of(draft);
  ASSERT_EQ(draft->nodes.size(), 3U);
  const TraceNode compute = draft->nodes[TraceNodeId(0)], reduce = draft->nodes[TraceNodeId(1)],
                  send = draft->nodes[TraceNodeId(2)];
  EXPECT_EQ(compute.amount, (25_us).count());
  EXPECT_EQ(reduce.kind, TraceCollective::reduce_scatter);
  EXPECT_EQ(reduce.amount, 1 << 20);
  EXPECT_EQ(send.op, TraceOp::send);
  EXPECT_EQ(send.peer, 1U);
  EXPECT_EQ(send.tag, 9U);
  EXPECT_EQ(draft->after_end.size(), 2U);  // packed and unpacked
}

TEST(ChakraTrace, collectives_without_a_size_are_said) {
  const auto unsized = [](std::uint64_t id, std::uint64_t on_cpu) {
    return with_length(number(1, id) + number(3, 7) + number(7, 12) + attribute("comm_type", 9, 0) +
                       text(10, text(1, "is_cpu_op") + number(27, on_cpu)));
  };
  const Result<TraceDraft> silent = chakra_of({head() + unsized(1, 0) + unsized(2, 0) + collective_node(3, 0, 8)});
  ASSERT_TRUE(silent) << error_of(silent);
  ASSERT_EQ(silent->notes.size(), 1U);
  EXPECT_EQ(silent->notes[0].code, "RY-TRC-009");
  EXPECT_TRUE(silent->notes[0].message.starts_with("2 collectives have no comm_size")) << silent->notes[0].message;
  const Result<TraceDraft> launched = chakra_of({head() + unsized(1, 1) + collective_node(3, 0, 8)});
  ASSERT_TRUE(launched) << error_of(launched);
  EXPECT_TRUE(launched->notes.empty()) << "a launch on the processor is no collective of its own";
  const Result<TraceDraft> launches = chakra_of({head() + unsized(1, 1)});
  ASSERT_TRUE(launches) << error_of(launches);
  EXPECT_EQ(launches->notes.size(), 1U) << "nothing but launches sends nothing";
}

TEST(ChakraTrace, launches_are_computed_and_what_is_missing_is_said) {
  const std::string launch = with_length(number(1, 1) + number(3, 7) + number(7, 12) + text(5, varint(99)) +
                                         text(10, text(1, "is_cpu_op") + number(27, 1)));
  const Result<TraceDraft> draft = chakra_of({head() + launch + collective_node(2, 0, 8)});
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].op, TraceOp::compute);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].stream, 1U);
  ASSERT_EQ(draft->notes.size(), 1U);
  EXPECT_EQ(draft->notes[0].code, "RY-TRC-009");
}

TEST(ChakraTrace, groups_come_from_json_from_metadata_or_from_who_takes_part) {
  const std::string named = text(10, text(1, "pg_name") + text(29, "1"));
  const std::string rank = head() + collective_node(1, 0, 8, named);
  const Result<TraceDraft> from_json = chakra_of({rank, rank, head()}, "{\"1\": [1, 0]}");
  ASSERT_TRUE(from_json) << error_of(from_json);
  EXPECT_EQ(from_json->groups[TraceGroupId(0)], (std::vector<std::uint32_t>{0, 1}));
  const Result<TraceDraft> by_use = chakra_of({rank, head(), rank});
  ASSERT_TRUE(by_use);
  EXPECT_EQ(by_use->groups[TraceGroupId(0)], (std::vector<std::uint32_t>{0, 2}));
  const std::string metadata =
      with_length(number(1, 9) + number(3, 1) + text(8, text(1, "['[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]']")));
  const Result<TraceDraft> from_metadata = chakra_of({head() + metadata + collective_node(1, 0, 8, named), rank, head()});
  ASSERT_TRUE(from_metadata);
  EXPECT_EQ(from_metadata->groups[TraceGroupId(0)], (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(error_of(chakra_of({rank}, "{\"1\": 3}")), "RY-TRC-002 the groups of a trace");
}

TEST(ChakraTrace, names_the_node_of_a_mistake) {
  const Result<TraceDraft> scatter = chakra_of({head() + collective_node(17, 4, 8)});
  EXPECT_EQ(error_of(scatter), "RY-TRC-008 case.0.et");
  EXPECT_NE(scatter.error().front().message.find("node 17"), std::string::npos);
  const std::string no_peer = with_length(number(1, 5) + number(3, 5) + attribute("comm_size", 9, 64));
  EXPECT_EQ(error_of(chakra_of({head() + no_peer})), "RY-TRC-002 case.0.et");
  EXPECT_EQ(error_of(chakra_of({head() + compute_node(1, 1) + compute_node(1, 1)})), "RY-TRC-002 case.0.et");
  EXPECT_EQ(error_of(chakra_of({head() + compute_node(1, 1, number(5, 1))})), "RY-TRC-006 case.0.et");
  EXPECT_EQ(error_of(chakra_of({head() + with_length(number(3, 11))})), "RY-TRC-002 case.0.et");
}

TEST(ChakraTrace, tells_where_it_breaks_off) {
  const std::string whole = head() + compute_node(1, 1) + compute_node(2, 1);
  for (std::size_t cut = head().size() + 1; cut < whole.size(); cut++) {
    if (cut == head().size() + compute_node(1, 1).size()) continue;  // between messages nothing is missing
    EXPECT_EQ(error_of(chakra_of({whole.substr(0, cut)})), "RY-TRC-002 case.0.et") << cut;
  }
  EXPECT_EQ(error_of(chakra_of({""})), "RY-TRC-002 case.0.et");
}

TEST(ChakraTrace, is_the_same_as_json) {
  const Result<TraceDraft> draft = chakra_of({R"({"workload_graph": [
    {"Id": 7, "Name": "a { b", "NodeType": 4, "ctrlDeps": [3], "data_deps": [], "runtime": 318, "is_cpu_op": true},
    {"Id": 8, "NodeType": 7, "ctrlDeps": [], "data_deps": [7], "comm_type": 2, "comm_size": 4096, "is_cpu_op": false}],
    "ngpus": 8})"});
  ASSERT_TRUE(draft) << error_of(draft);
  ASSERT_EQ(draft->nodes.size(), 2U);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].amount, (318_us).count());
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].kind, TraceCollective::all_gather);
  EXPECT_EQ(draft->after_end.size(), 1U);
  EXPECT_EQ(error_of(chakra_of({R"({"workload_graph": [{"Id": 7, )"})), "RY-TRC-002 case.0.et");
  EXPECT_EQ(error_of(chakra_of({"{\"nodes\": []}"})), "RY-TRC-002 case.0.et");
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

void write_gzip(const std::filesystem::path& path, const std::string& content) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

TEST(LoadTrace, takes_a_file_per_rank_plain_or_gzipped) {
  const TemporaryFolder folder;
  write_file(folder.path() / "step.0.et", head() + collective_node(1, 2, 1000));
  write_gzip(folder.path() / "step.1.et.gz", head() + collective_node(1, 2, 1000));
  for (const std::filesystem::path& name : {folder.path(), folder.path() / "step"}) {
    const Result<TraceGraph> graph = load_trace({.file = name});
    ASSERT_TRUE(graph) << error_of(graph);
    EXPECT_EQ(graph->ranks, 2U);
    EXPECT_EQ(graph->calls[TraceCallId(0)].size, 2000_B);
  }
  const Result<TraceGraph> alone = load_trace({.file = folder.path() / "step.0.et", .alone = 8});
  ASSERT_TRUE(alone) << error_of(alone);
  EXPECT_EQ(alone->calls[TraceCallId(0)].size, 8000_B);  // what it has before, from each
}

TEST(LoadTrace, refuses_files_that_are_missing_or_no_traces) {
  const TemporaryFolder folder;
  EXPECT_TRUE(error_of(load_trace({.file = folder.path() / "nothing"})).starts_with("RY-TRC-001"));
  write_file(folder.path() / "step.1.et", head());
  EXPECT_TRUE(error_of(load_trace({.file = folder.path()})).starts_with("RY-TRC-001"));
  write_file(folder.path() / "text", "hello\n");
  EXPECT_TRUE(error_of(load_trace({.file = folder.path() / "text"})).starts_with("RY-TRC-001"));
  const std::string whole = head() + compute_node(1, 1);
  write_gzip(folder.path() / "whole.gz", whole);
  std::ifstream in(folder.path() / "whole.gz", std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(in)), {});
  write_file(folder.path() / "cut.gz", packed.substr(0, packed.size() - 12));
  EXPECT_TRUE(
      error_of(load_trace({.file = folder.path() / "cut.gz", .format = TraceFormat::chakra})).starts_with("RY-TRC-002"));
}

TEST(LoadTrace, knows_formats_by_how_they_begin) {
  EXPECT_EQ(format_of_trace("// x\nnum_ranks 3\n"), TraceFormat::goal);
  EXPECT_EQ(format_of_trace("HYBRID_TRANSFORMER model_parallel_NPU_group: 8\n"), TraceFormat::simai);
  EXPECT_EQ(format_of_trace(head()), TraceFormat::chakra);
  EXPECT_EQ(format_of_trace("{\"workload_graph\": []}"), TraceFormat::chakra);
  EXPECT_EQ(format_of_trace("{\"schemaVersion\": 1, \"traceEvents\": []}"), TraceFormat::kineto);
  EXPECT_EQ(format_of_trace("rank,op,peer,bytes\n"), TraceFormat::csv);
  EXPECT_EQ(format_of_trace(""), TraceFormat::automatic);
}

}  // namespace

}  // namespace railyard
