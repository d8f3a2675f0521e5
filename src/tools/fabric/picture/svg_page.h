// Shapes and words on an SVG page.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

/// `text` with what XML reserves written out and what it forbids left out.
std::string xml_text(std::string_view text);

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] double middle() const { return x + width / 2; }
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
};

enum class Anchor : unsigned char { start, middle, end };

/// Collects elements back to front: links first, boxes over them, words on top, in whatever order they are added.
class SvgPage {
 public:
  static constexpr double kWidth = 1200;

  void line(double x1, double y1, double x2, double y2, double width, std::string_view style);
  /// An arc from one point to another at the same height or not, bulging upwards by `rise`.
  void arc(double x1, double y1, double x2, double y2, double rise, double width, std::string_view style);
  /// Behind everything: what holds other shapes.
  void ground(const Box& at, std::string_view style, double radius = 6);
  void box(const Box& at, std::string_view style, double radius = 4);
  void circle(double x, double y, double radius, std::string_view style);
  void text(double x, double y, std::string_view words, std::string_view style = "t", Anchor anchor = Anchor::start);

  [[nodiscard]] std::string finished(double height, std::string_view title) const;

 private:
  std::string grounds_, links_, boxes_, words_;
};

/// grey, orange or red, by how much more can come from below than goes up.
std::string_view bundle_style(double oversubscription);

/// Bundles are as wide as their share of the widest one.
double bundle_width(double gbps, double widest_gbps);

/// What colours and shapes mean, at the foot of a page; returns the height it takes.
double add_legend(SvgPage& page, double y, const std::string& widest, bool scale_up, bool circuits);

}  // namespace railyard
