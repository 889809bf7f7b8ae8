#include "experiments/judges/labels.h"

#include <cmath>
#include <limits>

#include "motet/base/error.h"

namespace motet::judges {
namespace {

void require_same_length(std::size_t a, std::size_t b) {
  if (a != b) fail(ErrorKind::internal, "measure: lists of different lengths");
}

}  // namespace

double label_accuracy(std::span<const std::int32_t> truth, std::span<const std::int32_t> labels) {
  require_same_length(truth.size(), labels.size());
  double right = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    total += 1.0;
    if (truth[i] == labels[i]) right += 1.0;
  }
  return total > 0.0 ? right / total : std::numeric_limits<double>::quiet_NaN();
}

double mean_absolute_error(std::span<const double> a, std::span<const double> b) {
  require_same_length(a.size(), b.size());
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    sum += std::abs(a[i] - b[i]);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace motet::judges
