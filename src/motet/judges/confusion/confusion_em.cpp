#include "motet/judges/confusion/confusion_em.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

// Products of this many probabilities are taken before looking at their size.
constexpr std::size_t stride = 8;
constexpr double small = 1e-100;  // below it a product is scaled up by 1 / small
constexpr double exact = 1e-300;  // a product above it has all its digits
constexpr double clearly = 1e20;  // what is so many times smaller does not matter

// Sum of logarithms with one logarithm for many numbers.
class LogTotal {
 public:
  void add(double x) {
    if (x < small) {
      total_ += std::log(x);
      return;
    }
    product_ *= x;
    if (product_ < small) flush();
  }
  void add_log(double log_x) { total_ += log_x; }
  double value() {
    flush();
    return total_;
  }

 private:
  void flush() {
    total_ += std::log(product_);
    product_ = 1.0;
  }
  double total_ = 0.0;
  double product_ = 1.0;
};

// From log p_y and the votes, already multiplied by the inverse temperature.
double normalise_logs(std::span<const double> prior, std::int32_t known, double inverse_temperature,
                      std::span<double> posterior) {
  if (known != Votes::unknown) {
    const double log_p = posterior[static_cast<std::size_t>(known)] / inverse_temperature;
    std::fill(posterior.begin(), posterior.end(), 0.0);
    posterior[static_cast<std::size_t>(known)] = 1.0;
    return log_p;
  }
  const double total = log_sum_exp(posterior);
  if (std::isinf(total)) {  // votes that no class allows tell nothing
    std::copy(prior.begin(), prior.end(), posterior.begin());
    return total;
  }
  for (double& value : posterior) value = std::exp(value - total);
  return total / inverse_temperature;
}

// Careful way: logarithms, any temperature, any number of votes.
double infer_by_logs(std::span<const double> parameters, std::size_t class_count, std::span<const std::uint32_t> codes,
                     std::int32_t known, double inverse_temperature, std::span<double> posterior) {
  const double* table = parameters.data() + class_count;
  for (std::size_t y = 0; y < class_count; ++y) {
    double log_p = std::log(parameters[y]);
    for (const std::uint32_t code : codes) log_p += std::log(table[code * class_count + y]);
    posterior[y] = inverse_temperature * log_p;
  }
  return normalise_logs(parameters.first(class_count), known, inverse_temperature, posterior);
}

// Fast way: plain products. K is the number of classes, or 0 when known only at run time.
template <std::size_t K>
class Kernel {
 public:
  Kernel(const VoteTable& table, std::span<const double> parameters, std::span<double> statistics)
      : data_(table), parameters_(parameters), statistics_(statistics), posterior_(classes()) {}

  void run(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto codes = data_.of_row(row);
      const double weight = data_.weight(row);
      if (weight == 0.0) continue;  // left out of a sample: may well be impossible now, and 0 log 0 is not 0
      if (data_.known_class(row) != Votes::unknown || !multiply(codes)) {
        objective_.add_log(weight *
                           infer_by_logs(parameters_, classes(), codes, data_.known_class(row), 1.0, posterior_));
        add_counts(codes, weight);
      } else {
        if (data_.weights.empty()) {
          objective_.add(sum_);
        } else {
          objective_.add_log(weight * std::log(sum_));
        }
        objective_.add_log(-weight * shift_);
        add_counts(codes, weight / sum_);
      }
    }
    statistics_[0] += objective_.value();
  }

 private:
  std::size_t classes() const { return K == 0 ? data_.class_count : K; }

  // p_y times the probabilities of the votes, times exp(shift_); false when underflow may show.
  bool multiply(std::span<const std::uint32_t> codes) {
    const double* table = parameters_.data() + classes();
    double* p = posterior_.data();
    shift_ = 0.0;
    hidden_ = exact;
    for (std::size_t y = 0; y < classes(); ++y) p[y] = parameters_[y];
    for (std::size_t first = 0; first < codes.size(); first += stride) {
      if (first != 0) rescale();
      const std::size_t last = std::min(first + stride, codes.size());
      for (std::size_t v = first; v < last; ++v) {
        const double* row = table + static_cast<std::size_t>(codes[v]) * classes();
        for (std::size_t y = 0; y < classes(); ++y) p[y] *= row[y];
      }
    }
    sum_ = 0.0;
    for (std::size_t y = 0; y < classes(); ++y) sum_ += p[y];
    return sum_ > clearly * hidden_;
  }

  void rescale() {
    if (*std::max_element(posterior_.begin(), posterior_.end()) >= small) return;
    // A class that has underflowed may come back when the others fall, so its bound is scaled with them.
    if (*std::min_element(posterior_.begin(), posterior_.end()) < hidden_) hidden_ /= small;
    for (double& p : posterior_) p /= small;
    shift_ -= std::log(small);
  }

  void add_counts(std::span<const std::uint32_t> codes, double factor) {
    double* mass = statistics_.data() + 1;
    double* counts = mass + classes();
    double* q = posterior_.data();
    for (std::size_t y = 0; y < classes(); ++y) q[y] *= factor;
    for (std::size_t y = 0; y < classes(); ++y) mass[y] += q[y];
    for (const std::uint32_t code : codes) {
      double* row = counts + static_cast<std::size_t>(code) * classes();
      for (std::size_t y = 0; y < classes(); ++y) row[y] += q[y];
    }
  }

  const VoteTable& data_;
  std::span<const double> parameters_;
  std::span<double> statistics_;
  std::vector<double> posterior_;
  double sum_ = 0.0;
  double shift_ = 0.0;
  double hidden_ = 0.0;  // a class below this may have lost digits
  LogTotal objective_;
};

