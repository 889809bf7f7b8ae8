#include "motet/sources/density/pair_integral.h"

#include <algorithm>
#include <cmath>
#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr double steps_a_width = 2.0;
constexpr double longest_step = 0.5;  // of sums: poles at +- i pi
constexpr double depth = 45.0;        // logarithms below the highest that still count
constexpr double agreement = 1e-5;    // of the two halves of the points; the error of both is about its square
constexpr int most_halvings = 8;
constexpr long most_steps = 1'000'000;
constexpr std::size_t most_soft = 8192;
constexpr double soft_end = 40.0;    // log(1 + e^-v) is nothing beyond
constexpr double table_steps = 5.0;  // of a table, in a width
constexpr double table_depth = 60.0;
constexpr std::size_t most_nodes = 4096;
constexpr double table_error = 1e-9;

double soft(double v) { return std::log1p(std::exp(-v)); }

// log(1 + e^-v) as far as it is not 0.
std::vector<double> soft_values(double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < most_soft && static_cast<double>(i) * step < soft_end; ++i) {
    values.push_back(soft(static_cast<double>(i) * step));
  }
  return values;
}

double narrower(double a, double b) { return 1.0 / std::hypot(1.0 / a, 1.0 / b); }

Sign times(Sign a, Sign b) { return a == b ? Sign::plus : Sign::minus; }

}  // namespace

// Sums of e^(phi - highest) over the even and the odd points, times the step; moments are of both.
struct PairIntegral::Total {
  double highest = -infinity;
  double even = 0.0;
  double odd = 0.0;
  double first = 0.0;  // of the emission in units of e^unit
  double second = 0.0;
  double unit = 0.0;

  double sum() const { return 0.5 * (even + odd); }
  double difference() const { return even + odd > 0.0 ? std::abs(even - odd) / (even + odd) : 0.0; }

  void add(double phi, bool is_odd) {
    if (phi > highest) {
      const double scale = std::exp(highest - phi);
      even *= scale;
      odd *= scale;
      first *= scale;
      second *= scale;
      highest = phi;
    }
    (is_odd ? odd : even) += phi == highest ? 1.0 : std::exp(phi - highest);
  }
};

PairIntegral::PairIntegral(LogOperand one, LogOperand rest, bool is_product)
    : one_(std::move(one)),
      rest_(std::move(rest)),
      is_product_(is_product),
      step_(narrower(one_.width(), rest_.width()) / steps_a_width) {
  if (is_product) return;
  step_ = std::min(step_, longest_step);
  soft_ = soft_values(step_);
}

// log(1 + e^-v), v = i step.
double PairIntegral::softened(double v, double step, long i) const {
  if (step != step_) return v > soft_end ? 0.0 : soft(v);
  const auto at = static_cast<std::size_t>(i);
  return at < soft_.size() ? soft_[at] : v > soft_end ? 0.0 : soft(v);
}

PairIntegral::Total PairIntegral::walk(double w, Sign one, Sign rest, double step, bool with_moments) const {
  Total total;
  total.unit = is_product_ ? one_.mode(one) : w;
  // Adds one point; whether it still counts.
  const auto visit = [&](long i) {
    const double v = static_cast<double>(i) * step;
    double u_one = 0.5 * w + v;
    double u_rest = 0.5 * w - v;
    if (!is_product_) {
      const double far = softened(std::abs(v), step, std::abs(i));  // of the larger share
      u_one = w - (v >= 0.0 ? far : far - v);
      u_rest = w - (v >= 0.0 ? far + v : far);
    }
    const double phi = one_.at(u_one, one) + rest_.at(u_rest, rest);
    if (!(phi > total.highest - depth)) return false;
    total.add(phi, i % 2 != 0);
    if (with_moments) {
      const double share = std::exp(u_one - total.unit);
      const double weight = std::exp(phi - total.highest);
      total.first += weight * share;
      total.second += weight * share * share;
    }
    return true;
  };
  // Where each of the two would like to be; both ends can be peaks, with a valley between them.
  const double a = is_product_ ? one_.mode(one) - 0.5 * w : -std::max(0.0, w - one_.mode(one));
  const double b = is_product_ ? 0.5 * w - rest_.mode(rest) : std::max(0.0, w - rest_.mode(rest));
  const long low = std::lround(std::min(a, b) / step);
  const long high = std::lround(std::max(a, b) / step);
  for (long i = low; i > low - most_steps && visit(i); --i) {
  }
  long up = low + 1;
  while (up <= high && visit(up)) ++up;
  for (long i = high; i > up && visit(i); --i) {
  }
  for (long i = std::max(high, up - 1) + 1; i < high + most_steps && visit(i); ++i) {
  }
  total.even *= 2.0 * step;
  total.odd *= 2.0 * step;
  total.first *= step;
  total.second *= step;
  return total;
}

