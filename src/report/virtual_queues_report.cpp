#include "report/virtual_queues_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/json_fields.h"

namespace railyard {

namespace {

constexpr JsonField<VirtualQueueRow> kFields[] = {
    json_field<&VirtualQueueRow::at>("at"),
    json_field<&VirtualQueueRow::port>("port"),
    json_field<&VirtualQueueRow::deepest>("deepest_bytes"),
};

}  // namespace

void add_virtual_queues(const PacketResults& packets, Report::Section& section) {
  if (packets.virtual_queues == 0) return;
  const std::size_t shown = packets.deepest_virtual_queues.size();
  section.blocks.push_back(fmt::format("Packets waited for credit in {} virtual output {} of the switches they came to{}.",
                                       format_count(packets.virtual_queues), packets.virtual_queues == 1 ? "queue" : "queues",
                                       packets.virtual_queues > shown ? fmt::format("; the deepest {} are shown", shown) : ""));
  TextTable table{{"deepest", "waits at", "for credit of"}, {Align::right}, {}};
  for (const VirtualQueueRow& row : packets.deepest_virtual_queues)
    table.rows.push_back({format(row.deepest), row.at, row.port});
  section.blocks.push_back(std::move(table));
}

void add_virtual_queues(const PacketResults& packets, Document& out) {
  if (packets.virtual_queues == 0) return;
  Document& queues = out.set("virtual_queues", Document::object());
  queues.set("count", Document(static_cast<std::int64_t>(packets.virtual_queues)));
  queues.set("deepest", list_of(packets.deepest_virtual_queues, kFields));
}

}  // namespace railyard
