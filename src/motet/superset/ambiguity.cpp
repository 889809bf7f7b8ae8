#include "motet/superset/ambiguity.h"

#include <algorithm>

namespace motet::superset {

Ambiguity ambiguity_of(const CandidateItems& items, std::span<const double> probability) {
  const std::size_t classes = items.classes.size();
  Ambiguity found{std::vector<std::size_t>(classes + 1), std::vector<std::size_t>(classes),
                  std::vector<std::size_t>(classes),     std::vector<double>(classes * classes),
                  std::vector<double>(classes),          std::vector<std::size_t>(Ambiguity::confidence_bins)};
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const std::span<const std::uint32_t> candidates = items.candidates(n);
    ++found.by_size[candidates.size()];
    if (candidates.size() == classes && items.weighs_alike(n)) ++found.unlabelled;
    for (const std::uint32_t a : candidates) {
      ++found.as_any[a];
      if (candidates.size() == 1) ++found.as_only[a];
      if (candidates.size() == classes) continue;  // says nothing of what goes together
      for (const std::uint32_t b : candidates) found.together[a * classes + b] += 1.0;
    }
    const std::span<const double> p = probability.subspan(n * classes, classes);
    for (std::size_t l = 0; l < classes; ++l) found.expected[l] += p[l];
    const double most = *std::max_element(p.begin(), p.end());
    constexpr std::size_t bins = Ambiguity::confidence_bins;
    ++found.confident[std::min(static_cast<std::size_t>(most * bins), bins - 1)];
  }
  found.mean_size =
      items.rows() == 0 ? 0.0 : static_cast<double>(items.label.size()) / static_cast<double>(items.rows());
  return found;
}

double mean_confidence(std::span<const double> probability, std::size_t classes) {
  if (probability.empty()) return 0.0;
  const std::size_t items = probability.size() / classes;
  double sum = 0.0;
  for (std::size_t i = 0; i < probability.size(); i += classes) {
    const std::span<const double> p = probability.subspan(i, classes);
    sum += *std::max_element(p.begin(), p.end());
  }
  return sum / static_cast<double>(items);
}

}  // namespace motet::superset
