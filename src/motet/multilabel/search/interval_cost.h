// The least cost of one dimension when the sums behind it are only known to lie in intervals.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/sources/family.h"

namespace motet::multilabel {

// One item's dimensions. A sum s has `parts()` numbers per dimension: Gaussian first all means, then
// all variances; else one.
class IntervalCost {
 public:
  IntervalCost(const Sources& sources, std::span<const double> x);

  bool possible() const { return item_.is_possible; }  // false: x is outside what the family can make

  // Of the best sums in [low, high] for m members; exact when low = high.
  double least(std::span<const double> low, std::span<const double> high, double m) const;

 private:
  double gaussian(std::span<const double> low, std::span<const double> high, double m) const;

  const Sources& sources_;
  const SourceFamily& family_;
  ItemCost item_;
};

// K x (parts D): what each source adds, background last where there is one.
std::vector<double> additive_values(const Sources& sources);
std::size_t additive_parts(const Sources& sources);

}  // namespace motet::multilabel
