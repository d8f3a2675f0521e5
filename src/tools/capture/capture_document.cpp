#include <fmt/format.h>

#include "tools/capture/capture_figures.h"
#include "tools/capture/capture_report.h"

namespace railyard {

namespace {

Document number(std::uint64_t value) { return Document(static_cast<std::int64_t>(value)); }

Document flow_document(const CapturedFlow& flow) {
  Document out = Document::object();
  out.set("source", Document(address_text(flow.key.source)));
  out.set("destination", Document(address_text(flow.key.destination)));
  out.set("source_port", number(flow.key.source_port));
  out.set("destination_qp", number(flow.key.destination_qp));
  out.set("packets", number(flow.packets));
  out.set("wire_bytes", number(flow.bytes));
  out.set("payload_bytes", number(flow.payload));
  out.set("messages", number(flow.messages.size()));
  out.set("ce_marked", number(flow.marked));
  out.set("gaps", number(flow.gaps));
  out.set("missing", number(flow.missing));
  out.set("sent_again", number(flow.repeated));
  out.set("first_us", Document(static_cast<double>(flow.first_ns) / 1e3));
  out.set("last_us", Document(static_cast<double>(flow.last_ns) / 1e3));
  return out;
}

Document interface_document(const InterfaceSummary& one, std::uint32_t index) {
  Document out = Document::object();
  out.set("name", Document(one.interface.name.empty() ? fmt::format("interface {}", index) : one.interface.name));
  out.set("rate_gbps", Document(static_cast<double>(one.interface.rate.count()) / 1e9));
  out.set("frames", number(one.frames));
  out.set("wire_bytes", number(one.bytes));
  Document& pauses = out.set("pauses", Document::array());
  for (std::size_t priority = 0; priority < one.pauses.size(); priority++) {
    if (one.pauses[priority].pauses + one.pauses[priority].resumes == 0) continue;
    Document row = Document::object();
    row.set("priority", number(priority));
    row.set("pauses", number(one.pauses[priority].pauses));
    row.set("resumes", number(one.pauses[priority].resumes));
    pauses.push(std::move(row));
  }
  Document& bursts = out.set("bursts", Document::array());
  for (const BurstMeter& meter : one.bursts) {
    Document row = Document::object();
    row.set("resolution_us", Document(static_cast<double>(meter.width_ns()) / 1e3));
    row.set("mean_gbps", Document(meter.mean_bps() / 1e9));
    row.set("peak_gbps", Document(meter.peak_bps() / 1e9));
    row.set("duty_cycle", Document(meter.duty_cycle()));
    row.set("bursts", number(meter.burst_bins().count()));
    bursts.push(std::move(row));
  }
  return out;
}

Document entropy_document(const ShareEntropy& entropy) {
  Document out = Document::object();
  out.set("count", number(entropy.count));
  out.set("bits", Document(entropy.bits));
  out.set("most_bits", Document(entropy.most_bits));
  return out;
}

Document counters_document(const CaptureSummary& s, const CaptureFigures& f) {
  const CapturedAnswers& a = s.flows.answers();
  Document out = Document::object();
  const std::pair<const char*, std::uint64_t> counters[] = {{"frames", s.frames},
                                                            {"roce", s.roce},
                                                            {"pfc", pause_frames(s)},
                                                            {"link_pauses", s.link_pauses},
                                                            {"other", s.other},
                                                            {"wire_bytes", s.bytes},
                                                            {"data", s.data},
                                                            {"ce_marked", s.marked},
                                                            {"ecn_capable", s.capable},
                                                            {"cnps", a.cnps},
                                                            {"acks", a.acks},
                                                            {"naks", a.naks},
                                                            {"rnr_naks", a.receiver_not_ready},
                                                            {"flagged_acks", a.flagged_acks},
                                                            {"gaps", f.gaps},
                                                            {"missing", f.missing},
                                                            {"sent_again", f.repeated},
                                                            {"messages", f.messages},
                                                            {"payload_bytes", f.payload},
                                                            {"crc_checked", s.crc_checked},
                                                            {"crc_wrong", s.crc_wrong},
                                                            {"late", s.late}};
  for (const auto& [name, value] : counters) out.set(name, number(value));
  return out;
}

Document wait_document(const CapturedAnswers& answers) {
  Document out = Document::object();
  const Histogram& waits = answers.wait_ns;
  out.set("count", number(waits.count()));
  out.set("unpaired", number(answers.unpaired));
  if (waits.count() == 0) return out;
  out.set("min_us", Document(static_cast<double>(waits.min()) / 1e3));
  out.set("p50_us", Document(quantile_of(waits, 0.5) / 1e3));
  out.set("p99_us", Document(quantile_of(waits, 0.99) / 1e3));
  out.set("max_us", Document(static_cast<double>(waits.max()) / 1e3));
  return out;
}

Document diagnostic_document(const Diagnostic& finding) {
  Document out = Document::object();
  out.set("severity", Document(std::string(name_of(finding.severity))));
  out.set("code", Document(finding.code));
  out.set("message", Document(finding.message));
  out.set("hint", Document(finding.hint));
  return out;
}

}  // namespace

Document capture_document(const CaptureReading& reading) {
  const CaptureSummary& s = reading.summary;
  const CaptureFigures f = figures_of(s);
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-capture/1")));
  out.set("capture", Document(reading.name));
  out.set("time_us", Document(static_cast<double>(s.last_ns - s.first_ns) / 1e3));
  out.set("counters", counters_document(s, f));
  Document& opcodes = out.set("opcodes", Document::array());
  for (const auto& [opcode, count] : s.opcodes) {
    Document row = Document::object();
    row.set("opcode", number(opcode));
    row.set("name", Document(opcode_text(opcode)));
    row.set("frames", number(count));
    opcodes.push(std::move(row));
  }
  out.set("ack_time", wait_document(s.flows.answers()));
  Document& entropy = out.set("entropy", Document::object());
  entropy.set("five_tuples", entropy_document(f.five_tuples));
  entropy.set("source_ports", entropy_document(f.source_ports));
  Document& sizes = out.set("sizes", Document::object());
  sizes.set("elephants", number(f.elephants));
  sizes.set("elephant_bytes", number(f.elephant_bytes));
  sizes.set("mice", number(f.mice));
  Document& flows = out.set("flows", Document::array());
  for (const CapturedFlow* flow : f.flows) flows.push(flow_document(*flow));
  Document& interfaces = out.set("interfaces", Document::array());
  for (std::uint32_t i = 0; i < s.interfaces.size(); i++) interfaces.push(interface_document(s.interfaces[i], i));
  Document& findings = out.set("diagnostics", Document::array());
  for (const Diagnostic& finding : s.diagnostics) findings.push(diagnostic_document(finding));
  return out;
}

}  // namespace railyard
