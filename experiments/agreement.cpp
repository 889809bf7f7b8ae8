#include "experiments/agreement.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "motet/base/numeric.h"

namespace motet {

Measured mean_of(const std::vector<double>& values) {
  const MeanSd found = mean_sd(values);
  return {found.mean, values.size() > 1 ? found.error : 0.0};
}

double away(const Measured& ours, const Measured& reference, int digits) {
  if (!(ours.error > 0.0) && !(reference.error > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double rounding = 0.5 * std::pow(10.0, -digits) / std::sqrt(3.0);
  const double other = reference.error > 0.0 ? reference.error : std::hypot(ours.error, rounding);
  return (ours.value - reference.value) / std::hypot(ours.error, other);
}

std::string text_of(const Measured& measured, int digits) {
  if (std::isnan(measured.value)) return "";
  return measured.error > 0.0 ? with_error(measured.value, measured.error, digits)
                              : fmt::format("{:.{}f}", measured.value, digits);
}

void ReferenceAgreement::add(const std::string& what, const std::string& ours, const std::string& reference,
                             double away) {
  if (std::isnan(away)) return;
  ++compared_;
  if (std::abs(away) <= 3.0) return;
  far_.push_back(std::isinf(away) ? fmt::format("{} ({} against {}, without spread)", what, ours, reference)
                                  : fmt::format("{} ({} against {}, {:+.1f})", what, ours, reference, away));
}

void ReferenceAgreement::add(const std::string& what, const Measured& ours, const Measured& reference, int digits) {
  add(what, text_of(ours, digits), text_of(reference, digits), away(ours, reference, digits));
}

std::string ReferenceAgreement::text() const {
  const std::string text =
      fmt::format("{} of {} references lie within three standard errors", compared_ - far_.size(), compared_);
  return far_.empty() ? text : fmt::format("{}; not so: {}", text, fmt::join(far_, "; "));
}

}  // namespace motet