void accumulate_tempered(const VoteTable& data, std::span<const double> parameters, std::size_t leaf,
                         double inverse_temperature, std::span<double> statistics) {
  const std::size_t k = data.class_count;
  std::vector<double> posterior(k);
  for (std::size_t row = data.leaves[leaf]; row < data.leaves[leaf + 1]; ++row) {
    const auto codes = data.of_row(row);
    const double weight = data.weight(row);
    if (weight == 0.0) continue;
    statistics[0] +=
        weight * infer_by_logs(parameters, k, codes, data.known_class(row), inverse_temperature, posterior);
    for (std::size_t y = 0; y < k; ++y) {
      statistics[1 + y] += weight * posterior[y];
      for (const std::uint32_t code : codes) statistics[1 + k + code * k + y] += weight * posterior[y];
    }
  }
}

void accumulate_leaf(const VoteTable& data, std::span<const double> parameters, std::size_t leaf,
                     double inverse_temperature, std::span<double> statistics) {
  if (inverse_temperature != 1.0) {
    accumulate_tempered(data, parameters, leaf, inverse_temperature, statistics);
    return;
  }
  const std::size_t begin = data.leaves[leaf];
  const std::size_t end = data.leaves[leaf + 1];
  switch (data.class_count) {
    case 2: Kernel<2>(data, parameters, statistics).run(begin, end); break;
    case 3: Kernel<3>(data, parameters, statistics).run(begin, end); break;
    case 4: Kernel<4>(data, parameters, statistics).run(begin, end); break;
    case 5: Kernel<5>(data, parameters, statistics).run(begin, end); break;
    default: Kernel<0>(data, parameters, statistics).run(begin, end); break;
  }
}

// One judge's table out of its expected counts; both laid out [said * k + true].
void maximise_confusion(std::span<const double> counts, std::span<const double> cells, std::size_t k,
                        std::span<double> table) {
  for (std::size_t y = 0; y < k; ++y) {
    double total = 0.0;
    for (std::size_t c = 0; c < k; ++c) total += counts[c * k + y] + cells[y * k + c];
    if (!(total > 0.0)) continue;  // nothing was seen: the row stays as it is
    for (std::size_t c = 0; c < k; ++c) table[c * k + y] = (counts[c * k + y] + cells[y * k + c]) / total;
  }
}

void fill_symmetric(double accuracy, std::size_t k, std::span<double> table) {
  const double error = (1.0 - accuracy) / static_cast<double>(k - 1);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t y = 0; y < k; ++y) table[c * k + y] = c == y ? accuracy : error;
  }
}

void maximise_symmetric(std::span<const double> counts, double pseudo, std::size_t k, std::span<double> table) {
  double right = pseudo;
  double total = 2.0 * pseudo;
  for (std::size_t c = 0; c < k; ++c) {
    right += counts[c * k + c];
    for (std::size_t y = 0; y < k; ++y) total += counts[c * k + y];
  }
  if (total > 0.0) fill_symmetric(std::min(right / total, 1.0), k, table);
}

struct Steps {
  ConfusionSpec spec;
  std::size_t judge_count;
  std::size_t class_count;

