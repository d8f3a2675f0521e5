#include "trace/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/printed_text.h"
#include "base/read_text.h"
#include "trace/readers.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

Diagnostic unreadable_trace(const fs::path& path, std::string what, std::string hint) {
  return {Severity::error, "RY-TRC-001", std::move(what), std::move(hint), {path.string(), 0, 0}};
}

/// The number before the ending of "name.12.et"; none if it is called otherwise.
std::optional<std::uint32_t> rank_in_name(std::string name, std::string& beginning) {
  for (const char* const ending : {".gz", ".et", ".json"})
    if (name.ends_with(ending)) name.resize(name.size() - std::string_view(ending).size());
  const std::size_t point = name.rfind('.');
  if (point == std::string::npos) return std::nullopt;
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(name.data() + point + 1, name.data() + name.size(), rank);
  if (error != std::errc() || end != name.data() + name.size() || rank >= kMostTraceRanks) return std::nullopt;
  beginning = name.substr(0, point);
  return rank;
}

constexpr std::size_t kBeginning = 4096;

/// What the files of a folder are, by name, if the first is a log of NCCL's Inspector: those have names of hosts and processes.
std::vector<fs::path> logs_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) return {};
  const Result<std::unique_ptr<ByteSource>> bytes = open_bytes(files.front());
  if (!bytes || format_of_trace(BufferedBytes(**bytes).peek(kBeginning)) != TraceFormat::inspector) return {};
  return files;
}

bool is_simai_policy(std::string_view word) {
  return word.starts_with("HYBRID_") || word == "DATA" || word == "MODEL" || word == "MICRO" || word == "DISTRIBUTED_INFERENCE";
}

Result<TraceFormat> format_of_file(const fs::path& file) {
  Result<std::unique_ptr<ByteSource>> bytes = open_bytes(file);
  if (!bytes) return bytes.error();
  BufferedBytes buffer(**bytes);
  const TraceFormat format = format_of_trace(buffer.peek(kBeginning));
  if (format != TraceFormat::automatic) return format;
  return unreadable_trace(
      file, "no reader knows this trace",
      "GOAL, Chakra, SimAI, Kineto, logs of NCCL's Inspector and CSV are known; set trace.format to be told why");
}

Result<std::string> groups_text(const fs::path& path) {
  constexpr std::size_t kLargestGroups = std::size_t{64} << 20;
  if (path.empty()) return std::string();
  auto text = read_text(path, kLargestGroups);
  if (text) return std::move(*text);
  return unreadable_trace(path, "cannot read the groups of this trace", "check that the file exists and is readable");
}

Result<TraceDraft> read_draft(const TraceRequest& request, const std::vector<fs::path>& files, TraceFormat format) {
  std::vector<std::unique_ptr<ByteSource>> open;
  std::vector<TraceInput> inputs;
  for (const fs::path& file : files) {
    Result<std::unique_ptr<ByteSource>> bytes = open_bytes(file);
    if (!bytes) return bytes.error();
    open.push_back(std::move(*bytes));
    inputs.push_back({file.string(), *open.back()});
  }
  if (format == TraceFormat::inspector) return read_inspector(inputs, request.ranks, request.alone);
  if (format != TraceFormat::chakra && files.size() > 1)
    return unreadable_trace(files[1], fmt::format("a {} trace is one file", name_of(format)), "name that file");
  if (format == TraceFormat::goal) return read_goal(inputs.front());
  if (format == TraceFormat::simai) return read_simai(inputs.front(), request.ranks, request.alone);
  if (format == TraceFormat::csv) return read_csv_trace(inputs.front());
  if (format == TraceFormat::kineto) return read_kineto_trace(inputs.front(), request.ranks.value_or(request.alone));
  const Result<std::string> groups = groups_text(request.groups);
  if (!groups) return groups.error();
  return read_chakra(inputs, *groups);
}

/// As the first lines of NCCL's Inspector have it; Kineto has none of these.
bool is_inspector_log(std::string_view beginning) {
  for (const char* const mark : {"\"coll_perf\"", "\"p2p_perf\"", "\"inspector_output_format_version\""})
    if (beginning.find(mark) != std::string_view::npos) return true;
  return false;
}

