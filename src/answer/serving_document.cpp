#include "answer/serving.h"
#include "catalog/status.h"

namespace railyard {

namespace {

Document count(std::uint64_t number) { return Document(static_cast<std::int64_t>(number)); }
Document length(Picoseconds time) { return Document(seconds(time)); }

/// `rate`: tokens per second of one GPU.
Document pass_document(const ServedPass& pass, double rate, std::uint32_t per_node) {
  const WorkloadPlan& w = pass.scenario.workload;
  const MemoryPlan& memory = pass.run.step.stages.front().memory;
  Document out = Document::object();
  out.set("gpus", count(*w.gpus));
  out.set("tensor", count(w.parallel.tensor));
  out.set("expert", count(w.parallel.expert));
  out.set("requests", count(pass.requests));
  out.set("time_s", length(pass.time()));
  out.set("compute_s", length(pass.compute()));
  out.set("scale_up_s", length(pass.scale_up()));
  out.set("network_s", length(pass.network()));
  out.set("network_share", Document(seconds(pass.network()) / seconds(pass.time())));
  out.set("tokens_per_second_per_gpu", Document(rate));
  out.set("tokens_per_second_per_node", Document(rate * per_node));
  Document& held = out.set("memory", Document::object());
  held.set("weights_bytes", Document(memory.weights.count()));
  held.set("caches_bytes", Document(memory.activations.count()));
  held.set("buffers_bytes", Document(memory.buffers.count()));
  return out;
}

void add_load(const TurnTimes& times, Document& out) {
  out.set("median_s", Document(times.median));
  out.set("p99_s", Document(times.p99));
}

}  // namespace

Document serving_document(const ServingAnswer& found) {
  const ServingRun& run = found.run;
  const ServingSpec& serving = found.serving;
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-serving/1")));
  out.set("name", Document(found.name));
  out.set("engine", Document(std::string(name_of(found.fidelity))));
  Document& answer = out.set("answer", Document::array());
  for (const JobSentence& sentence : answer_of(found)) {
    Document& one = answer.push(Document::object());
    one.set("about", Document(sentence.about));
    one.set("text", Document(sentence.text));
  }
  Document& first = out.set("first_token", Document::object());
  first.set("time_s", length(run.first_token()));
  first.set("prefill_s", length(run.prefill.time()));
  first.set("transfer_s", length(run.transfer));
  if (found.load) add_load(found.load->first_together, first);
  Document& next = out.set("next_token", Document::object());
  next.set("time_s", length(run.next_token()));
  next.set("tokens_per_second", Document(1 / seconds(run.next_token())));
  if (found.load) add_load(found.load->next_together, next);
  out.set("requests_per_second", Document(run.rate));
  out.set("prefill", pass_document(run.prefill, run.prefill_rate * *serving.prompt / *serving.prefill_gpus, found.per_node));
  out.set("decode", pass_document(run.decode, run.decode_rate * *serving.output / *serving.decode_gpus, found.per_node));
  Document& cache = out.set("cache", Document::object());
  cache.set("bytes_per_token", Document(run.cache_token));
  cache.set("bytes_per_request", Document(run.cache.count()));
  if (found.parts) out.set("parts", interference_document(*found.parts));
  Document& inputs = out.set("inputs", Document::array());
  for (const Input& input : found.inputs) {
    Document& one = inputs.push(Document::object());
    one.set("key", Document(input.key));
    one.set("value", Document(input.value));
    one.set("status", Document(std::string(name_of(input.origin.status))));
    one.set("source", Document(input.origin.source));
  }
  out.set("fingerprint", Document(found.fingerprint));
  return out;
}

}  // namespace railyard
