#include "motet/superset/companions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/engine/iterate.h"

namespace motet::superset {
namespace {

constexpr double pseudo_rows = 1.0;        // with the rate of all classes together: keeps rates from 0 and 1
constexpr std::size_t most_rows = 50'000;  // that a fit of rates looks at
constexpr std::size_t companion_steps = 500;
constexpr double companion_rise = 1e-9;  // per row

// How often each class could have joined a set without being the truth, and did.
struct Joins {
  std::vector<double> joined, could;

  explicit Joins(std::size_t classes) : joined(classes, 0.0), could(classes, 0.0) {}

  void add(std::span<const double> row, std::size_t l, double share) {
    could[l] += 1.0 - share;
    joined[l] += row[l] * (1.0 - share);
  }

  // Of all classes together. It does not depend on which candidates are the truth.
  double common() const {
    return (std::accumulate(joined.begin(), joined.end(), 0.0) + 0.5) /
           (std::accumulate(could.begin(), could.end(), 0.0) + 1.0);
  }

  std::vector<double> rates() const {
    const double mean = common();
    std::vector<double> rate(joined.size());
    for (std::size_t l = 0; l < rate.size(); ++l) rate[l] = (joined[l] + pseudo_rows * mean) / (could[l] + pseudo_rows);
    return rate;
  }
};

double log_prior(std::span<const double> rate, double common) {
  double sum = 0.0;
  for (const double r : rate) sum += pseudo_rows * (common * std::log(r) + (1.0 - common) * std::log1p(-r));
  return sum;
}

// log p(Y | x) of plain rows under given rates.
class SetLikelihood {
 public:
  explicit SetLikelihood(std::span<const double> rate) : rate_(rate), terms_(rate.size()) {
    for (const double r : rate) {
      log_in_.push_back(std::log(r));
      log_out_.push_back(std::log1p(-r));
    }
  }

  double at(std::span<const double> row, const double* p) {
    double others = 0.0;
    sum_ = 0.0;
    for (std::size_t l = 0; l < row.size(); ++l) {
      others += row[l] > 0.0 ? log_in_[l] : log_out_[l];
      sum_ += terms_[l] = row[l] * std::max(p[l], 1e-300) / rate_[l];
    }
    return others + std::log(sum_);
  }

  // That label l is the right one, in the row last looked at.
  double share(std::size_t l) const { return terms_[l] / sum_; }

 private:
  std::span<const double> rate_;
  std::vector<double> log_in_, log_out_, terms_;
  double sum_ = 0.0;
};

}  // namespace

bool is_plain(std::span<const double> row) {
  return std::all_of(row.begin(), row.end(), [](double value) { return value == 0.0 || value == 1.0; }) &&
         !is_silent(row);
}

std::vector<double> even_companion_rates(const EvidenceMatrix& evidence) {
  Joins joins(evidence.classes);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    const std::span<const double> row = evidence.row(n);
    if (!is_plain(row)) continue;
    const double size = std::accumulate(row.begin(), row.end(), 0.0);
    for (std::size_t l = 0; l < evidence.classes; ++l) joins.add(row, l, row[l] / size);
  }
  return joins.rates();
}

CompanionFit fit_companions(const EvidenceMatrix& evidence, std::span<const double> probability) {
  CompanionFit fit;
  fit.rate = even_companion_rates(evidence);
  const std::size_t stride = evidence.rows / most_rows + 1;
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < evidence.rows; n += stride) {
    if (is_plain(evidence.row(n))) rows.push_back(n);
  }
  Joins joins(evidence.classes);
  Iterated steps;
  steps.objective = [&] {
    joins = Joins(evidence.classes);
    SetLikelihood likelihood(fit.rate);
    double objective = 0.0;
    for (const std::size_t n : rows) {
      const std::span<const double> row = evidence.row(n);
      objective += likelihood.at(row, probability.data() + n * evidence.classes);
      for (std::size_t l = 0; l < evidence.classes; ++l) joins.add(row, l, likelihood.share(l));
    }
    return objective + log_prior(fit.rate, joins.common());
  };
  steps.step = [&] {
    fit.rate = joins.rates();
    return Step{};
  };
  const double least_rise = companion_rise * (static_cast<double>(rows.size()) + 1.0);
  fit.summary = iterate(steps, {.max_iterations = companion_steps, .least_rise = least_rise}, {}, {});
  if (fit.summary.stop == Stop::iteration_limit) steps.step();  // the last E-step is not wasted
  return fit;
}

std::vector<double> companion_log_likelihoods(const EvidenceMatrix& evidence, std::span<const double> probability,
                                              std::span<const double> rate) {
  std::vector<double> result = log_likelihoods(evidence, probability);
  SetLikelihood likelihood(rate);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    const std::span<const double> row = evidence.row(n);
    if (is_plain(row)) result[n] = likelihood.at(row, probability.data() + n * evidence.classes);
  }
  return result;
}

std::vector<double> credits(std::span<const double> rate, double power) {
  std::vector<double> credit(rate.begin(), rate.end());
  const double least = *std::min_element(rate.begin(), rate.end());
  for (double& value : credit) value = std::pow(least / value, power);
  return credit;
}

EvidenceMatrix credited(EvidenceMatrix evidence, std::span<const double> credit) {
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    double* const row = evidence.row(n);
    if (!is_plain({row, evidence.classes})) continue;
    for (std::size_t l = 0; l < evidence.classes; ++l) row[l] *= credit[l];
    const double largest = *std::max_element(row, row + evidence.classes);
    for (std::size_t l = 0; l < evidence.classes; ++l) row[l] /= largest;
  }
  return evidence;
}

}  // namespace motet::superset
