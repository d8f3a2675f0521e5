#include "report/html.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace railyard {

namespace {

constexpr std::string_view kStyle =
    "body{font:11pt/1.45 system-ui,sans-serif;color:#1b1f24;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.6rem;border-bottom:2px solid #1b1f24;padding-bottom:.3rem}h2{font-size:1.15rem;margin-top:1.8rem}"
    "table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{border-bottom:1px solid #c9ced6;padding:.25rem .5rem;"
    "text-align:left;vertical-align:top}th{background:#eef1f5}.right{text-align:right}.pass{color:#116329;font-weight:600}"
    ".fail{color:#a40e26;font-weight:600}.open{color:#6a5300;font-weight:600}"
    "@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}";

std::string class_of(const std::string& cell, bool right) {
  if (cell == "pass") return " class=\"pass\"";
  if (cell == "fail") return " class=\"fail\"";
  if (cell == "not measured") return " class=\"open\"";
  return right ? " class=\"right\"" : "";
}

std::string row_html(const std::vector<std::string>& cells, const TextTable& table, std::string_view tag) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < cells.size(); i++) {
    const bool right = i < table.align.size() && table.align[i] == Align::right;
    out += fmt::format("<{0}{1}>{2}</{0}>", tag, class_of(cells[i], right), escaped_markup(cells[i]));
  }
  return out + "</tr>\n";
}

struct BlockHtml {
  std::string operator()(const std::string& text) const { return "<p>" + escaped_markup(text) + "</p>\n"; }
  std::string operator()(const TextTable& table) const {
    std::string out = "<table>\n<thead>" + row_html(table.header, table, "th") + "</thead>\n<tbody>\n";
    for (const auto& row : table.rows) out += row_html(row, table, "td");
    return out + "</tbody>\n</table>\n";
  }
  std::string operator()(const Diagnostics& findings) const {
    std::string out = "<ul>\n";
    for (const Diagnostic& one : findings) out += "<li>" + escaped_markup(to_text(one)) + "</li>\n";
    return out + "</ul>\n";
  }
};

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string write_html(const Report& report) {
  const std::string title = escaped_markup(report.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<h1>{}</h1>\n",
      title, kStyle, title);
  for (const Report::Section& section : report.sections) {
    out += "<section>\n";
    if (!section.title.empty()) out += "<h2>" + escaped_markup(section.title) + "</h2>\n";
    for (const Report::Block& block : section.blocks) out += std::visit(BlockHtml{}, block);
    out += "</section>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace railyard
