#include "motet/temporal/field/likely_coupling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "motet/temporal/field/mean_field.h"
#include "motet/temporal/field/partition_function.h"
#include "motet/temporal/mixture/mixture_step.h"

namespace motet::temporal {
namespace {

constexpr std::size_t most_rows = 20'000;
constexpr std::size_t stretch_rows = 1000;
constexpr double steps_a_nat = 16.0;
constexpr std::size_t most_iterations = 200;
constexpr double least_rise = 1e-5;  // of the bound, per row, that is worth another iteration
constexpr std::size_t sweeps = 10;
constexpr double sweep_tolerance = 1e-5;

struct Rows {
  Features features;
  RowLabels labels;
};

// Whole stretches, so that neighbours stay neighbours.
Rows some_rows(const Features& features, const RowLabels& labels, std::size_t radius) {
  if (features.rows() <= most_rows) return {features, labels};
  const std::size_t length = std::clamp(10 * radius, stretch_rows, most_rows);
  const std::size_t stretches = most_rows / length;
  const std::vector<std::size_t>& starts = features.starts;
  Rows some;
  some.features.columns = features.columns;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t begin = (features.rows() - length) * i / stretches;
    for (std::size_t n = begin; n < begin + length; ++n) {
      const std::span<const double> row = features.row(n);
      some.features.values.insert(some.features.values.end(), row.begin(), row.end());
      if (!labels.empty()) some.labels.push_back(labels[n]);
      const bool is_last = n + 1 == begin + length || std::binary_search(starts.begin(), starts.end(), n + 1);
      if (is_last) some.features.starts.push_back(i * length + n + 1 - begin);
    }
  }
  some.features.sequences.resize(some.features.starts.size() - 1);
  return some;
}

// The best step of the lattice for s A - log Z(s), whose log Z are kept.
class Strengths {
 public:
  Strengths(const Features& features, std::size_t components, const TimeField& field, double most)
      : features_(features),
        components_(components),
        field_(field),
        last_(static_cast<std::size_t>(most * steps_a_nat)) {}

  TimeField field(std::size_t step) const { return with_total_weight(field_, static_cast<double>(step) / steps_a_nat); }
  double log_z(std::size_t step) {
    const auto [found, is_new] = log_z_.try_emplace(step, 0.0);
    if (is_new) found->second = log_partition(features_.starts, components_, field(step)).value;
    return found->second;
  }
  std::size_t best(double agreement) {
    const auto value = [&](std::size_t step) { return field(step).strength * agreement - log_z(step); };
    std::size_t low = 0;
    std::size_t high = last_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (value(middle + 1) > value(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  const Features& features_;
  std::size_t components_;
  TimeField field_;
  std::size_t last_;
  std::map<std::size_t, double> log_z_;
};

// Mean field, strength and mixture in turns.
class Search {
 public:
  Search(const Features& features, const RowLabels& labels, const Mixture& start, double most)
      : features_(features),
        labels_(labels),
        of_class_(classes_of(start.components)),
        literal_(start.field),
        densities_(start.components.size() * features.rows()),
        shares_(densities_.size()),
        strengths_(features, start.components.size(), start.field, most),
        step_(static_cast<std::size_t>(std::lround(std::min(most, total_weight(start.field)) * steps_a_nat))) {}

  std::size_t step() const { return step_; }
  std::span<double> shares() { return shares_; }

  // The bound after the best shares and the best strength.
  double expect(const DensityFactors& factors, Threads threads) {
    log_densities(factors, features_, threads, densities_);
    FieldProblem problem{features_.starts, densities_, factors.components(), {}, {}};
    if (!labels_.empty()) {
      problem.labels = labels_;
      problem.of_class = of_class_;
    }
    mean_field(problem, strengths_.field(step_), sweeps, sweep_tolerance, shares_);
    literal_.strength = 0.0;
    const double alone = mean_field(problem, literal_, 0, 0.0, shares_);  // no sweep: the bound as it is
    literal_.strength = 1.0;
    const double agreement = mean_field(problem, literal_, 0, 0.0, shares_) - alone;
    step_ = strengths_.best(agreement);
    return alone + strengths_.field(step_).strength * agreement - strengths_.log_z(step_);
  }

 private:
  const Features& features_;
  const RowLabels& labels_;
  std::vector<std::int32_t> of_class_;
  TimeField literal_;
  std::vector<double> densities_;  // components x rows
  std::vector<double> shares_;
  Strengths strengths_;
  std::size_t step_;
};

}  // namespace

LikelyCoupling likely_coupling(const Features& features, const RowLabels& labels, const GlobalShape& global,
                               double label_weight, double most, const RunContext& run, Mixture& mixture) {
  const Rows rows = some_rows(features, labels, mixture.field.radius);
  Search search(rows.features, rows.labels, mixture, most);
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < most_iterations && search.step() > 0 && !run.cancelled(); ++i) {
    const DensityFactors factors(mixture.components, features.dimensions());
    const double bound = search.expect(factors, run.threads);
    if (bound - before < least_rise * static_cast<double>(rows.features.rows())) break;
    before = bound;
    maximise_mixture(factors, rows.features, rows.labels, label_weight, global, run.threads, search.shares(), mixture);
  }
  return {static_cast<double>(search.step()) / steps_a_nat, before};
}

}  // namespace motet::temporal
