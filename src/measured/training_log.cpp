// Reads steps that training frameworks log: Megatron-LM, NeMo and torchtitan.
#include <cctype>
#include <map>

#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::training_log {

namespace {

using namespace measured_text;

constexpr std::string_view kMegatronTime = "elapsed time per iteration (ms):", kNemoTime = "train_step_timing in s:";

/// The value behind a key, if it ends before the line does or the line is whole: "9640.7/9629.8" is its first number.
std::optional<double> value_behind(std::string_view line, std::string_view key, bool is_whole) {
  const auto rest = behind(line, key);
  if (!rest) return std::nullopt;
  const std::size_t first = std::min(rest->find_first_not_of(" \t"), rest->size());
  const std::size_t end = std::min(rest->find_first_of(" \t|%/", first), rest->size());
  if (end == rest->size() && !is_whole) return std::nullopt;
  return grouped_number(rest->substr(first, end - first));
}

std::optional<double> first_value(std::string_view line, std::initializer_list<std::string_view> keys, bool is_whole) {
  for (const std::string_view key : keys)
    if (const auto value = value_behind(line, key, is_whole); value && *value >= 0) return value;
  return std::nullopt;
}

std::optional<std::uint64_t> count_behind(std::string_view line, std::string_view key) {
  const std::string_view word = word_behind(line, key);
  return digits(word.substr(0, word.find_first_not_of("0123456789")));
}

/// "[rank3]:" of torchrun, "3: " of srun.
std::optional<std::uint32_t> rank_of(std::string_view line) {
  if (const auto rest = behind(line, "[rank")) return leading_number(*rest);
  const std::string_view text = without_blanks(line.substr(0, 16));
  const auto number = leading_number(text);
  const std::size_t end = text.find_first_not_of("0123456789");
  return number && end != std::string_view::npos && text.substr(end).starts_with(": ") ? number : std::nullopt;
}

/// Seconds of the day at "12:34:56,789", wherever a line has it.
std::optional<double> clock_of(std::string_view line) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    if (at < 2 || at + 6 > line.size() || line[at + 3] != ':') continue;
    const auto hours = digits(line.substr(at - 2, 2)), minutes = digits(line.substr(at + 1, 2)),
               seconds = digits(line.substr(at + 4, 2));
    if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 60) continue;
    double out = static_cast<double>(*hours * 3600 + *minutes * 60 + *seconds);
    if (at + 10 <= line.size() && (line[at + 6] == ',' || line[at + 6] == '.'))
      if (const auto milliseconds = digits(line.substr(at + 7, 3))) out += static_cast<double>(*milliseconds) / 1e3;
    return out;
  }
  return std::nullopt;
}

/// A step with what all frameworks call alike.
LoggedStep step_in(std::string_view line, std::uint64_t number, double seconds) {
  LoggedStep out;
  out.number = number;
  out.seconds = seconds;
  out.rank = rank_of(line);
  return out;
}

std::optional<LoggedStep> megatron_step(std::string_view line, bool is_whole) {
  const auto number = count_behind(line, "iteration ");
  const auto time = value_behind(line, kMegatronTime, is_whole);
  if (!number || !time || *time < 0) return std::nullopt;
  LoggedStep out = step_in(line, *number, *time / 1e3);
  out.tflops = first_value(line, {"throughput per GPU (TFLOP/s/GPU):", "compute per GPU (TFLOP/s/GPU):"}, is_whole);
  out.tokens_per_second = first_value(
      line, {"Tokens per second per GPU (Tok/s/GPU):", "tokens per GPU (tokens/s/GPU):", "tokens/s/GPU inst/harmonic mean:"},
      is_whole);
  out.loss = first_value(line, {"lm loss:", "total loss:"}, is_whole);
  out.batch = count_behind(line, "global batch size:");
  return out;
}

std::optional<LoggedStep> nemo_step(std::string_view line, bool is_whole) {
  auto number = count_behind(line, "global_step:");
  if (!number) number = count_behind(line, "iteration ");
  const auto time = value_behind(line, kNemoTime, is_whole);
  if (!number || !time || *time < 0) return std::nullopt;
  LoggedStep out = step_in(line, *number, *time);
  out.tflops = first_value(line, {"TFLOPS_per_GPU:"}, is_whole);
  out.tokens_per_second = first_value(line, {"tokens_per_sec_per_gpu:"}, is_whole);
  out.loss = first_value(line, {"reduced_train_loss:"}, is_whole);
  out.batch = count_behind(line, "global_batch_size:");
  return out;
}

