#include "motet/sources/density/log_operand.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr std::size_t interpolated = 8;  // values that an interpolation reads

// The parabola through the last three values of a table, so many steps beyond the edge; never opening upwards.
double beyond(double edge, double second, double third, double steps) {
  const double bend = std::min(0.0, edge - 2.0 * second + third);
  return edge + steps * (edge - second) + 0.5 * steps * (steps + 1.0) * bend;
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
  const auto in_logarithm = family_of(marginal.family).density.in_logarithm;
  if (in_logarithm == nullptr) {
    fail(ErrorKind::internal, "only continuous families have a density of the logarithm");
  }
  form_ = in_logarithm(marginal.location, marginal.spread);
  mode_ = form_.mode;
  width_ = form_.width;
}

LogOperand::LogOperand(LogTable plus, LogTable minus, double width, double error)
    : tables_{std::move(plus), std::move(minus)}, width_(width), error_(error), is_table_(true) {
  mode_ = {tables_[0].mode(), tables_[1].mode()};
}

bool LogOperand::has(Sign sign) const {
  if (is_table_) return !tables_[static_cast<std::size_t>(sign)].values.empty();
  return sign == Sign::plus || form_.shape == LogShape::square_of_exp;
}

double LogOperand::at(double u, Sign sign) const {
  if (is_table_) return tables_[static_cast<std::size_t>(sign)].at(u);
  switch (form_.shape) {
    case LogShape::square: {
      const double z = (u - marginal_.location) / marginal_.spread;
      return form_.constant - 0.5 * z * z;
    }
    case LogShape::square_of_exp: {
      const double xi = sign == Sign::plus ? std::exp(u) : -std::exp(u);
      const double z = (xi - marginal_.location) / marginal_.spread;
      return form_.constant + u - 0.5 * z * z;
    }
    case LogShape::exp: break;
  }
  return form_.constant + form_.slope * u - form_.rate * std::exp(u);
}

}  // namespace motet
