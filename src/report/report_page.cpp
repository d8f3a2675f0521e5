#include "report/report_page.h"

namespace railyard {

namespace {

Document words(const std::string& value) { return Document(value); }

Document words(const std::vector<std::string>& values) {
  Document out = Document::array();
  for (const std::string& value : values) out.push(words(value));
  return out;
}

Document table_block(const TextTable& table) {
  Document out = Document::object();
  out.set("header", words(table.header));
  Document& right = out.set("right", Document::array());
  for (std::size_t i = 0; i < table.header.size(); i++)
    right.push(Document(i < table.align.size() && table.align[i] == Align::right));
  Document& rows = out.set("rows", Document::array());
  for (const std::vector<std::string>& row : table.rows) rows.push(words(row));
  return out;
}

Document text_block(const std::string& text) {
  Document out = Document::object();
  out.set("text", words(text));
  return out;
}

void add_blocks(const Report::Block& block, Document& blocks) {
  if (const auto* text = std::get_if<std::string>(&block)) blocks.push(text_block(*text));
  if (const auto* table = std::get_if<TextTable>(&block)) blocks.push(table_block(*table));
  if (const auto* findings = std::get_if<Diagnostics>(&block))
    for (const Diagnostic& finding : *findings) blocks.push(text_block(to_text(finding)));
}

Document bars_document(const PageBars& group) {
  Document out = Document::object();
  out.set("title", words(group.title));
  out.set("unit", words(group.unit));
  Document& list = out.set("bars", Document::array());
  for (const PageBars::Bar& bar : group.bars) {
    Document& one = list.push(Document::object());
    one.set("label", words(bar.label));
    one.set("value", Document(bar.value));
    one.set("text", words(bar.text));
    one.set("marked", Document(bar.is_marked));
  }
  return out;
}

}  // namespace

Document report_page(const std::string& version, const std::string& command, const Report& report,
                     const std::vector<PageBars>& bars) {
  Document data = Document::object();
  data.set("railyard", words(version));
  data.set("kind", words(std::string("report")));
  data.set("title", words(report.title));
  data.set("command", words(command));
  Document& shown = data.set("report", Document::object());
  Document& groups = shown.set("bars", Document::array());
  for (const PageBars& group : bars) groups.push(bars_document(group));
  Document& sections = shown.set("sections", Document::array());
  for (const Report::Section& section : report.sections) {
    Document& one = sections.push(Document::object());
    one.set("title", words(section.title));
    Document& blocks = one.set("blocks", Document::array());
    for (const Report::Block& block : section.blocks) add_blocks(block, blocks);
  }
  return data;
}

}  // namespace railyard