/// torchtitan does not say how long a step took: that is the time since the line before it of the same rank.
class TitanSteps {
 public:
  std::optional<LoggedStep> step_of(std::string_view line, bool is_whole) {
    const auto number = count_behind(line, "step:");
    const auto speed = value_behind(line, "tps:", is_whole);
    if (!number || !speed) return std::nullopt;
    LoggedStep out = step_in(line, *number, 0);
    out.tokens_per_second = speed;
    out.tflops = first_value(line, {"tflops:"}, is_whole);
    out.loss = first_value(line, {"loss:"}, is_whole);
    if (const auto clock = clock_of(line)) {
      out.seconds = since_last(out, *clock);
      last_[out.rank.value_or(0)] = {*number, *clock};
    }
    return out;
  }

 private:
  [[nodiscard]] double since_last(const LoggedStep& step, double clock) const {
    const auto last = last_.find(step.rank.value_or(0));
    if (last == last_.end() || step.number <= last->second.number) return 0;
    double span = clock - last->second.clock;
    if (span < 0) span += 86'400;  // past midnight
    return span / static_cast<double>(step.number - last->second.number);
  }

  struct Last {
    std::uint64_t number = 0;
    double clock = 0;
  };
  std::map<std::uint32_t, Last> last_;
};

/// "world_size ............ 64", "using world size: 64,".
std::optional<std::uint32_t> gpus_of(std::string_view line) {
  for (const std::string_view key : {"using world size:", "world_size ..", "World size:", "world_size:"})
    if (const auto rest = behind(line, key)) {
      const std::size_t first = rest->find_first_not_of(" .");
      return first == std::string_view::npos ? std::nullopt : leading_number(rest->substr(first));
    }
  return std::nullopt;
}

class Logs {
 public:
  Logs(const MeasuredText& text, Measurements& all) : text_(text), all_(all) {}

  void read(const NumberedLine& line, bool is_whole) {
    if (const auto gpus = gpus_of(line.text)) gpus_ = gpus;
    if (contains(line.text, kMegatronTime) || contains(line.text, "| consumed samples:"))
      return add("Megatron-LM", megatron_step(line.text, is_whole), line.number);
    if (contains(line.text, kNemoTime) && contains(line.text, "iteration "))
      return add("NeMo", nemo_step(line.text, is_whole), line.number);
    if (contains(line.text, "step:") && contains(line.text, "loss:") && contains(line.text, "tps:"))
      add("torchtitan", titan_.step_of(line.text, is_whole), line.number);
  }

  void finish() {
    for (TrainingLog& log : logs_) {
      log.gpus = gpus_;
      all_.trainings.push_back(std::move(log));
    }
  }

 private:
  void add(std::string_view framework, std::optional<LoggedStep> step, std::uint32_t number) {
    const SourceSpan where{text_.file, number, 0};
    if (!step) return add_skipped(all_, "a step of a training log that is cut off", where);
    step->host = text_.device;
    step->where = where;
    for (TrainingLog& log : logs_)
      if (log.framework == framework) {
        log.steps.push_back(std::move(*step));
        return;
      }
    TrainingLog& log = logs_.emplace_back();
    log.framework = framework;
    log.where = where;
    log.steps.push_back(std::move(*step));
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::vector<TrainingLog> logs_;
  TitanSteps titan_;
  std::optional<std::uint32_t> gpus_;
};

bool is_training_log(const MeasuredText& text) {
  return contains(text.text, kMegatronTime) || contains(text.text, kNemoTime) ||
         (contains(text.text, "tps:") && contains(text.text, "step:") && contains(text.text, "loss:"));
}

void read_training_log(const MeasuredText& text, Measurements& all) {
  Logs logs(text, all);
  const std::string plain = contains(text.text, "\x1b") ? printed::without_escapes(text.text) : text.text;
  const std::vector<NumberedLine> lines = printed::numbered_lines(plain);
  const bool ends_whole = plain.ends_with('\n');
  for (const NumberedLine& line : lines) logs.read(line, ends_whole || line.number != lines.size());
  logs.finish();
}

}  // namespace

}  // namespace railyard::training_log

namespace railyard {

std::vector<MeasuredReader> training_log_readers() {
  return {{"a training log", training_log::is_training_log, training_log::read_training_log}};
}

}  // namespace railyard