  std::size_t block() const { return class_count * class_count; }

  void maximise_judge(std::span<const double> counts, std::span<double> table) const {
    if (spec.noise == JudgeNoise::symmetric) {
      maximise_symmetric(counts, spec.prior.cells[0], class_count, table);
    } else {
      maximise_confusion(counts, spec.prior.cells, class_count, table);
    }
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> old) const {
    std::vector<double> next(old.begin(), old.end());
    maximise_prior(statistics.subspan(1, class_count), next);
    const std::span<double> tables = std::span(next).subspan(class_count);
    std::vector<double> counts(block());
    for (std::size_t j = 0; j < judge_count; ++j) {
      const auto seen = statistics.subspan(1 + class_count + j * block(), block());
      for (std::size_t i = 0; i < block(); ++i) counts[i] = spec.vote_weight * seen[i];
      maximise_judge(counts, tables.subspan(j * block(), block()));
    }
    return next;
  }

  void maximise_prior(std::span<const double> mass, std::span<double> next) const {
    if (!spec.known_prior.empty()) return;
    double total = 0.0;
    for (std::size_t y = 0; y < class_count; ++y) total += mass[y] + spec.prior.class_mass[y];
    for (std::size_t y = 0; y < class_count; ++y) next[y] = (mass[y] + spec.prior.class_mass[y]) / total;
  }

  double log_prior(std::span<const double> parameters) const {
    const auto term = [](double pseudo, double p) { return pseudo == 0.0 ? 0.0 : pseudo * std::log(p); };
    double sum = 0.0;
    if (spec.known_prior.empty()) {
      for (std::size_t y = 0; y < class_count; ++y) sum += term(spec.prior.class_mass[y], parameters[y]);
    }
    const auto tables = parameters.subspan(class_count);
    for (std::size_t j = 0; j < judge_count; ++j) {
      const auto table = tables.subspan(j * block(), block());
      if (spec.noise == JudgeNoise::symmetric) {
        sum += term(spec.prior.cells[0], table[0]) + term(spec.prior.cells[0], 1.0 - table[0]);
        continue;
      }
      for (std::size_t c = 0; c < class_count; ++c) {
        for (std::size_t y = 0; y < class_count; ++y) {
          sum += term(spec.prior.cells[y * class_count + c], table[c * class_count + y]);
        }
      }
    }
    return sum;
  }

  // Probabilities keep a small share of the EM point, then rows are made to sum to 1.
  void project(std::span<const double> em_point, std::span<double> candidate) const {
    constexpr double share = 1e-3;
    for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = std::max(candidate[i], share * em_point[i]);
    normalise(candidate.first(class_count), 1);
    for (std::size_t j = 0; j < judge_count; ++j) {
      const auto table = candidate.subspan(class_count + j * block(), block());
      if (spec.noise == JudgeNoise::symmetric) {
        const double error = table[class_count] * static_cast<double>(class_count - 1);  // said 1, true 0
        fill_symmetric(table[0] / (table[0] + error), class_count, table);
      } else {
        for (std::size_t y = 0; y < class_count; ++y) normalise(table.subspan(y), class_count);
      }
    }
    if (!spec.known_prior.empty())
      std::copy(em_point.begin(), em_point.begin() + static_cast<std::ptrdiff_t>(class_count), candidate.begin());
  }

  // Every `step`-th number, class_count of them.
  void normalise(std::span<double> numbers, std::size_t step) const {
    double total = 0.0;
    for (std::size_t c = 0; c < class_count; ++c) total += numbers[c * step];
    for (std::size_t c = 0; c < class_count; ++c) numbers[c * step] /= total;
  }
};

Steps steps_of(const VoteTable& table, const ConfusionSpec& spec) {
  const std::size_t k = table.class_count;
  Steps steps{spec, table.judge_count, k};
  if (steps.spec.prior.cells.empty()) steps.spec.prior.cells.assign(k * k, 0.0);
  if (steps.spec.prior.class_mass.empty()) steps.spec.prior.class_mass.assign(k, 0.0);
  if (steps.spec.prior.cells.size() != k * k || steps.spec.prior.class_mass.size() != k ||
      (!spec.known_prior.empty() && spec.known_prior.size() != k)) {
    fail(ErrorKind::internal, "confusion_problem: prior does not fit the classes");
  }
  return steps;
}

