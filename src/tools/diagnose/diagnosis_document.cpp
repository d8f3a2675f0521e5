// A diagnosis as JSON.
#include "tools/diagnose/diagnose.h"

namespace railyard {

namespace {

Document text(std::string_view value) { return Document(std::string(value)); }

/// Bus bandwidth at a point if it took that long, in GB/s.
Document gbs_in(const CurvePoint& point, double time_s) { return Document(point.bus_bandwidth * point.time_s / time_s / 1e9); }

Document texts(const std::vector<std::string>& all) {
  Document out = Document::array();
  for (const std::string& one : all) out.push(text(one));
  return out;
}

Document answer_document(const std::vector<AnswerSentence>& answer) {
  Document out = Document::array();
  for (const AnswerSentence& one : answer) {
    Document& row = out.push(Document::object());
    row.set("about", text(one.about));
    row.set("text", text(one.text));
  }
  return out;
}

Document curve_document(const Diagnosis& diagnosis, std::size_t i) {
  const JudgedCurve& one = diagnosis.curves[i];
  Document out = Document::object();
  out.set("name", text(name_of(one.curve)));
  out.set("kind", text(name_of(one.curve.kind)));
  out.set("ranks", Document(std::int64_t{one.curve.ranks}));
  out.set("nodes", Document(std::int64_t{one.curve.nodes}));
  out.set("is_assumed", Document(one.curve.is_assumed));
  out.set("file", text(one.curve.file));
  out.set("ratio", Document(one.ratio));
  out.set("is_slow", Document(one.is_slow));
  out.set("is_fast", Document(one.is_fast));
  Document points = Document::array();
  for (std::size_t k = 0; k < one.curve.points.size(); k++) {
    const CurvePoint& point = one.curve.points[k];
    Document row = Document::object();
    row.set("size", Document(point.size.count()));
    row.set("measured_gbs", Document(point.bus_bandwidth / 1e9));
    if (!one.expected.empty()) {
      row.set("expected_gbs", gbs_in(point, one.expected[k]));
      row.set("ratio", Document(one.expected[k] / point.time_s));
    }
    points.push(std::move(row));
  }
  out.set("points", std::move(points));
  return out;
}

Document evidence_document(const std::vector<Evidence>& evidence) {
  Document out = Document::array();
  for (const Evidence& piece : evidence) {
    Document& row = out.push(Document::object());
    row.set("log_odds", Document(piece.log_odds));
    row.set("text", text(piece.text));
    row.set("where", text(to_text(piece.where)));
  }
  return out;
}

/// By curve, by point; no row has points where the curve cannot be predicted.
Document predicted_document(const Diagnosis& diagnosis, const PredictedTimes& times) {
  Document out = Document::array();
  for (std::size_t i = 0; i < times.size(); i++) {
    Document& row = out.push(Document::array());
    for (std::size_t k = 0; k < times[i].size(); k++) row.push(gbs_in(diagnosis.curves[i].curve.points[k], times[i][k]));
  }
  return out;
}

Document cause_document(const Diagnosis& diagnosis, const RankedCause& one) {
  Document out = Document::object();
  out.set("id", text(one.cause->id));
  out.set("what", text(one.cause->what));
  out.set("in", text(name_of(one.cause->in)));
  out.set("score", Document(one.score));
  out.set("fit", Document(one.fit));
  out.set("how", text(one.best.how));
  out.set("set", texts(one.best.set));
  out.set("fix", text(one.cause->fix));
  out.set("check", text(one.cause->check));
  out.set("evidence", evidence_document(one.evidence));
  out.set("predicted_gbs", predicted_document(diagnosis, one.times));
  return out;
}

Document pair_document(const Diagnosis& diagnosis, const CausePair& pair) {
  Document out = Document::object();
  Document& causes = out.set("causes", Document::array());
  for (const auto& [cause, variant] : {std::pair{pair.first, &pair.first_best}, {pair.second, &pair.second_best}}) {
    Document& row = causes.push(Document::object());
    row.set("id", text(cause->id));
    row.set("how", text(variant->how));
    row.set("set", texts(variant->set));
  }
  out.set("gain", Document(pair.gain));
  out.set("predicted_gbs", predicted_document(diagnosis, pair.times));
  return out;
}

Document next_document(const NextMeasurement& next) {
  Document out = Document::object();
  out.set("what", text(next.what));
  out.set("if_first", text(next.if_first));
  out.set("if_second", text(next.if_second));
  out.set("separation", Document(next.separation));
  return out;
}

Document scores_document(const Diagnosis& diagnosis) {
  Document out = Document::object();
  out.set("network", Document(diagnosis.in_network));
  out.set("server", Document(diagnosis.in_server));
  out.set("job", Document(diagnosis.in_job));
  out.set("healthy", Document(diagnosis.healthy));
  return out;
}

Document odd_document(const std::vector<Outlier>& odd) {
  Document out = Document::array();
  for (const Outlier& one : odd) {
    Document& row = out.push(Document::object());
    row.set("what", text(one.what));
    row.set("name", text(one.name));
    row.set("how", text(one.how));
    row.set("where", text(to_text(one.where)));
  }
  return out;
}

Document steps_document(const std::vector<JudgedSteps>& steps) {
  Document out = Document::array();
  for (const JudgedSteps& one : steps) {
    Document& row = out.push(Document::object());
    row.set("file", text(one.file));
    row.set("framework", text(one.framework));
    row.set("steps", Document(static_cast<std::int64_t>(one.steps)));
    row.set("median_s", Document(one.median_s));
    row.set("p95_s", Document(one.p95_s));
    if (!one.expected_s) continue;
    row.set("expected_s", Document(*one.expected_s));
    row.set("ratio", Document(*one.expected_s / one.median_s));
  }
  return out;
}

Document skipped_document(const std::vector<SkippedText>& skipped) {
  Document out = Document::array();
  for (const SkippedText& one : skipped) {
    Document& row = out.push(Document::object());
    row.set("where", text(to_text(one.where)));
    row.set("what", text(one.what));
    row.set("times", Document(std::int64_t{one.times}));
  }
  return out;
}

}  // namespace

Document diagnosis_document(const Diagnosis& diagnosis) {
  Document out = Document::object();
  out.set("schema", text("railyard-diagnosis/1"));
  out.set("name", text(diagnosis.name));
  out.set("answer", answer_document(diagnosis.answer));
  out.set("degraded_by_network", text(name_of(diagnosis.by_network)));
  out.set("scores", scores_document(diagnosis));
  out.set("wrong_values", Document(static_cast<std::int64_t>(diagnosis.wrong)));
  Document& curves = out.set("curves", Document::array());
  for (std::size_t i = 0; i < diagnosis.curves.size(); i++) curves.push(curve_document(diagnosis, i));
  Document& causes = out.set("causes", Document::array());
  for (const RankedCause& one : diagnosis.causes) causes.push(cause_document(diagnosis, one));
  if (diagnosis.pair) out.set("pair", pair_document(diagnosis, *diagnosis.pair));
  if (diagnosis.next) out.set("next", next_document(*diagnosis.next));
  out.set("odd", odd_document(diagnosis.odd));
  out.set("steps", steps_document(diagnosis.steps));
  out.set("skipped", skipped_document(diagnosis.skipped));
  out.set("unknown_files", texts(diagnosis.unknown_files));
  out.set("unknown_collectives", texts(diagnosis.unknown));
  return out;
}

}  // namespace railyard
