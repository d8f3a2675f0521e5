#include "report/patterns_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "report/fabric_map_report.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/rounded.h"

namespace railyard {

namespace {

std::string bytes_text(double bytes) { return format(Bytes(static_cast<std::int64_t>(bytes + 0.5))); }
std::string nearest_rate_text(double gbps) { return format(BitsPerSecond(static_cast<std::int64_t>(gbps * 1e9 + 0.5))); }

Document text(const std::string& value) { return Document(value); }

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

Document volumes_document(const Volumes& volumes) {
  Document out = Document::object();
  out.set("by", text(volumes.by));
  Document& rows = out.set("rows", Document::array());
  for (const VolumeRow& row : volumes.rows) {
    Document& item = rows.push(Document::object());
    item.set("name", text(row.name));
    item.set("bytes", Document(row.bytes));
    item.set("share", Document(share_of(row.bytes, volumes.bytes())));
    item.set("scale_out_bytes", Document(row.scale_out));
    item.set("scale_out_share", Document(share_of(row.scale_out, volumes.scale_out())));
  }
  return out;
}

constexpr JsonField<FlowSizes::Shares> kShareFields[] = {
    json_field<&FlowSizes::Shares::count>("count_share"),
    json_field<&FlowSizes::Shares::bytes>("bytes_share"),
};
Document size_shares_document(const FlowSizes::Shares& shares) { return object_of(shares, kShareFields); }

constexpr JsonField<FlowSizes::Bucket> kBucketFields[] = {
    json_field<&FlowSizes::Bucket::from>("from_bytes"),
    json_field<&FlowSizes::Bucket::to>("to_bytes"),
    json_field<&FlowSizes::Bucket::count, six_digits>("count"),
    json_field<&FlowSizes::Bucket::bytes, six_digits>("bytes"),
};

Document sizes_document(const FlowSizes& sizes) {
  Document out = Document::object();
  out.set("level", text(sizes.level));
  out.set("what", text(sizes.what));
  out.set("count", Document(sizes.count));
  out.set("bytes", Document(sizes.bytes));
  out.set("elephants", size_shares_document(sizes.elephants));
  out.set("mice", size_shares_document(sizes.mice));
  out.set("p50_bytes", Document(sizes.p50));
  out.set("p99_bytes", Document(sizes.p99));
  out.set("max_bytes", Document(sizes.max));
  out.set("buckets", list_of(sizes.buckets, kBucketFields));
  return out;
}

constexpr JsonField<TimeSpread> kTimeFields[] = {
    json_field<&TimeSpread::mean, four_digits>("mean"),
    json_field<&TimeSpread::p50, four_digits>("p50"),
    json_field<&TimeSpread::p99, four_digits>("p99"),
    json_field<&TimeSpread::max, four_digits>("max"),
};
Document seconds_document(const TimeSpread& spread) { return object_of(spread, kTimeFields); }

constexpr JsonField<Burstiness> kBurstFields[] = {
    json_field<&Burstiness::resolution_s>("resolution_s"),
    json_field<&Burstiness::mean_gbps, six_digits>("mean_gbps"),
    json_field<&Burstiness::peak_gbps, six_digits>("peak_gbps"),
    json_field<&Burstiness::peak_to_mean, four_digits>("peak_to_mean"),
    json_field<&Burstiness::duty_cycle, four_digits>("duty_cycle"),
    json_field<&Burstiness::bursts>("bursts"),
    json_field<&Burstiness::burst_s, seconds_document>("burst_s"),
    json_field<&Burstiness::gap_s, seconds_document>("gap_s"),
};

Document burstiness_document(const Burstiness& b) {
  Document out = object_of(b, kBurstFields);
  if (b.period_s) {
    out.set("period_s", rounded(*b.period_s));
    out.set("period_strength", rounded(b.period_strength));
  }
  return out;
}

void name_point(const PointPattern& point, Document& out) {
  out.set("where", text(point.where));
  out.set("name", text(point.name));
  out.set("capacity_gbps", rounded(point.capacity_gbps, 6));
}

Document bursts_document(const PointPattern& point) {
  Document out = Document::object();
  name_point(point, out);
  Document& resolutions = out.set("resolutions", Document::array());
  for (const Burstiness& b : point.resolutions) resolutions.push(burstiness_document(b));
  return out;
}

Document series_document(const PointPattern& point, const OverTime& series) {
  Document out = Document::object();
  name_point(point, out);
  out.set("from_s", rounded(series.from_s, 9));
  out.set("bin_s", Document(series.bin_s));
  Document& rows = out.set("rows", Document::array());
  for (const OverTime::Row& row : series.rows) {
    Document& item = rows.push(Document::object());
    item.set("name", text(row.name));
    item.set("gbps", rounded_numbers(row.gbps));
  }
  return out;
}

Document timeline_document(const StageTimeline& timeline) {
  Document out = Document::object();
  Document& stages = out.set("stages", Document::array());
  for (const StageTimeline::Stage& stage : timeline.stages) {
    Document& item = stages.push(Document::object());
    item.set("stage", Document(std::int64_t{stage.stage}));
    Document& spans = item.set("spans", Document::array());
    for (const StageSpan& span : stage.spans) {
      Document& one = spans.push(Document::array());
      one.push(rounded(seconds(span.start), 5));
      one.push(rounded(seconds(span.end), 5));
      one.push(Document(static_cast<std::int64_t>(span.kind)));
    }
  }
  Document& kinds = out.set("kinds", Document::array());
  for (std::size_t kind = 0; kind < kSpanKinds; kind++) kinds.push(text(std::string(name_of(static_cast<SpanKind>(kind)))));
  std::string note =
      "Passes include the communication that nothing runs beside; those of one kind that follow each other are one span. Gaps "
      "are waiting for other stages.";
  if (timeline.left_out > 0) note += fmt::format(" {} stages lie between those shown.", format_count(timeline.left_out));
  if (timeline.thinned > Picoseconds::zero())
    note += fmt::format(" What happens within {} is shown as one.", format(timeline.thinned));
  out.set("note", text(note));
  return out;
}

Document matrix_document(const TrafficMatrix& matrix) {
  Document out = Document::object();
  out.set("level", text(matrix.level));
  out.set("size", Document(static_cast<std::int64_t>(matrix.labels.size())));
  Document& labels = out.set("labels", Document::array());
  for (const std::string& label : matrix.labels) labels.push(text(label));
  Document& bytes = out.set("bytes", Document::array());
  for (const std::vector<double>& row : matrix.bytes) bytes.push(rounded_numbers(row));
  return out;
}

constexpr JsonField<Incast::Degree> kDegreeFields[] = {
    json_field<&Incast::Degree::senders>("senders"),
    json_field<&Incast::Degree::receivers>("receivers"),
    json_field<&Incast::Degree::bytes, six_digits>("bytes"),
};

Document incast_document(const Incast& incast) {
  Document out = Document::object();
  out.set("max", Document(std::int64_t{incast.max}));
  out.set("mean", rounded(incast.mean));
  out.set("of", text("receiver GPUs"));
  out.set("receivers", Document(static_cast<std::int64_t>(incast.receivers)));
  out.set("degrees", list_of(incast.degrees, kDegreeFields));
  if (incast.overlapping) {
    Document& overlapping = out.set("overlapping", Document::object());
    overlapping.set("max", Document(std::int64_t{incast.overlapping->max}));
    overlapping.set("mean", rounded(incast.overlapping->mean));
  }
  out.set("what", text(incast.what));
  return out;
}

Document load_document(const LoadSpread& load) {
  Document out = Document::object();
  out.set("of", text(load.of));
  out.set("count", Document(static_cast<std::int64_t>(load.count)));
  out.set("capacity_gbps", rounded(load.capacity_gbps, 6));
  out.set("mean_gbps", rounded(load.gbps.mean, 6));
  out.set("p50_gbps", rounded(load.gbps.p50, 6));
  out.set("p99_gbps", rounded(load.gbps.p99, 6));
  out.set("max_gbps", rounded(load.gbps.max, 6));
  out.set("busiest", text(load.busiest));
  return out;
}

constexpr JsonField<PathChoice> kChoiceFields[] = {
    json_field<&PathChoice::tier>("tier"),
    json_field<&PathChoice::groups>("groups"),
    json_field<&PathChoice::members>("members"),
    json_field<&PathChoice::flows, four_digits>("flows_per_group"),
    json_field<&PathChoice::idle, four_digits>("idle"),
    json_field<&PathChoice::expected_idle, four_digits>("expected_idle"),
    json_field<&PathChoice::worst_to_mean, four_digits>("worst_to_mean"),
    json_field<&PathChoice::expected_worst_to_mean, four_digits>("expected_worst_to_mean"),
    json_field<&PathChoice::collisions, four_digits>("collisions"),
    json_field<&PathChoice::expected_collisions, four_digits>("expected_collisions"),
    json_field<&PathChoice::effective, four_digits>("effective_paths"),
};

Document paths_document(const PathDiversity& paths) {
  Document out = Document::object();
  out.set("what",
          text(fmt::format("{}: {} of {} pairs of GPUs{}", paths.what, format_count(paths.looked_at), format_count(paths.pairs),
                           paths.hashed ? ""
                           : paths.variants.front().pinned
                               ? "; paths are pinned here, the rest is what hashing would do"
                               : "; switches here do not hash, this is what they would do if they did")));
  out.set("hashed", Document(paths.hashed));
  Document& variants = out.set("variants", Document::array());
  for (const PathVariant& variant : paths.variants) {
    Document& item = variants.push(Document::object());
    item.set("queue_pairs", Document(std::int64_t{variant.queue_pairs}));
    item.set("hash_fields", text(variant.pinned ? "destination" : variant.with_qpn ? "qpn" : "five-tuple"));
    item.set("as_set", Document(variant.as_set));
    item.set("flows", Document(variant.flows));
    item.set("entropy_bits", rounded(variant.entropy_bits));
    item.set("tiers", list_of(variant.tiers, kChoiceFields));
  }
  if (paths.polarisation) {
    Document& polarisation = out.set("polarisation", Document::object());
    polarisation.set("idle", rounded(paths.polarisation->idle));
    polarisation.set("expected_idle", rounded(paths.polarisation->expected_idle));
    polarisation.set("same_seeds_idle", rounded(paths.polarisation->same_seeds_idle));
    polarisation.set("polarised", Document(paths.polarisation->polarised));
  }
  return out;
}

TextTable volumes_table(const Volumes& volumes) {
  TextTable table{{"primitive", "sent per GPU", "of all", "scale-out", "of scale-out"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const VolumeRow& row : volumes.rows)
    table.rows.push_back({row.name, bytes_text(row.bytes), percent(share_of(row.bytes, volumes.bytes())),
                          row.scale_out > 0 ? bytes_text(row.scale_out) : "–",
                          row.scale_out > 0 ? percent(share_of(row.scale_out, volumes.scale_out())) : "–"});
  return table;
}

TextTable sizes_table(const std::vector<FlowSizes>& levels) {
  TextTable table{{"counted by", "flows", "median", "99 %", "largest", "elephants by bytes", "mice by count"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const FlowSizes& sizes : levels)
    table.rows.push_back({sizes.level, format_count(static_cast<std::uint64_t>(sizes.count + 0.5)), bytes_text(sizes.p50),
                          bytes_text(sizes.p99), bytes_text(sizes.max), percent(sizes.elephants.bytes),
                          percent(sizes.mice.count)});
  return table;
}

/// A column for periods where any traffic has one.
TextTable bursts_table(const std::vector<PointPattern>& points) {
  TextTable table{{"where", "within", "mean", "peak", "peak / mean", "busy", "bursts", "mean burst", "mean gap"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right},
                  {}};
  const bool any_period = std::any_of(points.begin(), points.end(), [](const PointPattern& point) {
    return std::any_of(point.resolutions.begin(), point.resolutions.end(), [](const Burstiness& b) { return b.period_s; });
  });
  if (any_period) table.header.emplace_back("period"), table.align.push_back(Align::right);
  for (const PointPattern& point : points)
    for (const Burstiness& b : point.resolutions) {
      table.rows.push_back({&b == &point.resolutions.front() ? point.where : "", seconds_or_dash(b.resolution_s),
                            nearest_rate_text(b.mean_gbps), nearest_rate_text(b.peak_gbps),
                            fmt::format("{:.1f}", b.peak_to_mean), percent(b.duty_cycle), format_count(b.bursts),
                            seconds_or_dash(b.burst_s.mean), seconds_or_dash(b.gap_s.mean)});
      if (any_period) table.rows.back().push_back(b.period_s ? seconds_or_dash(*b.period_s) : "–");
    }
  return table;
}

std::string points_sentence(const std::vector<PointPattern>& points) {
  std::string sentence = "Busy: above 1 % of the capacity. Of those that carried most:";
  for (const PointPattern& point : points)
    sentence += fmt::format("{} {} is {} at {}", &point == &points.front() ? "" : ";", point.where, point.name,
                            nearest_rate_text(point.capacity_gbps));
  return sentence + ".";
}

}  // namespace

std::vector<Report::Section> patterns_sections(const Patterns& patterns) {
  std::vector<Report::Section> sections;
  if (!patterns.volumes.empty()) sections.push_back({"Volumes by primitive", {volumes_table(patterns.volumes.front())}});
  if (!patterns.flow_sizes.empty())
    sections.push_back({"Sizes of flows across the network",
                        {sizes_table(patterns.flow_sizes),
                         std::string("Elephants are larger than 100 MB, mice smaller than 100 kB; which there are depends on "
                                     "what is counted.")}});
  const bool any_burst = std::any_of(patterns.points.begin(), patterns.points.end(),
                                     [](const PointPattern& point) { return !point.resolutions.empty(); });
  if (any_burst)  // samples of a long run may be too far apart
    sections.push_back({"Burstiness", {bursts_table(patterns.points), points_sentence(patterns.points)}});
  return sections;
}

Document patterns_document(const Patterns& patterns) {
  Document out = Document::object();
  const auto list = [&](const char* key, const auto& values, const auto& document_of) {
    if (values.empty()) return;
    Document& items = out.set(key, Document::array());
    for (const auto& value : values) items.push(document_of(value));
  };
  list("volumes", patterns.volumes, volumes_document);
  list("flow_sizes", patterns.flow_sizes, sizes_document);
  list("bursts", patterns.points, bursts_document);
  list("over_time", patterns.points, [](const PointPattern& p) { return series_document(p, p.whole); });
  list("excerpt", patterns.points, [](const PointPattern& p) { return series_document(p, p.excerpt); });
  if (patterns.timeline) out.set("timeline", timeline_document(*patterns.timeline));
  if (patterns.matrix) out.set("matrix", matrix_document(*patterns.matrix));
  if (patterns.incast) out.set("incast", incast_document(*patterns.incast));
  list("loads", patterns.loads, load_document);
  if (patterns.fabric_map)
    out.set("fabric_map", map_document(*patterns.fabric_map, patterns.map_over_time ? &*patterns.map_over_time : nullptr));
  if (patterns.paths) out.set("paths", paths_document(*patterns.paths));
  return out;
}

}  // namespace railyard
