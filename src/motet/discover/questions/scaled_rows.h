// Rows in units of the columns' standard deviations, for distances.
#pragma once

#include <cmath>
#include <vector>

#include "motet/data/features.h"

namespace motet::discover {

class ScaledRows {
 public:
  explicit ScaledRows(const Features& features)
      : size_(features.rows()), dimensions_(features.dimensions()), values_(features.values) {
    for (std::size_t d = 0; d < dimensions_; ++d) scale(d);
  }

  std::size_t size() const { return size_; }

  double squared_distance(std::size_t a, std::size_t b) const {
    const double* x = values_.data() + a * dimensions_;
    const double* y = values_.data() + b * dimensions_;
    double sums[4] = {0.0, 0.0, 0.0, 0.0};  // four at a time, for the processor's sake
    std::size_t d = 0;
    for (; d + 4 <= dimensions_; d += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const double difference = x[d + lane] - y[d + lane];
        sums[lane] += difference * difference;
      }
    }
    for (; d < dimensions_; ++d) sums[0] += (x[d] - y[d]) * (x[d] - y[d]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

 private:
  // A column that does not vary stays as it is: it adds nothing to any distance.
  void scale(std::size_t d) {
    double mean = 0.0;
    for (std::size_t n = 0; n < size_; ++n) mean += values_[n * dimensions_ + d];
    mean /= static_cast<double>(size_);
    double variance = 0.0;
    for (std::size_t n = 0; n < size_; ++n) {
      double& value = values_[n * dimensions_ + d];
      value -= mean;
      variance += value * value;
    }
    variance /= static_cast<double>(size_);
    if (!(variance > 0.0)) return;
    const double factor = 1.0 / std::sqrt(variance);
    for (std::size_t n = 0; n < size_; ++n) values_[n * dimensions_ + d] *= factor;
  }

  std::size_t size_;
  std::size_t dimensions_;
  std::vector<double> values_;
};

}  // namespace motet::discover
