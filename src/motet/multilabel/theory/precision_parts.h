// What the files of precision share. Matrices are row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/numeric.h"
#include "motet/multilabel/options.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// Which sources are in which set.
struct SetRows {
  std::size_t sets = 0;
  std::size_t sources = 0;
  std::vector<double> member;  // sets x sources: 0 or 1
  std::vector<double> degree;  // members, background included
  std::vector<double> labels;  // background not included
  bool mean = false;           // the combination is the mean of the emissions

  double location(std::size_t j, std::size_t k) const {  // a: z, or z / m
    return mean ? member[j * sources + k] / degree[j] : member[j * sources + k];
  }
  double spread(std::size_t j, std::size_t k) const {  // b: z, or z / m^2
    return mean ? member[j * sources + k] / (degree[j] * degree[j]) : member[j * sources + k];
  }
};
SetRows set_rows(const Sources& sources, const BitMatrix& sets);

// How much an item of a set teaches a source in trainings that do not take items apart: ignore and new
// 1 for items with that label alone (the background: without labels), cross 1, probabilistic 1 / m.
double lesson(const SetRows& rows, std::size_t set, std::size_t source, Training method, bool background);

// The weighted mean of what a source is taught: its limit, and its variance for these counts.
struct SharedMean {
  double limit = 0.0;
  double variance = 0.0;
};
SharedMean shared_mean(std::span<const double> weight, std::span<const double> count, std::span<const double> mean,
                       std::span<const double> variance);
std::vector<double> lessons(const SetRows& rows, std::size_t source, Training method, bool background);

constexpr Training simple_trainings[] = {Training::ignore, Training::fresh, Training::cross, Training::probabilistic};

// A generalised inverse: exact for every combination of parameters that the information determines.
struct Inverse {
  std::size_t size = 0;
  std::vector<double> matrix;            // size x size
  std::vector<std::uint8_t> determined;  // whether the parameter by itself is

  double variance(std::size_t i) const;  // NaN: not determined
};
Inverse inverse_information(std::span<const double> information, std::size_t size);

// P(X > statistic) of a sum of squares with this mean and variance, taken as a scaled chi-squared.
double scaled_chi_squared_p(double statistic, double mean, double variance);
double fisher_p(double statistic, double numerator, double denominator);

}  // namespace motet::multilabel
