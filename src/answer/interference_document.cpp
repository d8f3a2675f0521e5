#include "answer/interference.h"

namespace railyard {

namespace {

Document times_document(const TurnTimes& times) {
  Document out = Document::object();
  out.set("mean_s", Document(times.mean));
  out.set("median_s", Document(times.median));
  out.set("p99_s", Document(times.p99));
  out.set("longest_s", Document(times.most));
  return out;
}

Document packets_document(const PacketFigures& figures) {
  Document out = Document::object();
  out.set("marked", Document(static_cast<std::int64_t>(figures.marked)));
  out.set("pauses", Document(static_cast<std::int64_t>(figures.pauses)));
  out.set("dropped", Document(static_cast<std::int64_t>(figures.dropped)));
  out.set("timeouts", Document(static_cast<std::int64_t>(figures.timeouts)));
  if (figures.classes.empty()) return out;
  Document& classes = out.set("classes", Document::array());
  for (const ClassFigures& figure : figures.classes) {
    Document& one = classes.push(Document::object());
    one.set("name", Document(figure.name));
    one.set("marked", Document(static_cast<std::int64_t>(figure.marked)));
    one.set("pauses", Document(static_cast<std::int64_t>(figure.pauses)));
    one.set("dropped", Document(static_cast<std::int64_t>(figure.dropped)));
  }
  return out;
}

std::string kind_name(JobKind kind) {
  switch (kind) {
    case JobKind::training:
      return "training";
    case JobKind::collective:
      return "collective";
    case JobKind::traffic:
      break;
  }
  return "traffic";
}

Document job_document(const JobFigures& job) {
  Document out = Document::object();
  out.set("name", Document(job.name));
  out.set("kind", Document(job.serves.empty() ? kind_name(job.kind) : std::string("serving")));
  out.set("turn", Document(job.turn));
  if (!job.serves.empty()) out.set("serves", Document(job.serves));
  out.set("gpus", Document(std::int64_t{job.gpus}));
  out.set("servers", Document(job.servers));
  if (!job.of.empty()) out.set("of", Document(job.of));
  out.set("start_s", Document(job.start_s));
  out.set("turns", Document(std::int64_t{job.turns}));
  out.set("bytes_per_turn", Document(job.posted));
  out.set("alone", times_document(job.alone));
  out.set("together", times_document(job.together));
  out.set("slowdown", Document(job.slowdown()));
  if (job.staggered) {
    out.set("out_of_phase", times_document(*job.staggered));
    out.set("out_of_phase_slowdown", Document(job.staggered->mean / job.alone.mean - 1));
  }
  if (job.bus) {
    Document& bus = out.set("busbw", Document::object());
    bus.set("collective", Document(job.bus->collective));
    bus.set("size", Document(job.bus->size.count()));
    bus.set("alone_gbs", Document(job.bus->alone / 1e9));
    bus.set("together_gbs", Document(job.bus->together / 1e9));
  }
  if (job.kind == JobKind::traffic) {
    Document& messages = out.set("messages", Document::object());
    messages.set("alone", times_document(job.message_alone));
    messages.set("together", times_document(job.message_together));
  }
  if (job.packets_alone) out.set("packets_alone", packets_document(*job.packets_alone));
  Document& ops = out.set("collectives", Document::array());
  for (const SharedOp& op : job.ops) {
    Document& one = ops.push(Document::object());
    one.set("name", Document(op.name));
    one.set("group", Document(op.group));
    one.set("calls", Document(static_cast<std::int64_t>(op.calls)));
    one.set("alone_s", Document(op.alone_s));
    one.set("together_s", Document(op.together_s));
    one.set("slowdown", Document(op.together_s / op.alone_s - 1));
    one.set("longest_s", Document(op.longest_s));
  }
  return out;
}

}  // namespace

Document interference_document(const Interference& found) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-jobs/1")));
  out.set("name", Document(found.name));
  Document& answer = out.set("answer", Document::array());
  for (const JobSentence& sentence : answer_of(found)) {
    Document& one = answer.push(Document::object());
    one.set("about", Document(sentence.about));
    one.set("text", Document(sentence.text));
  }
  out.set("length_s", Document(found.length_s));
  out.set("exact", Document(found.exact));
  if (found.packets) out.set("packets", packets_document(*found.packets));
  Document& jobs = out.set("jobs", Document::array());
  for (const JobFigures& job : found.jobs) jobs.push(job_document(job));
  Document& served = out.set("served", Document::array());
  for (const ServedLoad& load : found.served) {
    Document& one = served.push(Document::object());
    one.set("name", Document(load.name));
    one.set("first_token_alone", times_document(load.first_alone));
    one.set("first_token_together", times_document(load.first_together));
    one.set("next_token_alone", times_document(load.next_alone));
    one.set("next_token_together", times_document(load.next_together));
  }
  Document& beside = out.set("beside", Document::array());
  for (const std::vector<double>& row : found.beside) {
    Document& line = beside.push(Document::array());
    for (const double share : row) line.push(Document(share));
  }
  Document& tiers = out.set("tiers", Document::array());
  for (const SharedTier& tier : found.tiers) {
    Document& one = tiers.push(Document::object());
    one.set("name", Document(tier.name));
    one.set("links", Document(std::int64_t{tier.links}));
    one.set("used", Document(std::int64_t{tier.used}));
    one.set("shared", Document(std::int64_t{tier.shared}));
  }
  Document& links = out.set("links", Document::array());
  for (const SharedLink& link : found.links) {
    Document& one = links.push(Document::object());
    one.set("name", Document(link.name));
    Document& shares = one.set("alone", Document::array());
    for (const double share : link.shares) shares.push(Document(share));
    one.set("together", Document(link.together));
  }
  out.set("fingerprint", Document(found.fingerprint));
  return out;
}

}  // namespace railyard