bool has_collectives(const TraceNodes& nodes) {
  for (const TraceNodeId id : ids(nodes))
    if (nodes.op(id) == TraceOp::collective) return true;
  return false;
}

}  // namespace

TraceFormat format_of_trace(std::string_view beginning) {
  const std::vector<std::string_view> words = printed::words_of(beginning.substr(0, beginning.find('\n')));
  if (!words.empty() && is_simai_policy(words.front())) return TraceFormat::simai;
  if (beginning.find("num_ranks") != std::string_view::npos) return TraceFormat::goal;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && beginning[first] == '{' && is_inspector_log(beginning)) return TraceFormat::inspector;
  if (first != std::string_view::npos && beginning[first] == '{')
    return beginning.find("\"workload_graph\"") != std::string_view::npos ? TraceFormat::chakra : TraceFormat::kineto;
  const std::string header = printed::lower_case(beginning.substr(0, beginning.find('\n')));
  if (header.find("rank") != std::string::npos && header.find(",op") + 1 != 0) return TraceFormat::csv;
  std::size_t length = 0;  // a message begins with its length, and the first field of it is text
  while (length < 5 && length < beginning.size() && (beginning[length] & '\x80') != 0) length++;
  const std::string_view field = beginning.substr(std::min(length + 1, beginning.size()), 1);
  return field == "\x0a" || field == "\x12" ? TraceFormat::chakra : TraceFormat::automatic;
}

Result<std::vector<fs::path>> files_of_trace(const fs::path& asked) {
  std::error_code error;
  if (fs::is_regular_file(asked, error)) return std::vector{asked};
  const bool is_folder = fs::is_directory(asked, error);
  if (is_folder)
    if (std::vector<fs::path> logs = logs_in(asked); !logs.empty()) return logs;
  const fs::path folder = is_folder ? asked : asked.has_parent_path() ? asked.parent_path() : fs::path(".");
  std::map<std::uint32_t, fs::path> by_rank;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string beginning;
    const auto rank = rank_in_name(entry.path().filename().string(), beginning);
    if (!rank || (!is_folder && beginning != asked.filename().string())) continue;
    if (!by_rank.try_emplace(*rank, entry.path()).second)
      return unreadable_trace(entry.path(), fmt::format("rank {} has two files here", *rank),
                              "name the beginning of the ones meant");
  }
  std::vector<fs::path> files;
  for (const auto& [rank, path] : by_rank) {
    if (rank != files.size())
      return unreadable_trace(path, fmt::format("the file of rank {} is missing", files.size()), "name all ranks from 0 on");
    files.push_back(path);
  }
  if (files.empty() && is_folder)
    return unreadable_trace(asked, "this is a folder, and no files of ranks are in it",
                            "name a file in it: a trace of PyTorch is that of one rank; of Chakra, the folder of NAME.0.et, "
                            "NAME.1.et, …");
  if (files.empty())
    return unreadable_trace(asked, "there is no such trace",
                            "name a file, or the folder or the beginning of files called NAME.0.et, NAME.1.et, …");
  return files;
}

Result<TraceGraph> load_trace(const TraceRequest& request) {
  const Result<std::vector<fs::path>> files = files_of_trace(request.file);
  if (!files) return files.error();
  const Result<TraceFormat> format =
      request.format == TraceFormat::automatic ? format_of_file(files->front()) : Result<TraceFormat>(request.format);
  if (!format) return format.error();
  Result<TraceDraft> draft = read_draft(request, *files, *format);
  if (!draft) return draft.error();
  const std::uint32_t file_ranks = draft->ranks;
  const bool alone = draft->ranks == 1 && has_collectives(draft->nodes);
  Result<TraceDraft> repeated = repeat_trace(std::move(*draft), request.ranks.value_or(alone ? request.alone : file_ranks));
  if (!repeated) return repeated.error();
  return finish_trace(std::move(*repeated), file_ranks);
}

}  // namespace railyard
