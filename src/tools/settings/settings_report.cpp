#include <fmt/format.h>

#include "base/quantity_text.h"
#include "tools/settings/settings.h"

namespace railyard {

namespace {

/// Sources of a section, each once; rows name them by number.
class Sources {
 public:
  std::string number_of(const Origin& origin) {
    for (std::size_t i = 0; i < all_.size(); i++)
      if (all_[i] == origin.source) return fmt::format("{} [{}]", name_of(origin.status), i + 1);
    all_.push_back(origin.source);
    return fmt::format("{} [{}]", name_of(origin.status), all_.size());
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < all_.size(); i++) out += fmt::format("{}[{}] {}", i == 0 ? "" : "; ", i + 1, all_[i]);
    return out + ".";
  }

 private:
  std::vector<std::string> all_;
};

TextTable rows_table(const SettingSection& section, Sources& sources) {
  TextTable table{{"setting", "value", "status", "why"}, {}, {}};
  for (const SettingRow& row : section.rows)
    table.rows.push_back({row.setting, row.value, sources.number_of(row.origin), row.reason});
  return table;
}

TextTable headroom_table(const SettingsSheet& sheet) {
  TextTable table{{"switch", "ports", "towards", "rate", "cable", "headroom"},
                  {Align::left, Align::right, Align::left, Align::right, Align::right, Align::right},
                  {}};
  for (const HeadroomRow& row : sheet.headroom)
    table.rows.push_back({row.device, std::to_string(row.ports), row.up ? "up" : "down", format(row.rate), format(row.cable),
                          format_count(static_cast<std::uint64_t>(row.headroom.count())) + " B"});
  return table;
}

}  // namespace

Report settings_report(const SettingsSheet& sheet) {
  Report report{fmt::format("Settings for {}", sheet.name), {}};
  Report::Section& answer = report.sections.emplace_back();
  for (const std::string& paragraph : sheet.answer) answer.blocks.emplace_back(paragraph);
  for (const std::string& remark : sheet.remarks) answer.blocks.emplace_back("Note: " + remark);
  for (const SettingSection& section : sheet.sections) {
    Sources sources;
    Report::Section& added = report.sections.emplace_back(Report::Section{section.title, {rows_table(section, sources)}});
    if (section.title == "PFC and buffers" && !sheet.headroom.empty()) added.blocks.emplace_back(headroom_table(sheet));
    if (!section.note.empty()) added.blocks.emplace_back(section.note);
    added.blocks.emplace_back(sources.text());
  }
  report.sections.push_back(
      {"Files",
       {std::string("railyard settings SCENARIO --for sonic -o DIR writes them for devices; --for takes sonic, nvue, eos, "
                    "nxos, junos, mlnx, nicctl and nccl.")}});
  return report;
}

Document settings_document(const SettingsSheet& sheet) {
  const auto text = [](const std::string& value) { return Document(value); };
  Document out = Document::object();
  out.set("schema", text("railyard-settings/1"));
  out.set("scenario", text(sheet.name));
  Document& answer = out.set("answer", Document::array());
  for (const std::string& paragraph : sheet.answer) answer.push(text(paragraph));
  Document& remarks = out.set("remarks", Document::array());
  for (const std::string& remark : sheet.remarks) remarks.push(text(remark));
  Document& sections = out.set("sections", Document::array());
  for (const SettingSection& section : sheet.sections) {
    Document& one = sections.push(Document::object());
    one.set("title", text(section.title));
    if (!section.note.empty()) one.set("note", text(section.note));
    Document& rows = one.set("settings", Document::array());
    for (const SettingRow& row : section.rows) {
      Document& added = rows.push(Document::object());
      added.set("setting", text(row.setting));
      added.set("value", text(row.value));
      added.set("why", text(row.reason));
      added.set("status", text(std::string(name_of(row.origin.status))));
      added.set("source", text(row.origin.source));
    }
  }
  Document& headroom = out.set("headroom", Document::array());
  for (const HeadroomRow& row : sheet.headroom) {
    Document& one = headroom.push(Document::object());
    one.set("switch", text(row.device));
    one.set("towards", text(row.up ? "up" : "down"));
    one.set("ports", Document(std::int64_t{row.ports}));
    one.set("rate_gbps", Document(static_cast<double>(row.rate.count()) / 1e9));
    one.set("cable_m", Document(static_cast<double>(row.cable.count()) / 1e3));
    one.set("headroom", Document(row.headroom.count()));
  }
  return out;
}

}  // namespace railyard
