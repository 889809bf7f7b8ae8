#include "motet/multilabel/sources/value_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace motet::multilabel {
namespace {

constexpr std::size_t nodes_a_piece = 12;
constexpr std::size_t fewest = 2 * nodes_a_piece;  // values worth replacing

// Of the values of one sign: length of a piece in log|x|; 0 where half of them are equal.
double length_of(std::span<const WeightedValue> values, double piece) {
  std::vector<double> logarithms;
  for (const WeightedValue& one : values) logarithms.push_back(std::log(std::abs(one.value)));
  const std::size_t n = logarithms.size();
  return piece * std::abs(logarithms[n - 1 - n / 4] - logarithms[n / 4]);
}

// Chebyshev nodes on [-1, 1], and the factors of their barycentric formula.
struct Nodes {
  std::array<double, nodes_a_piece> at{};
  std::array<double, nodes_a_piece> factor{};
  Nodes() {
    for (std::size_t j = 0; j < nodes_a_piece; ++j) {
      const double angle = std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(nodes_a_piece);
      at[j] = std::cos(angle);
      factor[j] = (j % 2 == 0 ? 1.0 : -1.0) * std::sin(angle);
    }
  }
};

// The values of one piece from `low` to `low` + `length` in log|x|.
void add_piece(std::span<const WeightedValue> values, double low, double length, std::vector<WeightedValue>& to) {
  if (values.size() < fewest) {
    to.insert(to.end(), values.begin(), values.end());
    return;
  }
  static const Nodes nodes;
  std::array<double, nodes_a_piece> weight{};
  for (const WeightedValue& one : values) {
    const double t = 2.0 * (std::log(std::abs(one.value)) - low) / length - 1.0;
    std::array<double, nodes_a_piece> part{};
    double sum = 0.0;
    for (std::size_t j = 0; j < nodes_a_piece; ++j) {
      const double away = t - nodes.at[j];
      if (away == 0.0) {
        part = {};
        part[j] = sum = 1.0;
        break;
      }
      sum += part[j] = nodes.factor[j] / away;
    }
    for (std::size_t j = 0; j < nodes_a_piece; ++j) weight[j] += one.weight * part[j] / sum;
  }
  const double sign = values[0].value < 0.0 ? -1.0 : 1.0;
  for (std::size_t j = 0; j < nodes_a_piece; ++j) {
    to.push_back({sign * std::exp(low + 0.5 * length * (nodes.at[j] + 1.0)), weight[j]});
  }
}

// Values of one sign.
void condense(std::span<const WeightedValue> values, double piece, std::vector<WeightedValue>& to) {
  const double length = values.size() < fewest ? 0.0 : length_of(values, piece);
  if (!(length > 0.0)) {
    to.insert(to.end(), values.begin(), values.end());
    return;
  }
  const auto piece_of = [&](const WeightedValue& one) { return std::floor(std::log(std::abs(one.value)) / length); };
  for (std::size_t begin = 0; begin < values.size();) {
    const double number = piece_of(values[begin]);
    std::size_t end = begin;
    while (end < values.size() && piece_of(values[end]) == number) ++end;
    add_piece(values.subspan(begin, end - begin), number * length, length, to);
    begin = end;
  }
}

}  // namespace

std::vector<WeightedValue> condensed(std::span<const WeightedValue> values, double piece) {
  const auto is_below = [](const WeightedValue& one, double value) { return one.value < value; };
  const auto zero = std::lower_bound(values.begin(), values.end(), 0.0, is_below);
  auto above = zero;
  std::vector<WeightedValue> result;
  condense({values.begin(), zero}, piece, result);
  while (above != values.end() && above->value == 0.0) result.push_back(*above++);
  condense({above, values.end()}, piece, result);
  return result;
}

}  // namespace motet::multilabel
