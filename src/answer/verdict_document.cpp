// A verdict and advice as JSON.
#include "answer/verdict.h"

#include "report/json_fields.h"

namespace railyard {

namespace {

Document cost_document(const RunVerdict& v) {
  Document out = Document::object();
  out.set("step_s", Document(v.total_s));
  out.set("without_network_s", Document(v.cost->without_network));
  out.set("without_links_s", Document(v.cost->without_links));
  out.set("network_share", Document(v.network_share()));
  out.set("scale_up_share", Document(v.scale_up_share()));
  return out;
}

Document limit_document(const Limit& limit) {
  Document out = Document::object();
  out.set("kind", Document(limit.kind));
  out.set("share", Document(limit.share));
  out.set("where", Document(limit.where));
  out.set("cause", Document(limit.cause));
  return out;
}

Document confidence_document(const Confidence& c) {
  Document out = Document::object();
  out.set("kind", Document(c.kind));
  out.set("rows", Document(c.rows));
  out.set("median", Document(c.median));
  out.set("p90", Document(c.p90));
  out.set("assumed", json_value(c.assumed));
  out.set("estimated", json_value(c.estimated));
  return out;
}

}  // namespace

Document advice_document(const Advice& a) {
  Document out = Document::object();
  out.set("run", Document(a.run));
  out.set("kind", Document(a.kind));
  out.set("change", Document(a.change));
  out.set("set", json_value(a.set));
  out.set("of", Document(std::string(name_of(a.of))));
  out.set("metric", Document(a.metric));
  out.set("before_s", Document(a.before_s));
  out.set("after_s", Document(a.after_s));
  out.set("gain", Document(a.gain));
  out.set("gain_text", Document(gain_of(a)));
  out.set("of_step", Document(a.of_step));
  out.set("keeps", Document(a.keeps));
  out.set("cheaper", Document(a.cheaper));
  if (!a.cost.empty()) out.set("cost_text", Document(a.cost));
  out.set("confidence", Document(a.confidence));
  out.set("command", Document(a.command));
  out.set("text", Document(a.text));
  return out;
}

Document sentences_document(const std::vector<Sentence>& sentences) {
  Document out = Document::object();
  Document& list = out.set("sentences", Document::array());
  for (const Sentence& sentence : sentences) {
    Document& one = list.push(Document::object());
    one.set("about", Document(sentence.about));
    one.set("text", Document(sentence.text));
  }
  return out;
}

Document verdict_document(const RunVerdict& v) {
  Document out = sentences_document(v.sentences);
  if (v.cost) out.set("cost", cost_document(v));
  if (!v.parts.empty()) {
    Document& parts = out.set("parts", Document::array());
    for (const StepPart& part : v.parts) {
      Document& one = parts.push(Document::object());
      one.set("name", Document(part.name));
      one.set("s", Document(part.seconds));
      one.set("share", Document(part.seconds / v.total_s));
    }
  }
  out.set("limit", limit_document(v.limit));
  if (v.change) out.set("change", advice_document(*v.change));
  out.set("confidence", confidence_document(v.confidence));
  out.set("unknown", json_value(v.unknown));
  return out;
}

}  // namespace railyard
