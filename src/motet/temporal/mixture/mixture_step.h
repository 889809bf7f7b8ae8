// The M-step of mixtures with and without labels.
//
// Rows with a label of class w count lambda_w times (6.5), (6.6), so that they decide a
// share alpha of the class's parameters at least:
//   lambda_w = max(1, alpha / (1 - alpha) * unlabelled mass of w / number of labels of w)   (6.7)
// A class without a label has lambda = 1 (E13). Shares are the weighted counts,
// normalised (E14). With alpha = 0 this is the M-step of the likelihood (4.33) to (4.35).
#pragma once

#include <span>
#include <vector>

#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

// One per class, from the responsibility mass of its components over rows without and with a label.
std::vector<double> label_weights(std::span<const double> unlabelled, std::span<const double> labelled, double alpha);

// From the statistics of a MixturePass: means, covariances and shares.
void maximise_mixture(std::span<const double> statistics, bool has_labels, double alpha, const GlobalShape& global,
                      Mixture& mixture);

// From responsibilities, components x rows; those of labelled rows are weighted and, but for rounding, set back.
void maximise_mixture(const DensityFactors& factors, const Features& features, std::span<const std::int32_t> labels,
                      double alpha, const GlobalShape& global, Threads threads, std::span<double> responsibilities,
                      Mixture& mixture);

// From one component per row, as k-means gives it. The components' means need not be set before.
void maximise_from_states(const Features& features, std::span<const std::uint8_t> states,
                          std::span<const std::int32_t> labels, double alpha, const GlobalShape& global,
                          Threads threads, Mixture& mixture);

std::vector<std::int32_t> classes_of(std::span<const Component> components);
std::vector<double> log_shares_of(std::span<const Component> components);

}  // namespace motet::temporal
