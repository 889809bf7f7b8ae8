#include "motet/sources/log_operand.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr std::size_t interpolated = 8;  // values that an interpolation reads

// e^(-e^u) is small only in a strip about the real line, and steps must be short against its width.
constexpr double widest_rate = 0.55;    // gamma and exponential: |Im u| < pi / 2
constexpr double widest_square = 0.27;  // gaussian: |Im u| < pi / 4

// The parabola through the last three values of a table, so many steps beyond the edge; never opening upwards.
double beyond(double edge, double second, double third, double steps) {
  const double bend = std::min(0.0, edge - 2.0 * second + third);
  return edge + steps * (edge - second) + 0.5 * steps * (steps + 1.0) * bend;
}

// |xi| at which e^u f(sign e^u) of a Gaussian is highest: t^2 - mean t = s^2.
double gaussian_peak(double mean, double s) {
  const double root = std::hypot(mean, 2.0 * s);
  return mean > 0.0 ? 0.5 * (mean + root) : 2.0 * s * s / (root - mean);
}

}  // namespace

double LogTable::at(double u) const {
  if (values.empty()) return -infinity;
  const double place = (u - first) / step;
  const auto last = static_cast<double>(values.size() - 1);
  const std::size_t n = values.size();
  if (!(place >= 0.0)) return beyond(values[0], values[1], values[2], -place);
  if (place >= last) return beyond(values[n - 1], values[n - 2], values[n - 3], place - last);
  const auto cell = static_cast<std::ptrdiff_t>(place);
  const auto from = std::clamp<std::ptrdiff_t>(cell - 3, 0, static_cast<std::ptrdiff_t>(n - interpolated));
  const double t = place - static_cast<double>(from);
  static constexpr std::array<double, interpolated> weight{1.0, -7.0, 21.0, -35.0, 35.0, -21.0, 7.0, -1.0};
  double above = 0.0;
  double below = 0.0;
  for (std::size_t j = 0; j < interpolated; ++j) {
    const double away = t - static_cast<double>(j);
    const double value = values[static_cast<std::size_t>(from) + j];
    if (away == 0.0) return value;
    above += weight[j] / away * value;
    below += weight[j] / away;
  }
  return above / below;
}

double LogTable::mode() const {
  if (values.empty()) return 0.0;
  return first + step * static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
}

LogOperand::LogOperand(const Marginal& marginal) : marginal_(marginal) {
  const double location = marginal.location;
  const double spread = marginal.spread;
  switch (marginal.family) {
    case Family::lognormal:
      constant_ = -std::log(spread) - log_root_two_pi;
      mode_ = {location, location};
      width_ = spread;
      return;
    case Family::gaussian: {
      constant_ = -std::log(spread) - log_root_two_pi;
      const double plus = gaussian_peak(location, spread);
      const double minus = gaussian_peak(-location, spread);
      mode_ = {std::log(plus), std::log(minus)};
      width_ = std::min(widest_square, spread / std::hypot(spread, std::max(plus, minus)));
      return;
    }
    case Family::exponential:
      constant_ = std::log(location);
      mode_ = {-constant_, -constant_};
      width_ = widest_rate;
      return;
    case Family::gamma:
      constant_ = location * std::log(spread) - boost::math::lgamma(location);
      mode_ = {std::log(location / spread), 0.0};
      width_ = std::min(widest_rate, 1.0 / std::sqrt(location));
      return;
    default: fail(ErrorKind::internal, "only continuous families have a density of the logarithm");
  }
}

LogOperand::LogOperand(LogTable plus, LogTable minus, double width, double error)
    : tables_{std::move(plus), std::move(minus)}, width_(width), error_(error), is_table_(true) {
  mode_ = {tables_[0].mode(), tables_[1].mode()};
}

bool LogOperand::has(Sign sign) const {
  if (is_table_) return !tables_[static_cast<std::size_t>(sign)].values.empty();
  return sign == Sign::plus || marginal_.family == Family::gaussian;
}

double LogOperand::at(double u, Sign sign) const {
  if (is_table_) return tables_[static_cast<std::size_t>(sign)].at(u);
  switch (marginal_.family) {
    case Family::lognormal: {
      const double z = (u - marginal_.location) / marginal_.spread;
      return constant_ - 0.5 * z * z;
    }
    case Family::gaussian: {
      const double xi = sign == Sign::plus ? std::exp(u) : -std::exp(u);
      const double z = (xi - marginal_.location) / marginal_.spread;
      return constant_ + u - 0.5 * z * z;
    }
    case Family::exponential: return constant_ + u - marginal_.location * std::exp(u);
    default: return constant_ + marginal_.location * u - marginal_.spread * std::exp(u);
  }
}

}  // namespace motet
