#include "report/report_page.h"

#include <cmath>

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

Document curve_document(const PageCurve& curve) {
  Document out = Document::object();
  out.set("title", words(curve.title));
  out.set("axis", words(curve.axis));
  if (!curve.unit.empty()) out.set("unit", words(curve.unit));
  out.set("figure", words(curve.figure));
  out.set("scale", words(std::string(curve.scale)));
  Document& points = out.set("points", Document::array());
  for (const PageCurve::Point& point : curve.points) {
    Document& one = points.push(Document::object());
    one.set("label", words(point.label));
    if (curve.scale != "names") one.set("at", Document(point.at));
    one.set("mean", Document(point.mean));
    one.set("least", Document(point.least));
    one.set("most", Document(point.most));
    one.set("text", words(point.text));
    one.set("count", Document(static_cast<std::int64_t>(point.count)));
  }
  return out;
}

Document map_document(const PageMap& map) {
  Document out = Document::object();
  out.set("title", words(map.title));
  out.set("figure", words(map.figure));
  out.set("down", words(map.down));
  out.set("across", words(map.across));
  out.set("rows", words(map.rows));
  out.set("columns", words(map.columns));
  Document& cells = out.set("cells", Document::array());
  for (std::size_t i = 0; i < map.cells.size(); i++)
    for (std::size_t k = 0; k < map.cells[i].size(); k++) {
      const PageMap::Cell& cell = map.cells[i][k];
      if (std::isnan(cell.value)) continue;
      Document& one = cells.push(Document::object());
      one.set("row", Document(static_cast<std::int64_t>(i)));
      one.set("column", Document(static_cast<std::int64_t>(k)));
      one.set("value", Document(cell.value));
      one.set("text", words(cell.text));
    }
  return out;
}

}  // namespace

Document report_page(const std::string& version, const std::string& command, const Report& report,
                     const PageDrawings& drawings) {
  Document data = Document::object();
  data.set("railyard", words(version));
  data.set("kind", words(std::string("report")));
  data.set("title", words(report.title));
  data.set("command", words(command));
  Document& shown = data.set("report", Document::object());
  Document& groups = shown.set("bars", Document::array());
  for (const PageBars& group : drawings.bars) groups.push(bars_document(group));
  Document& curves = shown.set("curves", Document::array());
  for (const PageCurve& curve : drawings.curves) curves.push(curve_document(curve));
  if (drawings.map) shown.set("map", map_document(*drawings.map));
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
