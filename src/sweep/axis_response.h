// How a figure of a sweep answers to one axis, and to two at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/table.h"

namespace railyard {

/// How values of an axis lie on a line: names have no order but that of the file, numbers are as far apart as they are, or as
/// their logarithms where these are more even.
enum class AxisScale : std::uint8_t { names, linear, log };
template<>
struct ChoiceNames<AxisScale> {
  static constexpr std::string_view names[] = {"names", "linear", "log"};
};

/// A figure by the values of one axis, over all other axes. Of numbers that are many (a hypercube draws a new one for every
/// point), ranges with equally many points stand for values.
struct AxisResponse {
  struct Value {
    std::string text;
    std::size_t points = 0;  // that have the figure
    double mean = 0, least = 0, most = 0;
    double at = 0;  // of numbers: where it is; of a range the mean
  };
  std::string axis;
  std::string unit = {};  // "Gb/s"; empty for plain numbers and names
  AxisScale scale = AxisScale::names;
  std::vector<Value> values = {};            // in the order of the axis, or from the lowest on
  std::vector<std::uint32_t> by_point = {};  // which of them; kNone of a point whose value has the figure nowhere
  double effect = 0;                         // how far means lie apart, over the mean of all

  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
};

/// Of axes with two values or more, but not of those with very many names; the one with the largest effect first, seeds last.
std::vector<AxisResponse> axis_responses(const SweepTable& table, std::size_t figure);

/// Means of a figure at every pair of values, by the values of `down` and `across`; not a number where there is none.
std::vector<std::vector<double>> mean_of_pairs(const SweepTable& table, std::size_t figure, const AxisResponse& down,
                                               const AxisResponse& across);

}  // namespace railyard
