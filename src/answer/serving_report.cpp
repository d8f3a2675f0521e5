#include <fmt/format.h>

#include <cmath>

#include "answer/serving.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

std::string whole(double count) { return format_count(static_cast<std::uint64_t>(std::llround(count))); }

std::string part_text(Picoseconds part, Picoseconds all) { return fmt::format("{:.1f} %", seconds(part) / seconds(all) * 100); }

double tokens_of_prompts(const ServingAnswer& a) { return a.run.prefill_rate * *a.serving.prompt / *a.serving.prefill_gpus; }
double tokens_written(const ServingAnswer& a) { return a.run.decode_rate * *a.serving.output / *a.serving.decode_gpus; }

std::string first_text(const ServingAnswer& a) {
  const ServingRun& run = a.run;
  return fmt::format(
      "The first token comes after {}: {} to read the prompt, of which the network takes {}, and {} to send its "
      "cache of {} to the GPUs that write.",
      format(run.first_token()), format(run.prefill.time()), part_text(run.prefill.network(), run.prefill.time()),
      format(run.transfer), format(run.cache));
}

std::string next_text(const ServingAnswer& a) {
  const ServedPass& decode = a.run.decode;
  return fmt::format(
      "Each further token takes {} ({:.1f} tokens per second of a request) with {} requests on a GPU: the "
      "network takes {} of it, links inside scale-up domains {}.",
      format(decode.time()), 1 / seconds(decode.time()), decode.requests / a.serving.decode_tensor,
      part_text(decode.network(), decode.time()), part_text(decode.scale_up(), decode.time()));
}

std::string rate_text(const ServingAnswer& a) {
  const ServingRun& run = a.run;
  std::string text = fmt::format("A server writes {} tokens per second, and one of prefill reads {}.",
                                 whole(tokens_written(a) * a.per_node), whole(tokens_of_prompts(a) * a.per_node));
  if (a.serving.requests_per_second)
    return text + fmt::format(" {:.4g} requests per second are {:.0f} % of what prefill could do.", run.rate,
                              run.rate / run.prefill_rate * 100);
  const bool prefill = run.prefill_rate < run.decode_rate;
  return text + fmt::format(" {} is the limit: prefill could do {:.4g} requests per second, decode {:.4g}.",
                            prefill ? "Prefill" : "Decode", run.prefill_rate, run.decode_rate);
}

std::string load_text(const ServingAnswer& a) {
  if (!a.load) return {};
  const TurnTimes &first = a.load->first_together, &next = a.load->next_together;
  const auto length = [](double s) { return format(from_seconds(s)); };
  return fmt::format(
      "With prefill, decode and caches on the fabric at a time, the first token comes after {} in the median and "
      "{} for one in a hundred, each further one after {} and {}.",
      length(first.median), length(first.p99), length(next.median), length(next.p99));
}

TextTable sides_table(const ServingAnswer& a) {
  TextTable table{
      {"side", "GPUs", "tensor", "experts", "requests", "pass", "compute", "scale-up", "network", "tokens/s GPU", "server"},
      {Align::left},
      {}};
  table.align.resize(table.header.size(), Align::right);
  const auto row = [&](const char* name, const ServedPass& pass, double rate) {
    const ParallelPlan& parallel = pass.scenario.workload.parallel;
    table.rows.push_back({name, format_count(*pass.scenario.workload.gpus), std::to_string(parallel.tensor),
                          std::to_string(parallel.expert), format_count(pass.requests), format(pass.time()),
                          format(pass.compute()), format(pass.scale_up()), format(pass.network()), whole(rate),
                          whole(rate * a.per_node)});
  };
  row("prefill", a.run.prefill, tokens_of_prompts(a));
  row("decode", a.run.decode, tokens_written(a));
  return table;
}

TextTable memory_table(const ServingAnswer& a) {
  TextTable table{{"side", "weights", "caches", "buffers", "of"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const auto& [name, pass] : {std::pair{"prefill", &a.run.prefill}, {"decode", &a.run.decode}}) {
    const MemoryPlan& memory = pass->run.step.stages.front().memory;
    table.rows.push_back({name, format(memory.weights), format(memory.activations), format(memory.buffers),
                          format(pass->scenario.workload.gpu->gpu.memory)});
  }
  return table;
}

}  // namespace

std::vector<JobSentence> answer_of(const ServingAnswer& found) {
  std::vector<JobSentence> sentences;
  for (JobSentence sentence : {JobSentence{"first token", first_text(found)}, JobSentence{"further tokens", next_text(found)},
                               JobSentence{"rate", rate_text(found)}, JobSentence{"load", load_text(found)}})
    if (!sentence.text.empty()) sentences.push_back(std::move(sentence));
  sentences.push_back({"unknown",
                       "Not told by this run: how long requests wait for a place in a batch, and what the host and its "
                       "scheduler take between passes."});
  return sentences;
}

Report serving_report(const ServingAnswer& found) {
  Report report{found.name, {}};
  Report::Section answer{"", {}};
  for (const JobSentence& sentence : answer_of(found)) answer.blocks.push_back(sentence.text);
  report.sections.push_back(std::move(answer));
  report.sections.push_back(
      {"Passes",
       {sides_table(found), std::string("Of one pass on an idle network. Compute: without any links. Scale-up and "
                                        "network: what those add. Tokens: read by prefill, written by decode.")}});
  report.sections.push_back({"Memory of a GPU", {memory_table(found)}});
  if (found.parts) {
    const Report parts = interference_report(*found.parts);
    for (const Report::Section& section : parts.sections)
      if (!section.title.empty() && section.title != "Findings") report.sections.push_back(section);
  }
  if (!found.findings.empty()) report.sections.push_back({"Findings", {found.findings}});
  report.sections.push_back({"", {fmt::format("fingerprint {}", found.fingerprint)}});
  return report;
}

}  // namespace railyard
