// A diagnosis as JSON.
#include "tools/diagnose/diagnose.h"

namespace railyard {

namespace {

Document text(std::string_view value) { return Document(std::string(value)); }

Document curve_document(const Diagnosis& diagnosis, std::size_t i) {
  const JudgedCurve& one = diagnosis.curves[i];
  Document out = Document::object();
  out.set("kind", text(name_of(one.curve.kind)));
  out.set("ranks", Document(std::int64_t{one.curve.ranks}));
  out.set("nodes", Document(std::int64_t{one.curve.nodes}));
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
    if (!one.expected.empty()) row.set("expected_gbs", Document(point.bus_bandwidth * point.time_s / one.expected[k] / 1e9));
    points.push(std::move(row));
  }
  out.set("points", std::move(points));
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
  Document set = Document::array();
  for (const std::string& key : one.best.set) set.push(text(key));
  out.set("set", std::move(set));
  out.set("fix", text(one.cause->fix));
  out.set("check", text(one.cause->check));
  Document evidence = Document::array();
  for (const Evidence& piece : one.evidence) {
    Document row = Document::object();
    row.set("log_odds", Document(piece.log_odds));
    row.set("text", text(piece.text));
    row.set("where", text(to_text(piece.where)));
    evidence.push(std::move(row));
  }
  out.set("evidence", std::move(evidence));
  Document predicted = Document::array();
  for (std::size_t i = 0; i < one.times.size(); i++) {
    Document row = Document::array();
    const Curve& curve = diagnosis.curves[i].curve;
    for (std::size_t k = 0; k < one.times[i].size(); k++)
      row.push(Document(curve.points[k].bus_bandwidth * curve.points[k].time_s / one.times[i][k] / 1e9));
    predicted.push(std::move(row));
  }
  out.set("predicted_gbs", std::move(predicted));
  return out;
}

}  // namespace

Document diagnosis_document(const Diagnosis& diagnosis) {
  Document out = Document::object();
  out.set("name", text(diagnosis.name));
  Document answer = Document::array();
  for (const std::string& sentence : diagnosis.answer) answer.push(text(sentence));
  out.set("answer", std::move(answer));
  out.set("degraded_by_network", text(name_of(diagnosis.by_network)));
  Document sums = Document::object();
  sums.set("network", Document(diagnosis.in_network));
  sums.set("server", Document(diagnosis.in_server));
  sums.set("job", Document(diagnosis.in_job));
  sums.set("healthy", Document(diagnosis.healthy));
  out.set("scores", std::move(sums));
  out.set("wrong_values", Document(static_cast<std::int64_t>(diagnosis.wrong)));
  Document curves = Document::array(), causes = Document::array(), odd = Document::array(), steps = Document::array();
  for (std::size_t i = 0; i < diagnosis.curves.size(); i++) curves.push(curve_document(diagnosis, i));
  for (const RankedCause& one : diagnosis.causes) causes.push(cause_document(diagnosis, one));
  for (const Outlier& one : diagnosis.odd) {
    Document row = Document::object();
    row.set("what", text(one.what));
    row.set("name", text(one.name));
    row.set("how", text(one.how));
    odd.push(std::move(row));
  }
  for (const JudgedSteps& one : diagnosis.steps) {
    Document row = Document::object();
    row.set("framework", text(one.framework));
    row.set("steps", Document(static_cast<std::int64_t>(one.steps)));
    row.set("median_s", Document(one.median_s));
    row.set("p95_s", Document(one.p95_s));
    if (one.expected_s) row.set("expected_s", Document(*one.expected_s));
    steps.push(std::move(row));
  }
  out.set("curves", std::move(curves));
  out.set("causes", std::move(causes));
  out.set("odd", std::move(odd));
  out.set("steps", std::move(steps));
  return out;
}

}  // namespace railyard
