// What the objective of a fit is, so that two kinds are never compared; and what compares models that are not alike.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

enum class ObjectiveKind {
  log_likelihood,         // log p(X), and of the labels where there are some
  lower_bound,            // of it, by a mean field
  pseudo_log_likelihood,  // sum_n log p(x_n | neighbours as labelled)
};
std::string_view name_of(ObjectiveKind kind);

// Numbers that a fit chooses: means, covariances as they may vary, and shares, a chain or (when it was chosen) a
// coupling.
std::size_t parameter_count(const Mixture& mixture, bool chose_coupling);

struct Likelihood {
  ObjectiveKind kind = ObjectiveKind::log_likelihood;
  std::optional<double> a_row;  // log p(X) / N without priors, or its lower bound; none for the pseudo-likelihood
  std::size_t parameters = 0;
  std::optional<double> bic;  // parameters log N - 2 log p(X): smaller is better; at most this for a lower bound
};
Likelihood likelihood_of(ObjectiveKind kind, double log_likelihood, std::size_t rows, const Mixture& mixture,
                         bool chose_coupling);

}  // namespace motet::temporal
