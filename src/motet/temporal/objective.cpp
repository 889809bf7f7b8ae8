#include "motet/temporal/objective.h"

#include <cmath>

namespace motet::temporal {

std::string_view name_of(ObjectiveKind kind) {
  switch (kind) {
    case ObjectiveKind::lower_bound: return "lower bound of the log-likelihood";
    case ObjectiveKind::pseudo_log_likelihood: return "pseudo-log-likelihood";
    default: return "log-likelihood";
  }
}

std::size_t parameter_count(const Mixture& mixture, bool chose_coupling) {
  const std::size_t k = mixture.components.size();
  const std::size_t d = mixture.dimensions();
  const std::size_t triangle = d * (d + 1) / 2;
  std::size_t count = k * d;
  switch (mixture.covariance) {
    case MixtureCovariance::full: count += k * triangle; break;
    case MixtureCovariance::diagonal: count += k * d; break;
    case MixtureCovariance::tied: count += triangle; break;
  }
  if (mixture.emission == ComponentLaw::student_t && !mixture.degrees_are_given) count += k;
  if (mixture.has_soft_classes()) count += k * (mixture.classes.size() - 1);
  if (mixture.has_chain()) return count + (k - 1) + k * (k - 1);
  if (mixture.field.radius == 0 || mixture.field.strength == 0.0) return count + (k - 1);
  return count + (chose_coupling ? 1 : 0);
}

Likelihood likelihood_of(ObjectiveKind kind, double log_likelihood, std::size_t rows, const Mixture& mixture,
                         bool chose_coupling) {
  Likelihood result;
  result.kind = kind;
  result.parameters = parameter_count(mixture, chose_coupling);
  if (kind == ObjectiveKind::pseudo_log_likelihood || rows == 0) return result;
  const auto n = static_cast<double>(rows);
  result.a_row = log_likelihood / n;
  result.bic = static_cast<double>(result.parameters) * std::log(n) - 2.0 * log_likelihood;
  return result;
}

}  // namespace motet::temporal
