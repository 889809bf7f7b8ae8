#include "motet/audio/scenes/examples.h"

#include <cmath>

namespace motet::audio {

Rows2d some_rows(const Rows2d& all, std::span<const std::uint32_t> rows) {
  Rows2d some{all.width, {}};
  some.values.reserve(rows.size() * all.width);
  for (const std::uint32_t n : rows) {
    const std::span<const double> row = all.row(n);
    some.values.insert(some.values.end(), row.begin(), row.end());
  }
  return some;
}

Target some_targets(const Target& all, std::span<const std::uint32_t> rows) {
  Target some{all.classes, {}};
  for (const std::uint32_t n : rows) some.values.push_back(all.values[n]);
  return some;
}

Standard standard_of(const Rows2d& rows) {
  const auto count = static_cast<double>(rows.rows());
  Standard standard{std::vector<double>(rows.width), std::vector<double>(rows.width)};
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const std::span<const double> row = rows.row(n);
    for (std::size_t d = 0; d < rows.width; ++d) standard.mean[d] += row[d] / count;
  }
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const std::span<const double> row = rows.row(n);
    for (std::size_t d = 0; d < rows.width; ++d) {
      standard.scale[d] += (row[d] - standard.mean[d]) * (row[d] - standard.mean[d]) / count;
    }
  }
  // What is left of equal numbers is rounding.
  constexpr double rounding = 1e-12;
  for (std::size_t d = 0; d < rows.width; ++d) {
    const double deviation = std::sqrt(standard.scale[d]);
    standard.scale[d] = deviation > rounding * (1.0 + std::abs(standard.mean[d])) ? 1.0 / deviation : 0.0;
  }
  return standard;
}

Rows2d Standard::of(const Rows2d& rows) const {
  Rows2d result = rows;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const std::size_t d = i % rows.width;
    result.values[i] = (result.values[i] - mean[d]) * scale[d];
  }
  return result;
}

double balanced_error(std::span<const double> truth, std::span<const double> said, std::size_t classes) {
  std::vector<double> items(classes);
  std::vector<double> wrong(classes);
  for (std::size_t n = 0; n < truth.size(); ++n) {
    const auto of = static_cast<std::size_t>(truth[n]);
    items[of] += 1.0;
    if (truth[n] != said[n]) wrong[of] += 1.0;
  }
  double sum = 0.0;
  double present = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (items[c] == 0.0) continue;
    sum += wrong[c] / items[c];
    present += 1.0;
  }
  return present > 0.0 ? sum / present : 0.0;
}

double mean_residual(std::span<const double> truth, std::span<const double> said) {
  double sum = 0.0;
  for (std::size_t n = 0; n < truth.size(); ++n) sum += std::abs(truth[n] - said[n]);
  return truth.empty() ? 0.0 : sum / static_cast<double>(truth.size());
}

}  // namespace motet::audio