PairIntegral::Total PairIntegral::integrate(double w, Sign one, Sign rest, bool with_moments) const {
  double step = step_;
  Total total = walk(w, one, rest, step, with_moments);
  for (int halvings = 0; halvings < most_halvings && total.difference() > agreement; ++halvings) {
    step *= 0.5;
    total = walk(w, one, rest, step, with_moments);
  }
  return total;
}

template <class Use>
void PairIntegral::for_each_part(double w, Sign sign, bool with_moments, const Use& use) const {
  for (const Sign one : {Sign::plus, Sign::minus}) {
    const Sign rest = times(one, sign);
    if (!one_.has(one) || !rest_.has(rest)) continue;
    const Total total = integrate(w, one, rest, with_moments);
    if (total.sum() > 0.0) use(one, total);
  }
}

EstimatedDensity PairIntegral::log_density(double w, Sign sign) const {
  EstimatedDensity result{-infinity, 0.0};
  double error = 0.0;
  for_each_part(w, sign, false, [&](Sign, const Total& total) {
    const double value = total.highest + std::log(total.sum());
    const double more = std::max(value, result.value);
    result.value = more + std::log(std::exp(value - more) + std::exp(result.value - more));
    error = std::max(error, total.difference());
  });
  result.error = error * error + one_.error() + rest_.error();
  return result;
}

std::optional<MeanVariance> PairIntegral::emission(double w, Sign sign) const {
  double highest = -infinity;
  double sum = 0.0;
  double first = 0.0;
  double second = 0.0;
  for_each_part(w, sign, true, [&](Sign one, const Total& total) {
    const double most = std::max(highest, total.highest);
    const double before = std::exp(highest - most);
    const double now = std::exp(total.highest - most);
    const double unit = std::exp(total.unit) * (one == Sign::plus ? 1.0 : -1.0);
    sum = before * sum + now * total.sum();
    first = before * first + now * total.first * unit;
    second = before * second + now * total.second * unit * unit;
    highest = most;
  });
  if (!(sum > 0.0)) return std::nullopt;
  const double mean = first / sum;
  return MeanVariance{mean, std::max(0.0, second / sum - mean * mean)};
}

// From about the middle outwards, until the density no longer counts.
LogTable PairIntegral::make_table(Sign sign, double step) const {
  const Sign one = one_.has(Sign::plus) && rest_.has(sign) ? Sign::plus : Sign::minus;
  if (!one_.has(one) || !rest_.has(times(one, sign))) return {};
  const double a = one_.mode(one);
  const double b = rest_.mode(times(one, sign));
  const double middle = is_product_ ? a + b : std::max(a, b) + soft(std::abs(a - b));
  double highest = -infinity;
  const auto march = [&](double from, double by) {
    std::vector<double> values;
    while (values.size() < most_nodes) {
      values.push_back(log_density(from + static_cast<double>(values.size()) * by, sign).value);
      highest = std::max(highest, values.back());
      if (values.size() >= 8 && !(values.back() > highest - table_depth)) break;
    }
    return values;
  };
  const std::vector<double> up = march(middle, step);
  const std::vector<double> down = march(middle - step, -step);
  LogTable table{middle - step * static_cast<double>(down.size()), step, {down.rbegin(), down.rend()}};
  table.values.insert(table.values.end(), up.begin(), up.end());
  while (table.values.size() > 16 && !std::isfinite(table.values.back())) table.values.pop_back();
  while (table.values.size() > 16 && !std::isfinite(table.values.front())) {
    table.values.erase(table.values.begin());
    table.first += step;
  }
  return table;
}

LogOperand PairIntegral::table() const {
  const double width = is_product_ ? std::min(one_.width(), rest_.width()) : narrower(one_.width(), rest_.width());
  double step = width / table_steps;
  for (int halvings = 0;; ++halvings, step *= 0.5) {
    LogTable plus = make_table(Sign::plus, step);
    LogTable minus = make_table(Sign::minus, step);
    double worst = 0.0;
    for (const Sign sign : {Sign::plus, Sign::minus}) {
      const LogTable& made = sign == Sign::plus ? plus : minus;
      if (made.values.empty()) continue;
      for (int i = -12; i <= 12; ++i) {  // between nodes, over what holds nearly all of the density
        const double u = made.mode() + (0.5 + 2.0 * i) * step;
        worst = std::max(worst, std::abs(made.at(u) - log_density(u, sign).value));
      }
    }
    const bool is_full = std::max(plus.values.size(), minus.values.size()) >= most_nodes;
    if (worst < table_error || halvings == 2 || is_full) {
      return {std::move(plus), std::move(minus), width, worst + one_.error() + rest_.error()};
    }
  }
}

}  // namespace motet
