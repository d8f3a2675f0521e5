#include "tools/fabric/picture/svg_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace railyard {

namespace {

constexpr std::string_view kStyle = R"(
  svg { background: #ffffff; font-family: "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
  text { fill: #1f2328; }
  .h { font-size: 20px; font-weight: bold; }
  .t { font-size: 13px; }
  .s { font-size: 11.5px; fill: #57606a; }
  .n { font-size: 12px; font-weight: bold; }
  .page { fill: #ffffff; }
  .pod { fill: #f6f8fa; stroke: #d0d7de; }
  .group { fill: #ddf4ff; stroke: #54aeff; }
  .switch { fill: #54aeff; stroke: #0969da; stroke-width: 0.5; }
  .leaf { fill: #ddf4ff; stroke: #0969da; }
  .server { fill: #ffffff; stroke: #8c959f; }
  .domain { fill: #dafbe1; stroke: #1a7f37; }
  .gpu { fill: #4ac26b; stroke: #116329; stroke-width: 0.5; }
  .nic { fill: #8c959f; stroke: #57606a; stroke-width: 0.5; }
  .fine { stroke: #8c959f; }
  .over { stroke: #e16f24; }
  .far { stroke: #cf222e; }
  .circuit { stroke: #8250df; }
  .bracket { stroke: #1a7f37; }
  path, line { fill: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; }
    text { fill: #e6edf3; }
    .s { fill: #9198a1; }
    .page { fill: #0d1117; }
    .pod { fill: #151b23; stroke: #3d444d; }
    .group, .leaf { fill: #10243e; stroke: #388bfd; }
    .switch { fill: #1f6feb; stroke: #79c0ff; }
    .server { fill: #151b23; stroke: #656c76; }
    .domain { fill: #12261e; stroke: #3fb950; }
    .gpu { fill: #238636; stroke: #7ee787; }
    .fine { stroke: #656c76; }
    .over { stroke: #f0883e; }
    .far { stroke: #ff7b72; }
    .circuit { stroke: #bc8cff; }
    .bracket { stroke: #3fb950; }
  }
)";

constexpr double kThinnest = 1.5, kThickest = 14;

std::string rectangle(const Box& at, std::string_view style, double radius) {
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\"/>\n", style,
                     at.x, at.y, std::max(at.width, 1.0), std::max(at.height, 1.0), radius);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
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

void SvgPage::line(double x1, double y1, double x2, double y2, double width, std::string_view style) {
  links_ +=
      fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"{:.1f}\"/>\n",
                  style, x1, y1, x2, y2, width);
}

void SvgPage::arc(double x1, double y1, double x2, double y2, double rise, double width, std::string_view style) {
  links_ += fmt::format(
      "<path class=\"{}\" d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" stroke-width=\"{:.1f}\"/>\n", style,
      x1, y1, x1, y1 - rise, x2, y2 - rise, x2, y2, width);
}

void SvgPage::ground(const Box& at, std::string_view style, double radius) { grounds_ += rectangle(at, style, radius); }

void SvgPage::box(const Box& at, std::string_view style, double radius) { boxes_ += rectangle(at, style, radius); }

void SvgPage::circle(double x, double y, double radius, std::string_view style) {
  boxes_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", style, x, y, radius);
}

void SvgPage::text(double x, double y, std::string_view words, std::string_view style, Anchor anchor) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  words_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", style, x, y,
                        kAnchors[static_cast<std::size_t>(anchor)], xml_text(words));
}

std::string SvgPage::finished(double height, std::string_view title) const {
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\">\n"
             "<title>{2}</title>\n<style>{3}</style>\n",
             kWidth, height, xml_text(title), kStyle) +
         fmt::format("<rect class=\"page\" x=\"0\" y=\"0\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kWidth, height) + grounds_ +
         links_ + boxes_ + words_ + "</svg>\n";
}

std::string_view bundle_style(double oversubscription) {
  return oversubscription >= 2.995 ? "far" : oversubscription > 1.005 ? "over" : "fine";
}

double bundle_width(double gbps, double widest_gbps) {
  return widest_gbps <= 0 ? kThinnest : std::max(kThinnest, kThickest * gbps / widest_gbps);
}

double add_legend(SvgPage& page, double y, const std::string& widest, bool scale_up, bool circuits) {
  double x = 20;
  const auto bundle = [&](std::string_view style, const std::string& words, double length) {
    page.line(x, y - 4, x + 30, y - 4, 6, style);
    page.text(x + 38, y, words);
    x += 38 + length;
  };
  bundle("fine", "as much up as down", 150);
  bundle("over", "more down than up", 145);
  bundle("far", "3:1 and more", 110);
  if (circuits) bundle("circuit", "circuits", 75);
  if (scale_up) {
    page.box({x, y - 13, 30, 16}, "domain");
    page.text(x + 38, y, "scale-up domain");
    x += 165;
  }
  page.line(x, y - 4, x + 30, y - 4, kThickest, "fine");
  page.text(x + 38, y, "this wide: " + widest);
  return 24;
}

}  // namespace railyard