std::vector<double> uniform_start(const VoteTable& table, const ConfusionSpec& spec) {
  const std::size_t k = table.class_count;
  std::vector<double> parameters(k + table.judge_count * k * k, 1.0 / static_cast<double>(k));
  std::copy(spec.known_prior.begin(), spec.known_prior.end(), parameters.begin());
  return parameters;
}

}  // namespace

EmProblem confusion_problem(const VoteTable& table, const ConfusionSpec& spec) {
  const Steps steps = steps_of(table, spec);
  EmProblem problem;
  problem.leaf_count = table.leaf_count();
  problem.statistic_count = 1 + steps.class_count + table.judge_count * steps.block();
  problem.accumulate = [&table](std::span<const double> parameters, std::size_t leaf, double inverse_temperature,
                                std::span<double> statistics) {
    accumulate_leaf(table, parameters, leaf, inverse_temperature, statistics);
  };
  if (spec.vote_weight != 1.0) {
    problem.prepare = [steps](std::span<const double> parameters) {
      return weighted_tables(parameters, steps.class_count, steps.spec.vote_weight);
    };
  }
  problem.maximise = [steps](std::span<const double> statistics, std::span<const double> old) {
    return steps.maximise(statistics, old);
  };
  problem.log_prior = [steps](std::span<const double> parameters) { return steps.log_prior(parameters); };
  problem.project = [steps](std::span<const double> em_point, std::span<double> candidate) {
    steps.project(em_point, candidate);
  };
  return problem;
}

std::vector<double> vote_share_start(const VoteTable& table, const ConfusionSpec& spec) {
  constexpr double pseudo = 0.5;
  Steps steps = steps_of(table, spec);
  const std::size_t k = table.class_count;
  for (double& cell : steps.spec.prior.cells) cell = std::max(cell, pseudo);
  for (double& mass : steps.spec.prior.class_mass) mass = std::max(mass, pseudo);
  std::vector<double> statistics(1 + k + table.judge_count * steps.block(), 0.0);
  std::vector<double> share(k);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto codes = table.of_row(row);
    if (codes.empty()) continue;
    std::fill(share.begin(), share.end(), 0.0);
    const double part = table.weight(row) / static_cast<double>(codes.size());
    if (table.known_class(row) != Votes::unknown) {
      share[static_cast<std::size_t>(table.known_class(row))] = table.weight(row);
    } else {
      for (const std::uint32_t code : codes) share[code % k] += part;
    }
    for (std::size_t y = 0; y < k; ++y) {
      statistics[1 + y] += share[y];
      for (const std::uint32_t code : codes) statistics[1 + k + code * k + y] += share[y];
    }
  }
  return steps.maximise(statistics, uniform_start(table, spec));
}

std::vector<double> equal_accuracy_start(const VoteTable& table, const ConfusionSpec& spec, double accuracy) {
  std::vector<double> parameters = uniform_start(table, spec);
  const std::size_t k = table.class_count;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    fill_symmetric(accuracy, k, std::span(parameters).subspan(k + j * k * k, k * k));
  }
  return parameters;
}

std::vector<double> weighted_tables(std::span<const double> parameters, std::size_t class_count, double vote_weight) {
  std::vector<double> weighted(parameters.begin(), parameters.end());
  if (vote_weight == 1.0) return weighted;
  for (std::size_t i = class_count; i < weighted.size(); ++i) weighted[i] = std::pow(weighted[i], vote_weight);
  return weighted;
}

RowInference::RowInference(std::span<const double> parameters, std::size_t class_count)
    : class_count_(class_count),
      prior_(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(class_count)),
      logs_(parameters.begin(), parameters.end()) {
  for (double& value : logs_) value = std::log(value);
}

double RowInference::infer(std::span<const std::uint32_t> codes, std::int32_t known,
                           std::span<double> posterior) const {
  const double* table = logs_.data() + class_count_;
  std::copy_n(logs_.begin(), class_count_, posterior.begin());
  for (const std::uint32_t code : codes) {
    const double* row = table + static_cast<std::size_t>(code) * class_count_;
    for (std::size_t y = 0; y < class_count_; ++y) posterior[y] += row[y];
  }
  return normalise_logs(prior_, known, 1.0, posterior);
}

double infer_row(std::span<const double> parameters, std::size_t class_count, std::span<const std::uint32_t> codes,
                 std::int32_t known, std::span<double> posterior) {
  return infer_by_logs(parameters, class_count, codes, known, 1.0, posterior);
}

}  // namespace motet::judges
