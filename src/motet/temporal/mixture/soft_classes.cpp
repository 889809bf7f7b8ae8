#include "motet/temporal/mixture/soft_classes.h"

#include <algorithm>

#include "motet/base/logarithm.h"
#include "motet/temporal/mixture/mixture_step.h"

namespace motet::temporal {
namespace {

constexpr double least_class_share = 1e-300;  // so that its logarithm is a number

std::size_t most_probable(std::span<const double> shares) {
  return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

}  // namespace

void start_soft_classes(std::span<const std::uint8_t> states, const RowLabels& labels, Mixture& mixture) {
  const std::size_t classes = mixture.classes.size();
  std::vector<double> overall(classes, 0.0);
  double total = 0.0;
  for (const std::int32_t y : labels) {
    if (y < 0) continue;
    overall[static_cast<std::size_t>(y)] += 1.0;
    total += 1.0;
  }
  for (double& share : overall) share /= total;
  std::vector<double> rows(mixture.components.size(), 1.0);
  for (Component& component : mixture.components) component.class_shares = overall;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] < 0) continue;
    mixture.components[states[n]].class_shares[static_cast<std::size_t>(labels[n])] += 1.0;
    rows[states[n]] += 1.0;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (double& share : mixture.components[k].class_shares) share /= rows[k];
  }
}

void add_class_evidence(std::span<const std::int32_t> labels, const Mixture& mixture, std::span<double> densities) {
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    std::vector<double> evidence;
    for (const double share : mixture.components[k].class_shares) {
      evidence.push_back(log_of_positive(std::max(share, least_class_share)));
    }
    for (std::size_t n = 0; n < labels.size(); ++n) {
      if (labels[n] >= 0) densities[k * labels.size() + n] += evidence[static_cast<std::size_t>(labels[n])];
    }
  }
}

void maximise_soft_classes(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                           Mixture& mixture) {
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    std::vector<double> mass(mixture.classes.size(), 0.0);
    double total = 0.0;
    for (std::size_t n = 0; n < labels.size(); ++n) {
      if (labels[n] < 0) continue;
      const double own = responsibilities[k * labels.size() + n];
      mass[static_cast<std::size_t>(labels[n])] += own;
      total += own;
    }
    if (!(total > least_class_share)) continue;
    for (std::size_t w = 0; w < mass.size(); ++w) mixture.components[k].class_shares[w] = mass[w] / total;
  }
}

std::vector<double> soft_label_weights(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                                       double alpha, const Mixture& mixture) {
  const std::size_t rows = labels.size();
  std::vector<double> unlabelled(mixture.classes.size(), 0.0);
  std::vector<double> labelled(mixture.classes.size(), 0.0);
  for (const std::int32_t y : labels) {
    if (y >= 0) labelled[static_cast<std::size_t>(y)] += 1.0;
  }
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    double mass = 0.0;
    for (std::size_t n = 0; n < rows; ++n) mass += labels[n] < 0 ? responsibilities[k * rows + n] : 0.0;
    for (std::size_t w = 0; w < unlabelled.size(); ++w) unlabelled[w] += mass * mixture.components[k].class_shares[w];
  }
  return label_weights(unlabelled, labelled, alpha);
}

DecidedClasses soft_classes_of_rows(std::span<const std::int32_t> labels, std::span<const double> responsibilities,
                                    const Mixture& mixture) {
  const std::size_t rows = responsibilities.size() / mixture.components.size();
  DecidedClasses result{std::vector<std::int32_t>(rows), std::vector<double>(rows)};
  std::vector<double> shares(mixture.classes.size());
  for (std::size_t n = 0; n < rows; ++n) {
    if (!labels.empty() && labels[n] >= 0) {
      result.of_row[n] = labels[n];
      result.probability[n] = 1.0;
      continue;
    }
    std::fill(shares.begin(), shares.end(), 0.0);
    for (std::size_t k = 0; k < mixture.components.size(); ++k) {
      for (std::size_t w = 0; w < shares.size(); ++w) {
        shares[w] += responsibilities[k * rows + n] * mixture.components[k].class_shares[w];
      }
    }
    const std::size_t best = most_probable(shares);
    result.of_row[n] = static_cast<std::int32_t>(best);
    result.probability[n] = std::min(1.0, shares[best]);
  }
  return result;
}

void name_by_soft_classes(Mixture& mixture) {
  for (Component& component : mixture.components) {
    component.of_class = static_cast<std::int32_t>(most_probable(component.class_shares));
  }
}

}  // namespace motet::temporal
